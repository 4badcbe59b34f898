/* gpu_sweep_test.c - every CUDA call of an offloaded call fails in turn, and operations hang */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_sweep.h"
#include "shim/execute/gpu/device/lanes.h"

/* usage: gpu_sweep_test [whole [CASE]] */

enum { BREAKER_FAILURES = 3, SAMPLE_CASES = 6, WORKERS_MAX = 16, LANE_STREAMS = 3 };

/*
 * ONCE: this use fails. STICKY: it fails and the context is lost. ON: this use and all later ones
 * fail. BLIND: this use fails, and queries whether streams have finished fail too. HANG: this
 * operation never ends. SILENCE: neither this nor any later operation ends.
 */
enum fault_kind {
	FAULT_ONCE,
	FAULT_STICKY,
	FAULT_ON,
	FAULT_BLIND,
	FAULT_HANG,
	FAULT_SILENCE,
	FAULT_KINDS
};

struct fault {
	const struct sweep_case *wanted;
	/* reports without a fault: in real time, and in virtual time */
	const struct sweep_report *usual, *clocked;
	enum fault_kind kind;
	int function;
	unsigned long use;
	char fail[128];
};

/* Totals of the whole sweep, of all workers. */
static struct sweep_tally {
	atomic_ulong faults, came_back, finished, lanes_lost, harmless;
} * tally;

/* Conditions that must hold */

#define EXPECT_FAULT(condition, format, ...)                                                       \
	EXPECT(condition, "%s, %s: " format, fault->wanted->name, fault->fail, __VA_ARGS__)

static bool is_device(int function)
{
	return function >= sweep_function_count - 2;
}

static bool is_of_cudart(int function)
{
	return strncmp(sweep_functions[function], "cuda", 4) == 0;
}

/*
 * All messages but one: the children have no CPU library, and report that when they first need one.
 */
static int count_messages(const struct sweep_report *report)
{
	static const char mark[] = "gpushim: warn: ", known[] = "no CPU library";
	int count = 0;
	for (const char *found = report->errors; (found = strstr(found, mark)) != NULL;) {
		found += strlen(mark);
		count += strncmp(found, known, strlen(known)) != 0;
	}
	return count;
}

/*
 * A call that came back unfinished must have left every byte unchanged. All others must have their
 * result.
 */
static void judge_calls(const struct fault *fault, const struct sweep_report *report)
{
	for (int i = 0; i < report->calls; i++) {
		const enum reason reason = report->call[i].reason;
		const bool finished = report->call[i].finished;
		EXPECT_FAULT(reason == REASON_NONE || reason_outcome(reason) == OUTCOME_BACK,
		             "call %d: %s", i, reason_name(reason));
		EXPECT_FAULT(finished || reason != REASON_NONE,
		             "call %d is not done, without a reason", i);
		EXPECT_FAULT(report->call[i].verdict == (finished ? SWEEP_RIGHT : SWEEP_UNTOUCHED),
		             "call %d: memory is wrong; %s, finished %d", i, reason_name(reason),
		             (int)finished);
		tally->came_back += reason != REASON_NONE;
		tally->finished += reason != REASON_NONE && finished;
	}
	EXPECT_FAULT(report->calls > 0, "%s", "no call was made");
}

/* Only three failures in a row, a lost context or a silent device open the breaker. */
static void judge_breaker(const struct fault *fault, const struct sweep_report *report)
{
	int failures = 0;
	bool opens = report->lost;
	for (int i = 0; i < report->calls; i++) {
		const enum reason reason = report->call[i].reason;
		const bool counts = reason != REASON_NONE && reason != REASON_DEVICE_MEMORY &&
		                    reason != REASON_HOST_MEMORY &&
		                    reason != REASON_FUNCTION_MISSING;
		failures = reason == REASON_NONE ? 0 : failures + counts;
		opens = opens || failures == BREAKER_FAILURES || reason == REASON_DEVICE_SILENT;
	}
	EXPECT_FAULT((report->gpu == GPU_OFF) == opens, "state %d after %d calls, context lost %d",
	             (int)report->gpu, report->calls, (int)report->lost);
	EXPECT_FAULT(report->gpu == GPU_OFF ? report->off_reason == REASON_BREAKER_OPEN
	                                    : report->gpu == GPU_READY,
	             "state %d, %s", (int)report->gpu, reason_name(report->off_reason));
	EXPECT_FAULT(count_messages(report) == (report->gpu == GPU_OFF), "messages: %s",
	             report->errors);
}

