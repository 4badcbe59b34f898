/* residency_bench.c - programs that use operands again: virtual clocks, real time of tracking */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/common/spawn.h"
#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/resident/resident.h"
#include "shim/execute/gpu/watch/watch.h"
#include "tests/schedule/residency/residency_programs.h"
#include "tests/schedule/schedule_copiers.h"
#include "tests/schedule/schedule_run.h"

/*
 * usage: residency [old] [track] [NUMBER]
 *
 * old: in a process of ten seconds, where page faults may take a tenth of a second; else of none.
 * NUMBER: of the only program to run, from 1. SIMCUDA_TRACE=FILE in the environment keeps the
 * operations of the calls (tests/simcuda/README.md).
 *
 * A program is a list of calls, between which it writes some of its operands. Its time is the
 * virtual time of all calls. In it the tracking takes as long as it takes here, in the thread of
 * the call and where it is done: arming, scanning, samples. What this thread's processor does
 * counts, not what other programs do meanwhile. Where the program has page faults as it writes its
 * operands, what its writing takes longer than without tracking is added. Its bound is that of the
 * bytes that the program has written since, see residency_bound.h.
 */

static struct schedule_run run;
static struct schedule_clock speed;
static bool failed;

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* -- real time of the tracking ----------------------------------------------------------------- */

static int64_t tracking_ns, clock_ns;

static int64_t begin_tracking(void)
{
	return now_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* What the clock itself takes, at least. */
static void measure_clock(void)
{
	enum { TRIALS = 1000 };
	clock_ns = INT64_MAX;
	for (int i = 0; i < TRIALS; i++) {
		const int64_t begin_ns = begin_tracking();
		const int64_t took_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
		clock_ns = took_ns < clock_ns ? took_ns : clock_ns;
	}
}

/* A copy thread that asks takes its own time: schedule_copiers.c. No time would be a wait there. */
static void end_tracking(int64_t begin_ns)
{
	const int64_t since_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	const int64_t took_ns = since_ns > clock_ns ? since_ns - clock_ns : 0;
	tracking_ns += took_ns;
	if (took_ns > 0 && !schedule_copiers_is_asking())
		schedule_copiers_work((double)took_ns);
}

#define TIMED(result, name, parameters, arguments)                                                 \
	result __real_##name parameters;                                                           \
	result __wrap_##name parameters;                                                           \
	result __wrap_##name parameters                                                            \
	{                                                                                          \
		const int64_t begin_ns = begin_tracking();                                         \
		result value = __real_##name arguments;                                            \
		end_tracking(begin_ns);                                                            \
		return value;                                                                      \
	}
#define TIMED_VOID(name, parameters, arguments)                                                    \
	void __real_##name parameters;                                                             \
	void __wrap_##name parameters;                                                             \
	void __wrap_##name parameters                                                              \
	{                                                                                          \
		const int64_t begin_ns = begin_tracking();                                         \
		__real_##name arguments;                                                           \
		end_tracking(begin_ns);                                                            \
	}
TIMED_VOID(resident_begin, (struct resident_call * call), (call))
TIMED(struct resident_operand *, resident_plan,
      (struct resident_call * call, const struct host_view *view, enum resident_access access),
      (call, view, access))
TIMED(enum resident_proof, resident_prove, (struct resident_operand * operand), (operand))
TIMED(enum resident_proof, resident_prove_begin,
      (struct resident_operand * operand, struct resident_question question[], int *count),
      (operand, question, count))
TIMED(enum resident_proof, resident_prove_end,
      (struct resident_operand * operand, struct resident_question question[], int count),
      (operand, question, count))
TIMED_VOID(resident_ask, (struct resident_question * question), (question))
TIMED_VOID(resident_arm, (struct resident_operand * operand, uintptr_t stored_end),
           (operand, stored_end))
TIMED_VOID(resident_sent_all, (struct resident_operand * operand), (operand))
TIMED_VOID(resident_end, (struct resident_call * call), (call))

/* -- ways -------------------------------------------------------------------------------------- */

enum tracking_way { TRACKING_OFF, TRACKING_AUTO, TRACKING_AT_ONCE, TRACKING_WAYS };
static const char *const way_name[TRACKING_WAYS] = {"off", "auto", "track"};

struct tracking_outcome {
	struct residency_account account;
	double tracking_ns;
	struct resident_stats stats;
};

/* Once in a process, beside the start of CUDA, so that it is no part of a program's time here. */
enum { OPENINGS = 256 };
static int64_t opening_ns[OPENINGS];
static int openings;

static int64_t age_ns;

static void open_tracking(enum tracking_way way)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .age_ns = age_ns,
	                                           .tracks_at_once = way == TRACKING_AT_ONCE,
	                                           .begin_watch = watch_begin};
	const char *fault;
	const int64_t begin_ns = now_ns(CLOCK_MONOTONIC);
	if (resident_open(&settings, &fault) != TRACK_REASON_NONE) {
		printf("residency: skipped, %s\n", track_reason_sentence(resident_reason()));
		exit(77);
	}
	if (openings < OPENINGS)
		opening_ns[openings++] = now_ns(CLOCK_MONOTONIC) - begin_ns;
}

