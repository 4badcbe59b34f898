/* transfer_bench.c - the library's copies between a program's memory and the rings, measured */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/common/spawn.h"
#include "bench/engine/transfer_copy.h"
#include "bench/engine/transfer_operand.h"
#include "shim/execute/gpu/copy/copiers.h"

enum { ROUNDS = 7, MALLOC_OFFSET_BYTES = 16, SEGMENTS = 16, MEBIBYTES_MIN = 64 };

static const uint64_t mebibyte = UINT64_C(1) << 20;

static const struct pack_rule beta_one = {.element = ELEMENT_D, .beta = {1, 0}};
static const struct pack_rule beta_half = {.element = ELEMENT_D, .beta = {0.5, 0}};
static const struct pack_rule beta_complex = {.element = ELEMENT_Z, .beta = {0.5, -0.25}};

/*
 * A row of the table: ours and the others, from memcpy to last. column_bytes, gap_bytes: the
 * columns of a panel of a matrix with a larger leading dimension; 0: one run. The others copy the
 * same panel, or with against_run one run. bar: the least ratio of ours to the best of the others;
 * 0: none. operands: the engine's flows copy the run as so many operands, one call each.
 */
static const struct line {
	const char *name;
	enum staging_way way;
	uint64_t offset_bytes, column_bytes, gap_bytes;
	bool against_run;
	const struct pack_rule *rule;
	double bar;
	enum transfer_who last;
	uint64_t operands;
} lines[] = {
	{"up, one run on a page boundary", STAGING_UP, 0, 0, 0, false, NULL, 0.9, TRANSFER_VECTOR,
         0},
	{"up, one run as malloc places it", STAGING_UP, MALLOC_OFFSET_BYTES, 0, 0, false, NULL, 0.9,
         TRANSFER_VECTOR, 0},
	{"up, columns of 8 KiB, against one run", STAGING_UP, 0, 8192, 8256, true, NULL, 0.7,
         TRANSFER_VECTOR, 0},
	{"up, columns of 64 KiB, against one run", STAGING_UP, 0, 65536, 65600, true, NULL, 0.7,
         TRANSFER_VECTOR, 0},
	{"up, columns of 1 KiB", STAGING_UP, 0, 1024, 1088, false, NULL, 0, TRANSFER_VECTOR, 0},
	{"back, one run", STAGING_DOWN, MALLOC_OFFSET_BYTES, 0, 0, false, NULL, 1.25,
         TRANSFER_MEMCPY, 0},
	{"up, one operand, engine", STAGING_UP, MALLOC_OFFSET_BYTES, 0, 0, false, NULL, 0,
         TRANSFER_VECTOR, 1},
	{"up, 16 operands, engine", STAGING_UP, MALLOC_OFFSET_BYTES, 0, 0, false, NULL, 0,
         TRANSFER_VECTOR, 16},
	{"back, one operand, engine", STAGING_DOWN, MALLOC_OFFSET_BYTES, 0, 0, false, NULL, 0,
         TRANSFER_MEMCPY, 1},
	{"back, 16 operands, engine", STAGING_DOWN, MALLOC_OFFSET_BYTES, 0, 0, false, NULL, 0,
         TRANSFER_MEMCPY, 16},
	{"back, columns of 8 KiB", STAGING_DOWN, 0, 8192, 8256, false, NULL, 0, TRANSFER_MEMCPY, 0},
	{"back, columns of 64 KiB", STAGING_DOWN, 0, 65536, 65600, false, NULL, 0, TRANSFER_MEMCPY,
         0},
	{"back, C := z + C (d)", STAGING_DOWN, MALLOC_OFFSET_BYTES, 0, 0, false, &beta_one, 0,
         TRANSFER_MEMCPY, 0},
	{"back, C := z + 0.5 C (d)", STAGING_DOWN, MALLOC_OFFSET_BYTES, 0, 0, false, &beta_half, 0,
         TRANSFER_MEMCPY, 0},
	{"back, C := z + beta C (z)", STAGING_DOWN, MALLOC_OFFSET_BYTES, 0, 0, false, &beta_complex,
         0, TRANSFER_MEMCPY, 0},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static char *user;
static uint64_t user_bytes;
static struct staging staging;

/* Memory for the rings as CUDA would give it: present and locked pages. */
static int transfer_bench_host_alloc(void **pointer, size_t size_bytes, unsigned flags)
{
	(void)flags;
	*pointer =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (*pointer == MAP_FAILED)
		return CUDA_ERROR_MEMORY_ALLOCATION;
	memset(*pointer, 1, size_bytes);
	if (mlock(*pointer, size_bytes) != 0)
		printf("the rings are not locked (ulimit -l)\n");
	return CUDA_SUCCESS;
}

static int transfer_bench_get_last_error(void)
{
	return CUDA_SUCCESS;
}

/* The row's area in one of the segments of user memory. */
static struct pack_area transfer_bench_lay_out(const struct line *line, bool one_run, int segment)
{
	const uint64_t segment_bytes = user_bytes / SEGMENTS,
		       pitch_bytes = line->column_bytes + line->gap_bytes;
	char *host = user + (uint64_t)segment * segment_bytes + line->offset_bytes;
	if (one_run || line->column_bytes == 0)
		return (struct pack_area){host, segment_bytes - line->offset_bytes, 1,
		                          segment_bytes};
	return (struct pack_area){host, line->column_bytes, segment_bytes / pitch_bytes,
	                          pitch_bytes};
}

/* The bytes that were copied, and the time. */
struct score {
	double size_bytes, time_ns;
};

/* The engine takes staging itself. */
static double transfer_bench_run_engine(const struct line *line, const struct pack_area *area)
{
	staging_give(&staging, true);
	const double time_ns = transfer_operand_run(line->way, area->host, area->run_bytes,
	                                            area->run_bytes / line->operands + 1);
	if (staging_take(&staging) != REASON_NONE)
		exit(1);
	return time_ns;
}

static void transfer_bench_measure(const struct line *line, enum transfer_who who, int segment,
                                   int threads, struct score *score)
{
	const bool one_run = line->against_run && who != TRANSFER_OURS;
	const struct transfer transfer = {
		who, line->way, transfer_bench_lay_out(line, one_run, segment), line->rule};
	score->size_bytes += (double)(transfer.area.run_bytes * transfer.area.count);
	score->time_ns += who == TRANSFER_OURS && line->operands > 0
	                          ? transfer_bench_run_engine(line, &transfer.area)
	                          : transfer_copy_run(&transfer, &staging, threads);
}

/*
 * Each kind copies all of user memory, segment by segment, and the kinds take turns, so that
 * disturbances of the machine affect all alike. Each begins at another segment, so that none finds
 * in the cache what the one before has read.
 */
static void transfer_bench_run_round(const struct line *line, int threads,
                                     double rate[TRANSFER_KINDS])
{
	struct score score[TRANSFER_KINDS] = {{0, 0}};
	for (int segment = 0; segment < SEGMENTS; segment++)
		for (int who = TRANSFER_OURS; who <= (int)line->last; who++)
			if (transfer_copy_has((enum transfer_who)who))
				transfer_bench_measure(line, (enum transfer_who)who,
				                       (segment + who * SEGMENTS / TRANSFER_KINDS) %
				                               SEGMENTS,
				                       threads, &score[who]);
	for (int who = TRANSFER_OURS; who <= (int)line->last; who++)
		rate[who] = score[who].time_ns > 0 ? score[who].size_bytes / score[who].time_ns : 0;
}

/* GB/s of each kind in each round, and the ratio of ours to the other kind with the best median. */
struct result {
	double rate[ROUNDS][TRANSFER_KINDS];
	struct spread rates[TRANSFER_KINDS], ratio;
	enum transfer_who best;
};

static void transfer_bench_run_line(const struct line *line, int threads, struct result *result)
{
	double sorted[ROUNDS];
	memset(result, 0, sizeof *result);
	for (int round = 0; round < ROUNDS; round++)
		transfer_bench_run_round(line, threads, result->rate[round]);
	result->best = TRANSFER_MEMCPY;
	for (int who = TRANSFER_OURS; who <= (int)line->last; who++) {
		for (int round = 0; round < ROUNDS; round++)
			sorted[round] = result->rate[round][who];
		result->rates[who] = spread_of(sorted, ROUNDS);
		if (who != TRANSFER_OURS &&
		    result->rates[who].median > result->rates[result->best].median)
			result->best = (enum transfer_who)who;
	}
	for (int round = 0; round < ROUNDS; round++)
		sorted[round] =
			result->rate[round][TRANSFER_OURS] / result->rate[round][result->best];
	result->ratio = spread_of(sorted, ROUNDS);
}

/* Returns whether the bar holds. */
static bool transfer_bench_print_line(const struct line *line, const struct result *result)
{
	const struct spread *ours = &result->rates[TRANSFER_OURS], *ratio = &result->ratio;
	const bool holds = line->bar == 0 || ratio->median >= line->bar;
	printf("%-40s %5.1f [%.1f..%.1f]  ", line->name, ours->median, ours->least, ours->most);
	for (int who = TRANSFER_OURS + 1; who < TRANSFER_KINDS; who++)
		if (result->rates[who].median > 0)
			printf("%s %.1f  ", transfer_copy_name((enum transfer_who)who),
			       result->rates[who].median);
	printf("%.2f [%.2f..%.2f]", ratio->median, ratio->least, ratio->most);
	if (line->bar > 0)
		printf(" of %s, at least %.2f: %s", transfer_copy_name(result->best), line->bar,
		       holds ? "PASS" : "FAIL");
	printf("\n");
	fflush(stdout);
	return holds;
}

static bool transfer_bench_open_memory(uint64_t size_bytes)
{
	static const struct cuda_api api = {.host_alloc = transfer_bench_host_alloc,
	                                    .get_last_error = transfer_bench_get_last_error};
	staging_configure(&api, 0);
	user_bytes = size_bytes;
	user = mmap(NULL, user_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (user == MAP_FAILED || staging_take(&staging) != REASON_NONE)
		return false;
	memset(user, 0, user_bytes);
	return true;
}

/* The arguments. */
struct transfer_arguments {
	bool check;
	uint64_t mebibytes;
};

static bool transfer_bench_parse(int argc, char **argv, struct transfer_arguments *arguments)
{
	for (int i = 1; i < argc; i++) {
		const long value = i + 1 < argc ? strtol(argv[i + 1], NULL, 10) : 0;
		if (strcmp(argv[i], "--check") == 0) {
			arguments->check = true;
			continue;
		}
		if (strcmp(argv[i], "--threads") == 0 && value > 0)
			copiers_set_count((int)value);
		else if (strcmp(argv[i], "--mebibytes") == 0 && value >= MEBIBYTES_MIN)
			arguments->mebibytes = (uint64_t)value;
		else
			return false;
		i++;
	}
	return true;
}

static bool transfer_bench_run_all(uint64_t mebibytes)
{
	static struct result result;
	const int threads = copiers_count();
	bool holds = true;
	printf("%d threads, %lu chunks of %lu KiB each way, %lu MiB of user memory: GB/s, "
	       "medians of %d rounds "
	       "[least..most], and the ratio to the best of the others\n",
	       threads, (unsigned long)(staging.size_bytes[STAGING_UP] / staging_chunk_bytes()),
	       (unsigned long)(staging_chunk_bytes() >> 10), (unsigned long)mebibytes, ROUNDS);
	for (int i = 0; i < LINES; i++) {
		transfer_bench_run_line(&lines[i], threads, &result);
		holds = transfer_bench_print_line(&lines[i], &result) && holds;
	}
	return holds;
}

int main(int argc, char **argv)
{
	struct transfer_arguments arguments = {.mebibytes = 1024};
	copiers_configure(-1);
	if (!transfer_bench_parse(argc, argv, &arguments)) {
		fprintf(stderr, "usage: transfer [--check] [--threads COUNT] [--mebibytes COUNT]\n"
		                "    --check: exit status 1 where a bar does not hold\n");
		return 2;
	}
	if (!transfer_bench_open_memory(arguments.mebibytes * mebibyte)) {
		fprintf(stderr, "transfer: no memory to measure with\n");
		return 1;
	}
	return transfer_bench_run_all(arguments.mebibytes) || !arguments.check ? 0 : 1;
}
