/* cli_log_sum_test.c - sums of log records: equal for every grouping, however full the tables */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "cli/log/log_sum.h"
#include "tests/cli/cli_log_check.h"

static void test_buckets(void)
{
	expect(log_sum_bucket(-1) == 0 && log_sum_bucket(0) == 0 && log_sum_bucket(1) == 1 &&
	               log_sum_bucket_bytes(0) == 0,
	       "no size is bucket 0");
	for (int bucket = 1; bucket < LOG_BUCKETS; bucket++) {
		const int64_t least = log_sum_bucket_bytes(bucket);
		expect(log_sum_bucket(least) == bucket, "a bucket begins with its least size");
		expect(least == 1 || log_sum_bucket(least - 1) == bucket - 1,
		       "one byte less is the one before");
	}
	expect(log_sum_bucket(INT64_MAX) == LOG_BUCKETS - 1, "the largest");
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)) + 1e-6;
}

enum { RECORDS = 200000, PAUSE_NS = 777777 };

/* More routines, objects and processes than the tables hold, and times that run backwards. */
static struct log_sum *add_many(void)
{
	struct log_sum *sum = log_sum_make();
	char name[16];
	for (int i = 0; i < RECORDS; i++) {
		const int length = snprintf(name, sizeof name, "lib%d.so", (int)random_below(1000));
		const struct log_record record = {.time_ns = 1795227025123456000 -
		                                             (int64_t)i * PAUSE_NS,
		                                  .pid = i % 100000,
		                                  .object = words_make(name, (size_t)length),
		                                  .symbol = (int)random_below(SYMBOL_COUNT + 1) - 1,
		                                  .family = (int)random_below(FAMILY_COUNT + 1) - 1,
		                                  .element = (int)random_below(ELEMENT_COUNT),
		                                  .reason = (int)random_below(REASON_COUNT + 1) - 1,
		                                  .target = (enum target)random_below(2),
		                                  .size_bytes = (int64_t)1 << random_below(40),
		                                  .predicted_cpu_ns = (int64_t)random_below(1000),
		                                  .predicted_gpu_ns = 500,
		                                  .elapsed_ns = (int64_t)random_below(100000000)};
		log_sum_add(sum, &record);
	}
	log_sum_end(sum);
	return sum;
}

static void expect_total(const struct log_tally *group, const struct log_tally *total,
                         const char *what)
{
	expect(group->calls == total->calls && group->regretted == total->regretted &&
	               is_near(group->elapsed_ns, total->elapsed_ns) &&
	               is_near(group->regret_ns, total->regret_ns) &&
	               is_near(group->size_bytes, total->size_bytes),
	       what);
}

static void expect_groups(const struct log_sum *sum, int target)
{
	struct log_tally cells = sum->other_cells.side[target],
			 objects = sum->other_objects.side[target];
	struct log_tally processes = sum->other_processes.side[target], symbols = {.calls = 0};
	expect(cells.calls > 0 && objects.calls > 0 && processes.calls > 0, "the tables were full");
	for (size_t i = 0; i < sum->cell_count; i++)
		if ((int)sum->cells[i].target == target)
			log_sum_add_tally(&cells, &sum->cells[i].tally);
	for (size_t i = 0; i < sum->object_count; i++)
		log_sum_add_tally(&objects, &sum->objects[i].sides.side[target]);
	for (size_t i = 0; i < sum->process_count; i++)
		log_sum_add_tally(&processes, &sum->processes[i].sides.side[target]);
	for (size_t i = 0; i <= SYMBOL_COUNT; i++)
		log_sum_add_tally(&symbols, &sum->symbols[i].side[target]);
	expect_total(&cells, &sum->total.side[target], "cells add up to the total");
	expect_total(&objects, &sum->total.side[target], "objects add up to the total");
	expect_total(&processes, &sum->total.side[target], "processes add up to the total");
	expect_total(&symbols, &sum->total.side[target], "symbols add up to the total");
}

static void test_sums(void)
{
	struct log_sum *sum = add_many();
	uint64_t moments = 0;
	double moments_ns = 0;
	for (int target = 0; target < 2; target++) {
		expect_groups(sum, target);
		for (size_t i = 0; i < sum->timeline.count; i++) {
			moments += sum->timeline.moments[i].calls[target];
			moments_ns += sum->timeline.moments[i].elapsed_ns[target];
		}
	}
	expect(moments == RECORDS, "the timeline has all calls");
	expect(is_near(moments_ns, sum->total.side[0].elapsed_ns + sum->total.side[1].elapsed_ns),
	       "the timeline has all their time");
	expect(sum->last_ns - sum->first_ns >= (int64_t)PAUSE_NS * (RECORDS - 1) &&
	               sum->timeline.count <= LOG_MOMENTS && sum->timeline.count >= LOG_MOMENTS / 2,
	       "from the first to the last");
	expect(sum->least_gpu_bytes == 1 && sum->most_cpu_bytes == (int64_t)1 << 39,
	       "extreme sizes");
	log_sum_free(sum);
}