/* A lane is given up where it is unknown whether its streams have finished. */
static bool may_cost_lane(const struct fault *fault)
{
	return fault->kind == FAULT_ON || fault->kind == FAULT_BLIND ||
	       strcmp(sweep_functions[fault->function], "cudaStreamSynchronize") == 0;
}

/* The number of lanes made in place of those given up. */
static unsigned long count_new_lanes(const struct fault *fault, const struct sweep_report *report)
{
	return (report->alive[SWEEP_STREAMS] - fault->usual->alive[SWEEP_STREAMS]) / LANE_STREAMS;
}

/*
 * Nothing may be left behind except the objects of a lane that was given up, and no lane is given
 * up without need. Events are made when needed. If the last call came back, its lane's memory may
 * be lost without a new lane that shows it.
 */
static void judge_things(const struct fault *fault, const struct sweep_report *report)
{
	const struct sweep_report *usual = fault->usual;
	const unsigned long fresh = count_new_lanes(fault, report);
	const bool trimmed =
		report->gpu == GPU_READY && report->call[report->calls - 1].reason == REASON_NONE;
	for (int i = 0; i < SWEEP_THINGS; i++) {
		const unsigned long alive = report->alive[i],
				    blocks = i == SWEEP_MEMORY ? LANES_BLOCKS : 0;
		const unsigned long most = usual->alive[i] * (1 + fresh) + fresh * blocks;
		if (i == SWEEP_EVENTS)
			EXPECT_FAULT(alive <= (1 + fresh) * LANE_EVENTS * LANE_EVENT_KINDS,
			             "%lu events", alive);
		else if (trimmed && fault->kind == FAULT_ONCE && fresh == 0)
			EXPECT_FAULT(alive == usual->alive[i], "%s: %lu alive, not %lu",
			             sweep_things[i], alive, usual->alive[i]);
		else if (trimmed || i != SWEEP_MEMORY)
			EXPECT_FAULT(alive <= most, "%s: %lu alive, not %lu", sweep_things[i],
			             alive, most);
	}
	EXPECT_FAULT(fresh == 0 || may_cost_lane(fault) || report->gpu == GPU_OFF, "%lu new lanes",
	             fresh);
	tally->lanes_lost += fresh;
}

/*
 * A call that succeeds in the end leaves the same memory as without a failure. A plan's memory is
 * counted if CUDA reports it.
 */
static void judge_memory(const struct fault *fault, const struct sweep_report *report)
{
	const struct sweep_report *usual = fault->usual;
	EXPECT_FAULT(report->held_bytes == usual->held_bytes, "%llu bytes held, not %llu",
	             (unsigned long long)report->held_bytes, (unsigned long long)usual->held_bytes);
	EXPECT_FAULT(report->available_bytes == usual->available_bytes ||
	                     strcmp(sweep_functions[fault->function], "cudaMemGetInfo") == 0,
	             "%llu bytes to be had, not %llu", (unsigned long long)report->available_bytes,
	             (unsigned long long)usual->available_bytes);
	EXPECT_FAULT(report->staging_bytes == usual->staging_bytes,
	             "%llu bytes of staging, not %llu", (unsigned long long)report->staging_bytes,
	             (unsigned long long)usual->staging_bytes);
}

static bool is_hang(enum fault_kind kind)
{
	return kind == FAULT_HANG || kind == FAULT_SILENCE;
}

