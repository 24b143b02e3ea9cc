#include "bench/sample.h"

#include <errno.h>
#include <math.h>

#include "base/alloc.h"
#include "bench/clock.h"

static u64 time_of(const struct bench_case *c, u32 times)
{
	u64 start = clock_cpu_ns();

	c->run(c->arg, times);
	u64 ns = clock_cpu_ns() - start;
	if (c->after)
		c->after(c->arg);
	return ns;
}

/* So many that a sample takes its time; also warms everything up. */
static u32 times_for(const struct bench_case *c, u64 sample_ns)
{
	u32 times = 1, max = c->times_max ? c->times_max : 1u << 26;
	u64 ns = time_of(c, 1);

	while ((ns = time_of(c, times)) < sample_ns / 2 && times <= max / 8)
		times *= ns < sample_ns / 16 ? 8 : 2;
	return times;
}

static void conclude(struct bench_case *c, u32 repeats)
{
	double sum = 0, squares = 0;

	c->median = bench_median(c->samples, repeats); /* sorts them */
	c->least = c->samples[0];
	c->most = c->samples[repeats - 1];
	for (u32 i = 0; i < repeats; i++)
		sum += c->samples[i];
	c->mean = sum / repeats;
	for (u32 i = 0; i < repeats; i++)
		squares += (c->samples[i] - c->mean) * (c->samples[i] - c->mean);
	c->deviation = repeats > 1 ? sqrt(squares / (repeats - 1)) : 0;
}

int bench_sample(struct bench_case *cases, size_t n, u32 repeats, u64 sample_ns)
{
	double *samples = mem_alloc(array_size(n, repeats * sizeof(*samples)));

	if (!samples)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		cases[i].samples = samples + i * repeats;
		cases[i].times = times_for(&cases[i], sample_ns);
	}
	for (u32 r = 0; r < repeats; r++)
		for (size_t i = 0; i < n; i++)
			cases[i].samples[r] =
				(double)time_of(&cases[i], cases[i].times) / cases[i].times;
	for (size_t i = 0; i < n; i++)
		for (u32 r = 0; cases[i].less && r < repeats; r++)
			cases[i].samples[r] -= cases[i].less->samples[r];
	for (size_t i = 0; i < n; i++) {
		conclude(&cases[i], repeats);
		cases[i].samples = NULL;
	}
	mem_free(samples);
	return 0;
}
