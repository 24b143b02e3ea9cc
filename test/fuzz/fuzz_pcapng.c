/* Captures, pcap and pcapng: every packet, and what link_parse finds in it, lies in what was read. */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "run/capture.h"
#include "run/link.h"

static unsigned touch(const u8 *p, u32 bytes)
{
	unsigned sum = 0;

	for (u32 i = 0; i < bytes; i++)
		sum += p[i];
	return sum;
}

static void look_at(const struct record *r)
{
	struct link_packet packet = {0};
	volatile unsigned sum = touch(r->data, r->bytes);

	FUZZ_CHECK(r->bytes <= 262144, "%u bytes", r->bytes);
	if (!link_name(r->link))
		return;
	link_parse(r, &packet);
	if (packet.family == FAMILY_NONE)
		return;
	FUZZ_CHECK(packet.ip >= r->data && packet.ip - r->data + packet.bytes <= r->bytes, "%td",
		packet.ip - r->data);
	sum = touch(packet.ip, packet.bytes);
	if (packet.mac_source)
		sum = touch(packet.mac_source, 6);
	(void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct capture *capture;
	struct record record;
	struct diag d = {0};
	char path[64];
	int fd = memfd_create("fuzz", 0);

	FUZZ_CHECK(fd >= 0 && (!len || write(fd, bytes, len) == (ssize_t)len), "memfd");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!capture_open(path, &capture, &d)) {
		u64 number = 0;

		while (capture_next(capture, &record, &d) == 1) {
			FUZZ_CHECK(record.number == ++number, "%llu",
				(unsigned long long)record.number);
			look_at(&record);
		}
		capture_close(capture);
	}
	diag_fini(&d);
	close(fd);
	return 0;
}
