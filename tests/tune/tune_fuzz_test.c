/* tune_fuzz_test.c - records with arbitrary content: finite sums, no read out of bounds */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tune/tune.h"
#include "measure/random.h"

enum { FUZZ_ROUNDS = 25, FUZZ_LINES = 600, FUZZ_LINE_BYTES = 1024, FUZZ_MANY = 40000 };
static uint64_t fuzz_round, fuzz_drawn;
static int failures;

static const char *const fuzz_routines[] = {"dgemm",       "zherk",    "strsm",     "csymm",
                                            "dgemm_batch", "fftw_c2c", "fftwf_r2c", "fftw_r2r",
                                            "fftwl_c2c",   "dgemmt",   "cher2k",    "nothing"};
static const char *const fuzz_reasons[] = {
	"predicted_faster", "below_threshold", "predicted_slower", "operands_overlap",
	"on_device",        "device_failed",   "illegal_argument", "whatever"};

static uint64_t fuzz_draw(uint64_t most)
{
	return random_bits(fuzz_round, fuzz_drawn++) % most;
}

/* Mostly sizes that real calls have, sometimes none. */
static int64_t fuzz_draw_number(void)
{
	static const int64_t odd[] = {
		0, -1, 1, INT64_MAX, INT64_MIN, INT64_C(1) << 31, INT64_C(1) << 40, 3037000500};
	if (fuzz_draw(12) == 0)
		return odd[fuzz_draw(sizeof odd / sizeof odd[0])];
	return (int64_t)fuzz_draw(fuzz_draw(2) == 0 ? 100 : 5000);
}

static size_t fuzz_write_line(char line[FUZZ_LINE_BYTES])
{
	const char *routine =
		fuzz_routines[fuzz_draw(sizeof fuzz_routines / sizeof fuzz_routines[0])];
	const char *reason = fuzz_reasons[fuzz_draw(sizeof fuzz_reasons / sizeof fuzz_reasons[0])];
	const bool gpu = fuzz_draw(2) == 0, fft = strncmp(routine, "fftw", 4) == 0;
	char sizes[256];
	snprintf(sizes, sizeof sizes,
	         fft ? "\"n0\":%lld,\"n1\":%lld,\"howmany\":%lld"
	             : "\"m\":%lld,\"n\":%lld,\"k\":%lld,\"problems\":%lld",
	         (long long)fuzz_draw_number(), (long long)fuzz_draw_number(),
	         (long long)fuzz_draw_number(), (long long)fuzz_draw_number());
	return (size_t)snprintf(
		line, FUZZ_LINE_BYTES,
		"{\"time\":\"2026-11-21T02:10:%02d.123456Z\",\"pid\":%lld,\"tid\":1,\"object\":\"x\",\"symbol\":\"%s\","
		"\"routine\":\"%s\",\"sizes\":{%s},\"bytes\":%lld,\"flops\":%lld,\"target\":\"%s\",\"reason\":\"%s\","
		"\"device\":0,\"math\":\"-\",\"predicted_cpu_ns\":%lld,\"predicted_gpu_ns\":%lld,\"elapsed_ns\":%lld}",
		(int)fuzz_draw(60), (long long)fuzz_draw(3), routine, routine, sizes,
		(long long)fuzz_draw_number(), (long long)fuzz_draw_number(), gpu ? "gpu" : "cpu",
		reason, (long long)fuzz_draw_number(), (long long)fuzz_draw_number(),
		(long long)fuzz_draw_number());
}

static bool fuzz_make_record(struct log_record *record, char line[FUZZ_LINE_BYTES])
{
	const size_t length = fuzz_write_line(line);
	if (fuzz_draw(10) == 0)
		line[fuzz_draw(length)] = (char)fuzz_draw(256);
	memset(record, 0, sizeof *record);
	return log_parse(line, fuzz_draw(20) == 0 ? fuzz_draw(length) : length, record, NULL);
}

static void fuzz_expect(bool holds, const char *what)
{
	if (holds)
		return;
	printf("round %llu: %s\n", (unsigned long long)fuzz_round, what);
	failures++;
}

