/* gpu_share_once_test.c - one call is shared at a time; who copies meanwhile, and otherwise */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_scenarios.h"
#include "shim/base/observe.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/copy/copiers_count.h"
#include "shim/execute/gpu/engine/staging.h"
#include "shim/execute/gpu/node/processors.h"

enum {
	RING_BYTES = 64 << 10,
	MANY_RING_BYTES = 4 << 20,
	MANY_ROUNDS = 40,
	SHORT_BYTES = 32 << 10,
	ORDER = 400,
	CALLS = 10,
	COPIERS = 4,
	PATIENCE_S = 60
};

/* -- calls -- */

enum kind { KIND_BLAS, KIND_FFT, KINDS };

static const char *const kind_names[] = {"a product", "a batch of transforms"};

/* The CPU's part of the calling thread's call; a wrong result fails. */
static double run_kind(enum kind kind, int device)
{
	static const struct gpu_check_blas product = {.family = FAMILY_GEMM,
	                                              .element = ELEMENT_D,
	                                              .m = 180,
	                                              .n = 260,
	                                              .k = 140,
	                                              .alpha = 1.25,
	                                              .beta = 0.5};
	static const struct gpu_check_fft transforms = {.family = FAMILY_FFT_C2C,
	                                                .element = ELEMENT_Z,
	                                                .rank = 1,
	                                                .n = {96},
	                                                .howmany = 211,
	                                                .sign = -1};
	const enum reason reason = kind == KIND_BLAS ? gpu_check_run_blas(&product, device)
	                                             : gpu_check_run_fft(&transforms, device);
	EXPECT(reason == REASON_NONE, "%s: %s", kind_names[kind], reason_name(reason));
	return gpu_check_find_done();
}

/* -- a call of another thread that is divided, or not, within a part of the CPU -- */

static struct {
	enum kind outer, inner;
	int device, met;
	double done; /* the CPU's part of the inner call */
	pthread_t caller, other;
	atomic_bool armed;
	sem_t settled;
} meeting;

static void *run_inner(void *unused)
{
	(void)unused;
	meeting.done = run_kind(meeting.inner, meeting.device);
	sem_post(&meeting.settled);
	return NULL;
}

/* The other call ends while this part lasts: what it needs is given back when the device is done. */
static void meet(void)
{
	struct timespec end;
	int answer;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE_S;
	pthread_create(&meeting.other, NULL, run_inner, NULL);
	do
		answer = sem_timedwait(&meeting.settled, &end);
	while (answer != 0 && errno == EINTR);
	EXPECT(answer == 0, "%s waited for the part of %s that the CPU computes",
	       kind_names[meeting.inner], kind_names[meeting.outer]);
	meeting.met++;
}

static int64_t meet_begin(const char *name)
{
	if (strcmp(name, "part of the CPU") == 0 && pthread_equal(pthread_self(), meeting.caller) &&
	    atomic_exchange(&meeting.armed, false))
		meet();
	return 1;
}

static void meet_end(const char *name, int64_t begin_ns, uint64_t size_bytes, uint64_t call)
{
	(void)name, (void)begin_ns, (void)size_bytes, (void)call;
}

static void meet_span(const char *name, int64_t begin_ns, int64_t end_ns)
{
	(void)name, (void)begin_ns, (void)end_ns;
}

static void meet_operate(const struct observe_operation *operation)
{
	(void)operation;
}

static uint64_t meet_find_call(void)
{
	return 0;
}

static void run_round(int round)
{
	meeting.met = 0;
	sem_init(&meeting.settled, 0, 0);
	atomic_store(&meeting.armed, true);
	const double done = run_kind(meeting.outer, meeting.device);
	EXPECT(meeting.met == 1 && done > 0, "round %d: %s was not shared", round,
	       kind_names[meeting.outer]);
	if (meeting.met == 0)
		return;
	pthread_join(meeting.other, NULL);
	EXPECT(meeting.done == 0, "round %d: %s was shared during a part of %s", round,
	       kind_names[meeting.inner], kind_names[meeting.outer]);
	EXPECT(run_kind(meeting.inner, meeting.device) > 0, "round %d: %s was not shared after %s",
	       round, kind_names[meeting.inner], kind_names[meeting.outer]);
}

/* A thread computes its first slice before the device begins, and later ones meanwhile. */
static void *run_outer(void *unused)
{
	(void)unused;
	meeting.caller = pthread_self();
	for (int round = 0; round < 2; round++)
		run_round(round);
	return NULL;
}

static void observe(int64_t (*begin)(const char *name),
                    void (*end)(const char *name, int64_t begin_ns, uint64_t bytes, uint64_t call))
{
	static struct observer observer = {NULL, NULL, meet_span, meet_operate, meet_find_call};
	observer.begin = begin;
	observer.end = end;
	observe_set(&observer);
}

