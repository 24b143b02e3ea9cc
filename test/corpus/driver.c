/* Reads plans, writes JSON: see driver.h. */
#include "driver.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct backend *be;
static bool first_of_list;

/* ---- JSON ---- */

static void put_string(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		if ((unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
			printf("\\u%04x", (unsigned char)*s);
		else
			putchar(*s);
	}
	putchar('"');
}

static void put_hex(const void *data, size_t len)
{
	const uint8_t *p = data;

	putchar('"');
	for (size_t i = 0; i < len; i++)
		printf("%02x", p[i]);
	putchar('"');
}

static void put_comma(void)
{
	if (!first_of_list)
		putchar(',');
	first_of_list = false;
}

static void put_entry(const void *key, size_t key_bytes, const void *value, size_t value_bytes)
{
	put_comma();
	putchar('[');
	put_hex(key, key_bytes);
	putchar(',');
	put_hex(value, value_bytes);
	putchar(']');
}

static void put_record(const void *data, size_t len)
{
	put_comma();
	put_hex(data, len);
}

static void put_maps(void)
{
	const char *name, *type;

	for (size_t i = 0; be->map(i, &name, &type); i++) {
		printf("{\"map\":");
		put_string(name);
		printf(",\"type\":");
		put_string(type);
		printf(",\"entries\":[");
		first_of_list = true;
		be->entries(i, put_entry);
		printf("],\"records\":[");
		first_of_list = true;
		be->records(i, put_record);
		printf("]}\n");
	}
}

/* ---- fields of contexts ---- */

#define FIELD(kind, name) \
	{ \
		kind, #name, offsetof(struct driver_ctx, name) \
	}
static const struct {
	int kind;
	const char *name;
	size_t off;
} fields[] = {
	FIELD(DRIVER_SKB, mark),
	FIELD(DRIVER_SKB, priority),
	FIELD(DRIVER_SKB, ingress_ifindex),
	FIELD(DRIVER_SKB, ifindex),
	FIELD(DRIVER_SKB, cb[0]),
	FIELD(DRIVER_SKB, cb[1]),
	FIELD(DRIVER_SKB, cb[2]),
	FIELD(DRIVER_SKB, cb[3]),
	FIELD(DRIVER_SKB, cb[4]),
	FIELD(DRIVER_SKB, tstamp),
	FIELD(DRIVER_SKB, wire_len),
	FIELD(DRIVER_SKB, gso_segs),
	FIELD(DRIVER_SKB, gso_size),
	FIELD(DRIVER_SKB, hwtstamp),
	FIELD(DRIVER_XDP, meta),
	FIELD(DRIVER_XDP, rx_queue_index),
};

static uint64_t *field_at(struct driver_ctx *ctx, size_t i)
{
	return (uint64_t *)((char *)ctx + fields[i].off);
}

static int set_field(struct driver_ctx *ctx, const char *word)
{
	const char *is = strchr(word, '=');

	for (size_t i = 0; is && i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strlen(fields[i].name) == (size_t)(is - word) &&
			!memcmp(word, fields[i].name, (size_t)(is - word))) {
			*field_at(ctx, i) = strtoull(is + 1, NULL, 0);
			return 0;
		}
	}
	return -EINVAL;
}

static void put_ctx(struct driver_run *run)
{
	printf("{");
	first_of_list = true;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (fields[i].kind != (int)run->kind)
			continue;
		put_comma();
		printf("\"%s\":%llu", fields[i].name, (unsigned long long)*field_at(&run->ctx, i));
	}
	printf("}");
}

/* ---- the plan ---- */

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Bytes in place of their hex digits. */
static size_t unhex(char *s)
{
	size_t n = 0;

	for (; digit(s[2 * n]) >= 0 && digit(s[2 * n + 1]) >= 0; n++)
		s[n] = (char)(digit(s[2 * n]) << 4 | digit(s[2 * n + 1]));
	return n;
}

static void run_program(char **words)
{
	static struct driver_run run;
	int ret;

	memset(&run, 0, sizeof(run));
	run.program = words[1];
	run.len = unhex(words[2]);
	if (run.len > sizeof(run.data))
		run.len = sizeof(run.data);
	memcpy(run.data, words[2], run.len);
	for (int i = 3; words[i]; i++) {
		if (set_field(&run.ctx, words[i])) {
			fprintf(stderr, "no field of a context: %s\n", words[i]);
			exit(2);
		}
	}
	ret = be->run(&run);
	printf("{\"run\":");
	put_string(run.program);
	printf(",\"error\":%d", ret);
	if (!ret) {
		printf(",\"retval\":%u,\"data\":", run.retval);
		put_hex(run.data, run.len);
		printf(",\"ctx\":");
		put_ctx(&run);
	}
	printf("}\n");
}

static int step(char **w, int n)
{
	size_t k, v;

	if (!strcmp(w[0], "type") && n == 3)
		return be->set_type(w[1], w[2]);
	if (!strcmp(w[0], "only") && n == 2)
		return be->only(w[1]);
	if (!strcmp(w[0], "skip") && n == 2)
		return be->skip(w[1]);
	if (!strcmp(w[0], "init") && n == 4) {
		v = unhex(w[3]);
		return be->init(w[1], strtoul(w[2], NULL, 0), w[3], v);
	}
	if (!strcmp(w[0], "set") && n == 4) {
		k = unhex(w[2]);
		v = unhex(w[3]);
		return be->set(w[1], w[2], k, w[3], v);
	}
	if (!strcmp(w[0], "push") && n == 3) {
		v = unhex(w[2]);
		return be->push(w[1], w[2], v);
	}
	if (!strcmp(w[0], "prog") && n == 4)
		return be->set_program(w[1], (uint32_t)strtoul(w[2], NULL, 0), w[3]);
	if (!strcmp(w[0], "inner") && n == 4) {
		k = unhex(w[2]);
		return be->set_map(w[1], w[2], k, w[3]);
	}
	fprintf(stderr, "not a step: %s with %d words\n", w[0], n);
	exit(2);
}

/* false: nothing can follow. */
static bool line(char *text)
{
	char *words[32], *save, why[1024] = "";
	int n = 0, ret;

	for (char *w = strtok_r(text, " \n", &save); w && n < 31; w = strtok_r(NULL, " \n", &save))
		words[n++] = w;
	words[n] = NULL;
	if (!n)
		return true;
	if (!strcmp(words[0], "load")) {
		ret = be->load(why, sizeof(why));
		printf("{\"load\":%d,\"why\":", ret);
		put_string(why);
		printf("}\n");
		return !ret;
	}
	if (!strcmp(words[0], "maps")) {
		put_maps();
	} else if (!strcmp(words[0], "run") && n >= 3) {
		run_program(words);
	} else {
		ret = step(words, n);
		printf("{\"step\":\"%s %s\",\"error\":%d}\n", words[0], words[1], ret);
	}
	return true;
}

int driver_main(int argc, char **argv, const struct backend *backend)
{
	char *text = NULL;
	size_t room = 0;
	int ret;

	if (argc < 2) {
		fprintf(stderr, "usage: %s OBJECT [WORD ...] < PLAN\n", argv[0]);
		return 2;
	}
	be = backend;
	ret = be->open(argv[1], argv + 2);
	if (ret) {
		printf("{\"open\":%d}\n", ret);
		return ret == -EPERM ? 77 : 0;
	}
	while (getline(&text, &room, stdin) > 0)
		if (!line(text))
			break;
	free(text);
	return 0;
}