static void test_spread(void)
{
	struct log_sum *sum = log_sum_make();
	for (int i = 0; i < 1000; i++) {
		const struct log_record record = {.time_ns = -1,
		                                  .elapsed_ns = i < 100   ? 1000
		                                                : i < 900 ? 3000
		                                                          : 12000,
		                                  .predicted_cpu_ns = 3000,
		                                  .predicted_gpu_ns = 2000,
		                                  .target = TARGET_CPU};
		log_sum_add(sum, &record);
	}
	const struct log_spread *spread = &sum->spread[TARGET_CPU];
	expect(is_near(log_sum_find_spread(spread, 0.5), 1), "the median ratio");
	expect(fabs(log_sum_find_spread(spread, 0.05) - 1 / 3.0) < 0.02, "the low ratios");
	expect(is_near(log_sum_find_spread(spread, 0.95), 4), "the high ratios");
	expect(sum->total.side[TARGET_CPU].regretted == 900 &&
	               is_near(sum->total.side[TARGET_CPU].regret_ns, 800 * 1000.0 + 100 * 10000.0),
	       "regret is what the other side was expected to save");
	log_sum_free(sum);
}

/* Absurd numbers in a damaged log must not cause an overflow of any table. */
static void test_absurd_times(void)
{
	struct log_sum *sum = log_sum_make();
	struct log_record record;
	static const char *const lines[] = {
		"{\"symbol\":\"dgemm_\",\"target\":\"cpu\",\"time\":\"1970-01-01T00:00:00.000000Z\",\"elapsed_ns\":9223372036854775807}",
		"{\"symbol\":\"dgemm_\",\"target\":\"gpu\",\"time\":\"9999-99-99T99:99:99.999999Z\",\"elapsed_ns\":1}",
		"{\"symbol\":\"dgemm_\",\"target\":\"gpu\",\"time\":\"2261-12-99T99:99:99.999999Z\",\"elapsed_ns\":9223372036854775807}",
		("{\"symbol\":\"dgemm_\",\"target\":\"gpu\",\"time\":\"2026-11-21T02:10:25.123456Z\",\"elapsed_ns\":-9000000000000000000,"
	         "\"bytes\":-9223372036854775807}")};
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
			if (log_parse(lines[i], strlen(lines[i]), &record, NULL))
				log_sum_add(sum, &record);
	expect(sum->total.side[0].calls == 2 && sum->total.side[1].calls == 4,
	       "absurd records are records");
	expect(sum->timeline.count <= LOG_MOMENTS && sum->timeline.moment_ns > 0,
	       "the timeline holds them");
	log_sum_free(sum);
}

/* The time of a call inside another one is the other's, on whatever side it ran. */
static void test_nested(void)
{
	static const char *const lines[] = {
		"{\"time\":\"2026-11-20T10:00:00.001000Z\",\"pid\":1,\"tid\":1,\"object\":\"l\","
		"\"symbol\":\"dgetrf_\",\"target\":\"gpu\",\"reason\":\"policy_always\",\"bytes\":8,"
		"\"workspace\":4096,\"nested\":1,\"elapsed_ns\":600000}",
		"{\"time\":\"2026-11-20T10:00:00.000000Z\",\"pid\":1,\"tid\":1,\"object\":\"p\","
		"\"symbol\":\"dgesv_\",\"target\":\"cpu\",\"reason\":\"cpu_only_job\",\"bytes\":8,"
		"\"elapsed_ns\":1000000}"};
	struct log_sum *sum = log_sum_make();
	struct log_record record;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
		if (log_parse(lines[i], strlen(lines[i]), &record, NULL))
			log_sum_add(sum, &record);
	log_sum_end(sum);
	const struct log_tally *cpu = &sum->total.side[TARGET_CPU],
			       *gpu = &sum->total.side[TARGET_GPU];
	double moments_ns = 0;
	for (size_t i = 0; i < sum->timeline.count; i++)
		moments_ns += sum->timeline.moments[i].elapsed_ns[TARGET_CPU] +
		              sum->timeline.moments[i].elapsed_ns[TARGET_GPU];
	expect(cpu->calls == 1 && gpu->calls == 1 && cpu->nested == 0 && gpu->nested == 1,
	       "a call inside another one is a call");
	expect(cpu->elapsed_ns + gpu->elapsed_ns == 1000000 && is_near(moments_ns, 1000000),
	       "its time is counted once");
	expect(gpu->workspace_bytes == 4096 && gpu->timed == 0, "its workspace is known");
	log_sum_free(sum);
}

int main(void)
{
	test_buckets();
	test_sums();
	test_nested();
	test_spread();
	test_absurd_times();
	printf(expect_failures == 0 ? "log sums: all fine\n" : "log sums: %d failures\n",
	       expect_failures);
	return expect_failures != 0;
}
