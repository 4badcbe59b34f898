/* gpu_fixed_test.c - option deterministic: the same bits in each run, with several threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check_batch.h"
#include "gpu_child.h"
#include "shim/execute/gpu/blas/gpu_blas.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/session/session.h"
#include "tests/driver/fixed_bits.h"

/*
 * Fewer runs with the sanitizers: they look for races and invalid accesses, which any run can show.
 */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { RUNS = 4, RUNS_SHORT = 3 };
#else
enum { RUNS = 20, RUNS_SHORT = 6 };
#endif

/* The limit is below the memory that one call would use, and far below that of all of them. */
enum { THREADS = 6, KINDS = 7, MEMORY_MB = 3, SIDE = 300, POINTS = 1500, TRANSFORMS = 30 };

/* The outcome of a thread's calls. */
struct outcome_of {
	enum reason reason;
	uint64_t hash;
};

static struct outcome_of outcomes[THREADS][KINDS];
static pthread_barrier_t barrier;
static int device;

/* An array of reals, two per complex element. */
static void *make_array(enum element element, size_t count, uint64_t seed)
{
	const bool single = element == ELEMENT_S || element == ELEMENT_C;
	const size_t reals =
		count * element_size_bytes(element) / (single ? sizeof(float) : sizeof(double));
	void *array = malloc(count * element_size_bytes(element));
	for (size_t i = 0; i < reals; i++) {
		const double value = fixed_bits_number(seed + i);
		if (single)
			((float *)array)[i] = (float)value;
		else
			((double *)array)[i] = value;
	}
	return array;
}

/* Makes a triangle solvable by a large diagonal. */
static void raise_diagonal(double *square)
{
	for (size_t i = 0; i < SIDE; i++)
		square[i * (SIDE + 1)] += SIDE;
}

static struct outcome_of run_blas(enum family family, enum element element, uint64_t seed)
{
	struct call call = {.family = family, .element = element};
	const size_t count = (size_t)SIDE * SIDE;
	void *a = make_array(element, count, seed), *b = make_array(element, count, seed + 1000003);
	void *c = make_array(element, count, seed + 2000003);
	bool finished = false;
	struct outcome_of outcome;
	call.blas = (struct blas_call){.uplo = UPLO_LOWER,
	                               .m = SIDE,
	                               .n = SIDE,
	                               .k = SIDE,
	                               .lda = SIDE,
	                               .ldb = SIDE,
	                               .ldc = SIDE,
	                               .a = a,
	                               .b = b,
	                               .c = c,
	                               .alpha = {0.75},
	                               .beta = {family == FAMILY_TRSM ? 0 : 1.25}};
	if (family == FAMILY_TRSM)
		raise_diagonal(a);
	outcome.reason = gpu_blas_run(&call, NULL, device, NULL, &finished);
	outcome.hash = fixed_bits_hash(c, count * element_size_bytes(element));
	free(a);
	free(b);
	free(c);
	return outcome;
}

static struct outcome_of run_fft(enum element element, uint64_t seed)
{
	const size_t count = (size_t)POINTS * TRANSFORMS;
	void *in = make_array(element, count, seed),
	     *out = make_array(element, count, seed + 1000003);
	const struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                                    .element = element,
	                                    .rank = 1,
	                                    .loops = 1,
	                                    .dims = {{POINTS, 1, 1}},
	                                    .loop = {{TRANSFORMS, POINTS, POINTS}},
	                                    .howmany = TRANSFORMS,
	                                    .sign = -1};
	const struct call call = {
		.family = problem.family,
		.element = element,
		.fft = {.problem = &problem, .in = in, .out = out, .plan_key = in}};
	struct outcome_of outcome = {.reason = gpu_fft_run(&call, device)};
	outcome.hash = fixed_bits_hash(out, count * element_size_bytes(element));
	gpu_fft_forget(in);
	free(in);
	free(out);
	return outcome;
}

/*
 * More memory than a call's share and less than the limit: there is no plan, so the CPU computes
 * it, also when no other call runs.
 */
static struct outcome_of run_batch(void)
{
	const struct gpu_check_group wanted = {
		.blas = {.element = ELEMENT_D, .m = 130, .n = 130, .k = 130, .alpha = 1, .beta = 0},
		.count = 4};
	return (struct outcome_of){gpu_check_run_strided(&wanted, true, 0, device), 0};
}