/* Memory that the device may still use is given up. */
static void judge_given_up(const struct fault *fault, const struct sweep_report *report)
{
	EXPECT_FAULT(report->staging_bytes == 0, "%llu bytes of staging are given out again",
	             (unsigned long long)report->staging_bytes);
	EXPECT_FAULT(report->available_bytes < fault->usual->available_bytes,
	             "%llu bytes are given out again", (unsigned long long)report->available_bytes);
}

static void judge_kind(const struct fault *fault, const struct sweep_report *report)
{
	if (fault->kind == FAULT_ONCE) {
		if (!may_cost_lane(fault))
			judge_memory(fault, report);
		EXPECT_FAULT(report->calls == 2 && report->call[1].reason == REASON_NONE,
		             "the next call: %s", reason_name(report->call[1].reason));
	}
	if (fault->kind == FAULT_STICKY)
		EXPECT_FAULT(report->gpu == GPU_OFF && report->lost, "state %d", (int)report->gpu);
	if (is_hang(fault->kind))
		EXPECT_FAULT(report->calls == 1 && report->call[0].reason == REASON_DEVICE_SILENT,
		             "%d calls, %s", report->calls, reason_name(report->call[0].reason));
	if (is_hang(fault->kind) || fault->kind == FAULT_BLIND)
		judge_given_up(fault, report);
}

/*
 * Where the query itself fails the pending error is unknown. Where the device cannot be set, the
 * shim's device may stay current.
 */
static void judge(const struct fault *fault, const struct sweep_report *report)
{
	const char *function = sweep_functions[fault->function];
	const bool tells = fault->kind != FAULT_ON || strcmp(function, "cudaPeekAtLastError") != 0;
	const bool sets = strcmp(function, "cudaSetDevice") != 0;
	EXPECT_FAULT(report->ended && report->status == 0, "the child ended with %x: %s",
	             (unsigned)report->status, report->errors);
	if (!report->ended)
		return;
	EXPECT_FAULT(report->uses[fault->function] >= fault->use, "use %lu of %lu",
	             report->uses[fault->function], fault->use);
	judge_calls(fault, report);
	judge_breaker(fault, report);
	judge_things(fault, report);
	judge_kind(fault, report);
	EXPECT_FAULT(report->device == fault->usual->device || !sets, "device %d is current",
	             report->device);
	EXPECT_FAULT(report->error == 0 || report->lost || !tells, "CUDA error %d is pending",
	             report->error);
	tally->harmless += report->call[0].reason == REASON_NONE;
}

/* The sweep */

/*
 * An operation that fails on a device is fatal. Events are recorded on all streams, after each of
 * their operations.
 */
static bool applies(enum fault_kind kind, int function)
{
	switch (kind) {
	case FAULT_ONCE:
	case FAULT_ON: return !is_device(function);
	case FAULT_STICKY: return is_device(function) || is_of_cudart(function);
	case FAULT_BLIND: return strcmp(sweep_functions[function], "cudaEventRecord") == 0;
	default: return is_device(function);
	}
}

static void run_fault(struct fault *fault, struct sweep_problem *problem)
{
	static const char *const suffix[FAULT_KINDS] = {
		"", ":700", "+", ",cudaStreamQuery:1+", ":hang", "+:hang"};
	const bool lasts = fault->kind == FAULT_ON || fault->kind == FAULT_BLIND;
	struct sweep_report report;
	snprintf(fault->fail, sizeof fault->fail, "%s:%lu%s", sweep_functions[fault->function],
	         fault->use, suffix[fault->kind]);
	sweep_child_run(fault->wanted, problem, fault->fail, is_hang(fault->kind),
	                lasts ? SWEEP_CALLS : 2, &report);
	tally->faults++;
	judge(fault, &report);
}

/* A worker takes one of every `count` faults. */
struct worker {
	int place, count;
	unsigned long next;
};

/*
 * Injects each kind of fault at every use of the function in the first call. A sample has one use
 * for each kind of fault, spread over the uses.
 */