static void fuzz_check(struct tune_result *result)
{
	for (int i = 0; i < TUNE_SETTINGS; i++)
		fuzz_expect(!result->row[i].tried || (isfinite(result->row[i].time_ns) &&
		                                      result->row[i].time_ns >= 0),
		            tune_name((enum tune_setting)i));
	fuzz_expect(result->row[TUNE_THRESHOLD].time_ns <=
	                    result->row[TUNE_CPU].time_ns * (1 + 1e-9),
	            "the best threshold takes more than none");
	fuzz_expect(result->row[TUNE_GPU].gpu_calls <= result->sum->all.calls,
	            "more calls than there are");
	free(result->weights.items);
	free(result->weights.most_bytes);
}

/* Reads the same records twice, as the command does. */
static void fuzz_tune(const struct options *options, const struct known_machine *machine)
{
	static char line[FUZZ_LINES][FUZZ_LINE_BYTES];
	static struct log_record record[FUZZ_LINES];
	struct recorded_sum *sum = recorded_sum_make(options, machine);
	struct tune_result result = {.sum = sum};
	struct recorded_view view;
	int count = 0;
	sum->cpu_threads = 4;
	sum->by_model = fuzz_draw(2) == 0;
	for (int i = 0; i < FUZZ_LINES; i++)
		if (fuzz_make_record(&record[count], line[count]))
			recorded_sum_add(sum, &record[count++]);
	recorded_sum_end(sum);
	tune_weigh(&result);
	struct recorded_replay *replay = recorded_replay_make(sum, options);
	recorded_sum_rewind(sum);
	for (int i = 0; i < count; i++) {
		recorded_sum_view(sum, &record[i], &view);
		recorded_replay_add(replay, &record[i], &view);
	}
	struct tune_row *row = &result.row[TUNE_PRESENT];
	row->tried = true;
	row->time_ns = recorded_replay_time(replay, &row->gpu_calls);
	tune_choose(&result);
	fuzz_check(&result);
	recorded_replay_free(replay);
	recorded_sum_free(sum);
}

/*
 * More shapes and processes than the tables hold: memory stays bounded, and every call is counted.
 */
static void fuzz_crowd(const struct options *options, const struct known_machine *machine)
{
	struct recorded_sum *sum = recorded_sum_make(options, machine);
	struct tune_result result = {.sum = sum};
	struct log_record record = {
		.family = FAMILY_GEMM, .element = ELEMENT_D, .reason = REASON_PREDICTED_SLOWER};
	uint64_t calls = 0;
	sum->cpu_threads = 1;
	for (int i = 0; i < FUZZ_MANY; i++) {
		record.pid = i % 4096;
		record.m = 1 + i % 400;
		record.n = 1 + i / 400;
		record.k = 7;
		record.size_bytes =
			8 * (record.m * record.k + record.k * record.n + record.m * record.n);
		record.predicted_cpu_ns = record.predicted_gpu_ns = -1;
		record.elapsed_ns = 1000;
		recorded_sum_add(sum, &record);
	}
	recorded_sum_end(sum);
	tune_weigh(&result);
	for (size_t i = 0; i < sum->cell_count; i++)
		calls += sum->cells[i].calls[TARGET_CPU];
	fuzz_expect(calls + sum->blurred.calls == FUZZ_MANY, "calls are lost in the crowd");
	fuzz_expect(sum->more_processes && sum->process_count == RECORDED_PROCESSES,
	            "processes are not bounded");
	fuzz_expect(result.row[TUNE_LOGGED].time_ns == 1000.0 * FUZZ_MANY,
	            "time is lost in the crowd");
	fuzz_check(&result);
	recorded_sum_free(sum);
}

int main(void)
{
	static struct known_machine machine;
	static struct options options;
	options_set_defaults(&options);
	machine_assume(&machine.complete, 0, 0);
	for (fuzz_round = 1; fuzz_round <= FUZZ_ROUNDS; fuzz_round++)
		fuzz_tune(&options, &machine);
	fuzz_crowd(&options, &machine);
	printf("%d failures\n", failures);
	return failures > 0;
}