static int compare_times(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void print_openings(void)
{
	qsort(opening_ns, (size_t)openings, sizeof *opening_ns, compare_times);
	printf("opening the tracking, with its test: %.2f ms (%.2f to %.2f), beside CUDA's start\n",
	       (double)opening_ns[openings / 2] / 1e6, (double)opening_ns[0] / 1e6,
	       (double)opening_ns[openings - 1] / 1e6);
}

static void run_program(const struct residency_program *program, enum tracking_way way,
                        struct tracking_outcome *outcome)
{
	if (way != TRACKING_OFF)
		open_tracking(way);
	tracking_ns = 0;
	outcome->account = residency_programs_run(program);
	outcome->tracking_ns = (double)tracking_ns;
	outcome->stats = resident_stats_get();
	failed = failed || outcome->account.failed;
	resident_close();
}

/* What page faults have made the program's own stores take longer. */
static double find_faults_ns(const struct tracking_outcome *one,
                             const struct residency_account *off)
{
	const double longer_ns = one->account.rewriting_ns - off->rewriting_ns;
	return one->account.rewriting_faults > 0 && longer_ns > 0 ? longer_ns : 0;
}

static double find_time_ns(const struct tracking_outcome *one, const struct residency_account *off)
{
	return one->account.virtual_ns + find_faults_ns(one, off);
}

/* The row is that of the round in the middle; beside it the rounds with the least and most time. */
static void print_row(const char *name, enum tracking_way way,
                      const struct tracking_outcome round[], int rounds,
                      const struct residency_account *off)
{
	const struct tracking_outcome *one = &round[rounds / 2], *last = &round[rounds - 1];
	const struct residency_account *account = &one->account;
	const double time_ns = find_time_ns(one, off);
	printf("%-36s %-5s %8.2f %8.2f %8.2f %7.3f %7.3f %7.3f %8.1f %8.1f", name, way_name[way],
	       account->virtual_ns / 1e6, one->tracking_ns / 1e6, find_faults_ns(one, off) / 1e6,
	       time_ns / account->bytes_bound_ns, time_ns / account->bound_ns,
	       time_ns / off->virtual_ns, (double)one->stats.asked_bytes / 1e6,
	       (double)one->stats.sent_bytes / 1e6);
	if (rounds > 1)
		printf("  %.3f to %.3f", find_time_ns(round, off) / account->bound_ns,
		       find_time_ns(last, off) / account->bound_ns);
	printf("\n");
}

static void sort_rounds(struct tracking_outcome round[], int rounds,
                        const struct residency_account *off)
{
	for (int i = 1; i < rounds; i++)
		for (int j = i;
		     j > 0 && find_time_ns(&round[j], off) < find_time_ns(&round[j - 1], off);
		     j--) {
			const struct tracking_outcome later = round[j];
			round[j] = round[j - 1];
			round[j - 1] = later;
		}
}

/* Without tracking the virtual time is always the same. */
enum { ROUNDS = 5 };

/* Without tracking first, for the comparison. */
static void run_ways(const struct residency_program *program, bool large, int ways)
{
	struct tracking_outcome round[ROUNDS];
	struct residency_account off = {0};
	for (int way = TRACKING_OFF; way < ways; way++) {
		const int rounds = way == TRACKING_OFF ? 1 : ROUNDS;
		for (int i = 0; i < rounds; i++) {
			residency_programs_prepare(large);
			run_program(program, (enum tracking_way)way, &round[i]);
		}
		if (way == TRACKING_OFF)
			off = round[0].account;
		sort_rounds(round, rounds, &off);
		print_row(program->name, (enum tracking_way)way, round, rounds, &off);
		fflush(stdout);
	}
}

/* only: 0, or the number of the only program. */
static void run_all(bool large, int only, int ways)
{
	const struct residency_program *program;
	printf("%s pages\n", large ? "large" : "small");
	for (int i = 0; (program = residency_programs_find((size_t)i)) != NULL; i++)
		if (only == 0 || only == i + 1)
			run_ways(program, large, ways);
}

/* Of the host; as many copy as by default. */
enum { HOST_CORES = 16 };

static bool start(void)
{
	const struct schedule_call wanted = {.routine = "gemm",
	                                     .element = "D",
	                                     .m = 8,
	                                     .n = 8,
	                                     .k = 8,
	                                     .threads = copiers_count_choose(HOST_CORES),
	                                     .cores = HOST_CORES,
	                                     .copy_gbytes_s = 10};
	char clock_path[4096], cuda_path[4096];
	snprintf(clock_path, sizeof clock_path, "%s", spawn_beside("simcuda/h200.clock", true));
	snprintf(cuda_path, sizeof cuda_path, "%s", spawn_beside("simcuda/13", true));
	setenv("SIMCUDA_CLOCK", clock_path, 1);
	setenv("SIMCUDA_DRY", "1", 1);
	measure_clock();
	return schedule_clock_read(clock_path, &speed) &&
	       schedule_run_start(&run, &wanted, cuda_path, &speed) &&
	       residency_programs_start(run.device, &speed);
}

int main(int count, char **word)
{
	const bool is_old = count > 1 && strcmp(word[1], "old") == 0;
	const int next = 1 + is_old;
	const bool tracks_all = count > next && strcmp(word[next], "track") == 0;
	const int only = count > next + tracks_all ? atoi(word[next + tracks_all]) : 0,
		  ways = tracks_all ? TRACKING_WAYS : TRACKING_AT_ONCE;
	age_ns = is_old ? INT64_C(10000000000) : 0;
	if (!start())
		return 1;
	printf("virtual clocks, no speed of anything; tracking and faults take real time here\n"
	       "time: of the calls, with tracking; /bytes, /bound: time and faults by the bound of\n"
	       "the bytes, and by that of panels in whole waves of tiles; the median of %d rounds\n",
	       ROUNDS);
	printf("%-36s %-5s %8s %8s %8s %7s %7s %7s %8s %8s  %s\n", "program", "mode", "time ms",
	       "track ms", "fault ms", "/bytes", "/bound", "/off", "MB read", "MB sent",
	       "/bound of all");
	run_all(false, only, ways);
	run_all(true, only, ways);
	print_openings();
	return failed;
}