static void sweep_function(struct worker *worker, struct fault *fault,
                           struct sweep_problem *problem, bool whole)
{
	for (int kind = 0; kind < FAULT_KINDS; kind++) {
		fault->kind = (enum fault_kind)kind;
		const struct sweep_report *usual =
			is_hang(fault->kind) ? fault->clocked : fault->usual;
		const unsigned long begin = usual->begin[fault->function],
				    end = usual->end[fault->function];
		if (begin == end || !applies(fault->kind, fault->function))
			continue;
		const unsigned long chosen = begin + 1 + (unsigned long)rand() % (end - begin);
		for (fault->use = whole ? begin + 1 : chosen; fault->use <= (whole ? end : chosen);
		     fault->use++)
			if (worker->next++ % (unsigned long)worker->count ==
			    (unsigned long)worker->place)
				run_fault(fault, problem);
	}
}

/* In a child process. */
static int sweep_as(struct worker worker, struct fault *fault, struct sweep_problem *problem,
                    bool whole)
{
	char name[128];
	for (fault->function = 0; fault->function < sweep_function_count; fault->function++)
		sweep_function(&worker, fault, problem, whole);
	snprintf(name, sizeof name, "%s, worker %d of %d", fault->wanted->name, worker.place + 1,
	         worker.count);
	return gpu_check_end(name);
}

static int count_workers(void)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return processors < 1 ? 1 : processors > WORKERS_MAX ? WORKERS_MAX : (int)processors;
}

static void sweep_faults(struct fault *fault, struct sweep_problem *problem, bool whole)
{
	const int count = count_workers();
	fflush(NULL);
	for (int i = 0; i < count; i++)
		if (fork() == 0)
			exit(sweep_as((struct worker){i, count, 0}, fault, problem, whole));
	for (int i = 0; i < count; i++) {
		int status = 1;
		wait(&status);
		EXPECT(status == 0, "%s: a worker ended with %x", fault->wanted->name,
		       (unsigned)status);
	}
}

static void sweep_case_all(const struct sweep_case *wanted, bool whole)
{
	struct sweep_problem problem = sweep_problem_make(wanted);
	struct sweep_report usual, clocked;
	const unsigned long faults = tally->faults;
	struct fault fault = {.wanted = wanted,
	                      .usual = &usual,
	                      .clocked = &clocked,
	                      .function = sweep_function_count - 1,
	                      .fail = "no fault"};
	sweep_child_run(wanted, &problem, NULL, false, 2, &usual);
	judge(&fault, &usual);
	sweep_child_run(wanted, &problem, NULL, true, 2, &clocked);
	judge(&fault, &clocked);
	sweep_faults(&fault, &problem, whole);
	printf("%s: %lu faults\n", wanted->name, tally->faults - faults);
	sweep_problem_free(&problem);
}

int main(int argc, char **argv)
{
	const bool whole = argc > 1 && strcmp(argv[1], "whole") == 0;
	if (getenv("EPOCHLY_GPU_CUDA_PATH") == NULL) {
		printf("skipped: faults need a simulated CUDA in EPOCHLY_GPU_CUDA_PATH\n");
		return GPU_CHECK_SKIPPED;
	}
	tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
	             0);
	if (tally == MAP_FAILED)
		return 1;
	for (int i = 0; i < sweep_case_count; i++)
		if (argc > 2 ? strstr(sweep_cases[i].name, argv[2]) != NULL
		             : whole || i < SAMPLE_CASES)
			sweep_case_all(&sweep_cases[i], whole);
	printf("%lu faults: %lu calls came back, %lu of them finished after a part, "
	       "%lu did no harm, %lu lanes lost\n",
	       tally->faults, tally->came_back, tally->finished, tally->harmless,
	       tally->lanes_lost);
	EXPECT(argc > 2 || tally->finished > 0,
	       "no call of %lu was finished by the CPU after a part was there", tally->came_back);
	return gpu_check_end("gpu_sweep");
}