static struct outcome_of run_kind(int kind, uint64_t seed)
{
	switch (kind) {
	case 0: return run_blas(FAMILY_GEMM, ELEMENT_D, seed);
	case 1: return run_blas(FAMILY_GEMM, ELEMENT_S, seed);
	case 2: return run_blas(FAMILY_HERK, ELEMENT_Z, seed);
	case 3: return run_blas(FAMILY_TRSM, ELEMENT_D, seed);
	case 4: return run_fft(ELEMENT_Z, seed);
	case 5: return run_fft(ELEMENT_C, seed);
	default: return run_batch();
	}
}

/* Each thread begins with another kind, so that all kinds run at the same time. */
static void *run_thread(void *argument)
{
	const int thread = (int)(intptr_t)argument;
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < KINDS; i++) {
		const int kind = (thread + i) % KINDS;
		outcomes[thread][kind] = run_kind(kind, (uint64_t)(thread * KINDS + kind) << 32);
	}
	return NULL;
}

/*
 * The scenario: "fixed" or "free". Prints the outcome of each call, in the order of threads and
 * kinds.
 */
static int run_scenario(const char *scenario)
{
	pthread_t thread[THREADS];
	struct options *options = gpu_check_configure(MEMORY_MB);
	options->deterministic = strcmp(scenario, "fixed") == 0;
	strcpy(options->devices, "all");
	device = gpu_check_start_configured();
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, run_thread, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		for (int kind = 0; kind < KINDS; kind++)
			fprintf(stderr, "%d %d %s %016llx\n", i, kind,
			        reason_name(outcomes[i][kind].reason),
			        (unsigned long long)outcomes[i][kind].hash);
	return 0;
}

/*
 * Makes runs that differ in all that is random, as far as the simulated CUDA can vary it. Returns
 * how many differ from the first one. memory: of the device.
 */
static int count_different(const char *scenario, const char *memory, int runs,
                           struct gpu_child *first)
{
	static char seed[32], slow[64];
	int different = 0;
	for (int run = 0; run < runs; run++) {
		const char *devices = run % 2 == 0 ? "SIMCUDA_DEVICES=1" : "SIMCUDA_DEVICES=3";
		struct gpu_child child = {.scenario = scenario,
		                          .setting = {seed, slow, devices, memory}};
		snprintf(seed, sizeof seed, "SIMCUDA_SEED=%d", run + 1);
		snprintf(slow, sizeof slow, "SIMCUDA_SLOW=%s:%d",
		         run % 2 == 0 ? "cublasDgemm_v2" : "cudaMalloc", run % 3);
		gpu_child_run(&child);
		EXPECT(gpu_child_exited(&child, 0), "%s, run %d: status %x: %s", scenario, run,
		       (unsigned)child.status, child.errors);
		if (first->scenario == NULL)
			*first = child;
		different += strcmp(first->errors, child.errors) != 0;
	}
	return different;
}

static int count_words(const char *text, const char *words)
{
	int count = 0;
	for (const char *found = text; (found = strstr(found, words)) != NULL; found++)
		count++;
	return count;
}

int main(int count, char **words)
{
	static struct gpu_child fixed, loose;
	if (count > 1)
		return run_scenario(words[1]);
	const int different = count_different("fixed", NULL, RUNS, &fixed);
	EXPECT(different == 0, "%d of %d runs differ", different, RUNS);
	EXPECT(count_words(fixed.errors, "device_memory_full") == THREADS,
	       "all but batches go to the GPU: %s", fixed.errors);
	EXPECT(count_words(fixed.errors, "6 device_memory_full") == THREADS, "batches do not: %s",
	       fixed.errors);
	/*
	 * As if other programs had taken so much memory that the shares of two calls are not
	 * available at once.
	 */
	EXPECT(count_different("fixed", "SIMCUDA_MEMORY=2600K", RUNS_SHORT, &fixed) == 0,
	       "a full device differs");
	/* Without the option runs must differ; otherwise this test could not detect a failure. */
	const int without = count_different("free", NULL, RUNS_SHORT, &loose);
	EXPECT(without > 0, "without the option no run differs");
	printf("%d of %d runs differ, without the option %d of %d\n", different, RUNS, without,
	       RUNS_SHORT);
	return gpu_check_end("gpu_fixed");
}