static int scenario_once(void)
{
	meeting.device = gpu_check_start(0);
	gpu_check_set_share(0.5);
	observe(meet_begin, meet_end);
	for (int pair = 0; pair < KINDS * KINDS; pair++) {
		pthread_t caller;
		meeting.outer = (enum kind)(pair / KINDS);
		meeting.inner = (enum kind)(pair % KINDS);
		pthread_create(&caller, NULL, run_outer, NULL);
		pthread_join(caller, NULL);
	}
	return gpu_check_end("gpu_share_once");
}

/* -- processors -- */

/*
 * Pieces: by threads that do nothing else, by a thread that conducts beside the CPU's part, and by
 * all others, of more than SHORT_BYTES, while as many as possible of the first are there.
 */
static atomic_int copied, conducted, helped;

static int64_t count_begin(const char *name)
{
	(void)name;
	return 1;
}

static void count_copies(const char *name, int64_t begin_ns, uint64_t bytes, uint64_t call)
{
	char thread[16] = "";
	(void)begin_ns, (void)call;
	pthread_getname_np(pthread_self(), thread, sizeof thread);
	if (strcmp(name, "gather") != 0 && strcmp(name, "scatter") != 0)
		return;
	if (strcmp(thread, "gpushim-copy") == 0)
		atomic_fetch_add(&copied, 1);
	else if (strcmp(thread, "gpushim-solve") == 0)
		atomic_fetch_add(&conducted, 1);
	else if (copiers_count_others_now() >= COPIERS_COUNT_MAX - 1 && bytes > SHORT_BYTES)
		atomic_fetch_add(&helped, 1);
}

/* Products whose parts of the CPU have so many threads; the pieces that copy threads copied. */
static int count_copied(int device, double wanted, int threads)
{
	static double ones[ORDER * ORDER], c[ORDER * ORDER];
	bool finished;
	for (int i = 0; i < ORDER * ORDER; i++)
		ones[i] = 1;
	atomic_store(&copied, 0);
	for (int i = 0; i < CALLS; i++) {
		struct cpu_share share = {.wanted = wanted, .threads = threads};
		const struct call call = gpu_check_square(ELEMENT_D, ORDER, ones, ones, c);
		const enum reason reason =
			gpu_blas_run(&call, __builtin_return_address(0), device, &share, &finished);
		EXPECT(reason == REASON_NONE, "%s", reason_name(reason));
		EXPECT((share.done > 0) == (wanted > 0), "the CPU had %g", share.done);
	}
	return atomic_load(&copied);
}

static int scenario_processors(void)
{
	const int device = gpu_check_start(0), processors = processors_count("");
	copiers_set_count(COPIERS);
	observe(count_begin, count_copies);
	int before = 0;
	while (before == 0)
		before = count_copied(device, 0, 0);
	const int during = count_copied(device, 0.3, processors);
	EXPECT(during == 0, "copy threads had %d pieces, the CPU's part all processors", during);
	int after = 0;
	while (after == 0)
		after = count_copied(device, 0, 0);
	return gpu_check_end("gpu_share_once processors");
}

/*
 * As many copying threads as there can be: once they are there, the thread that conducts leaves all
 * long pieces to them. Before, and where the CPU's part has all processors, it copies, or nobody would.
 */
static int scenario_many(void)
{
	staging_set_sizes(MANY_RING_BYTES, MANY_RING_BYTES / 32);
	const int device = gpu_check_start(0), processors = processors_count("");
	copiers_set_count(COPIERS_COUNT_MAX);
	observe(count_begin, count_copies);
	while (copiers_count_others_now() < COPIERS_COUNT_MAX - 1)
		count_copied(device, 0, 0);
	atomic_store(&helped, 0);
	for (int round = 0; round < MANY_ROUNDS; round++)
		EXPECT(count_copied(device, 0, 0) > 0, "no copying thread had a piece");
	EXPECT(atomic_load(&helped) == 0, "the thread that conducts had %d long pieces",
	       atomic_load(&helped));
	EXPECT(count_copied(device, 0.3, processors) == 0,
	       "copy threads had pieces, the CPU's part all processors");
	EXPECT(atomic_load(&conducted) > 0, "nobody copied beside the CPU's part");
	return gpu_check_end("gpu_share_once many");
}

int main(int argc, char **argv)
{
	static const struct gpu_scenario scenarios[] = {
		{"once", scenario_once, {NULL}, NULL},
		{"processors", scenario_processors, {NULL}, NULL},
		{"many", scenario_many, {NULL}, NULL}};
	if (!gpu_check_has_fftw()) {
		printf("skipped: FFTW is not installed\n");
		return GPU_CHECK_SKIPPED;
	}
	staging_set_sizes(RING_BYTES, RING_BYTES / 4);
	return gpu_scenarios_run("gpu_share_once", scenarios,
	                         sizeof scenarios / sizeof scenarios[0], argc > 1 ? argv[1] : NULL);
}
