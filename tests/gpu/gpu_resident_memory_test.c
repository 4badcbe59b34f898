/* gpu_resident_memory_test.c - no call that has memory enough comes back because of what is kept */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "gpu_check_resident.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/device/memory.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/resident/resident.h"

/*
 * LIMIT_MB: of device memory. An area has ELEMENTS numbers; AREAS of them are separate mappings.
 * Each step makes a random call on random parts, which need not begin or end with pages.
 */
enum { LIMIT_MB = 16, AREAS = 4, STEPS = 40, REPEATED = 2, ORDER_MOST = 1100 };
static const size_t area_elements[AREAS] = {1310720, 1100000, 2400000, 2000000};

static int gpu_device;
static double *area[AREAS];
static int32_t pivots[ORDER_MOST];

struct step {
	int kind;
	int64_t m, n, k;
	double *a, *b, *c;
};

static size_t draw(size_t most)
{
	const double share = (gpu_check_random() + 1) / 2;
	return (size_t)(share * (double)most);
}

/* A place for so many numbers in an area where they fit. */
static double *draw_place(size_t elements, int not_area, int *chosen)
{
	int at = (int)draw(AREAS) % AREAS;
	while (at == not_area || area_elements[at] < elements)
		at = (at + 1) % AREAS;
	*chosen = at;
	return area[at] + draw(area_elements[at] - elements);
}

static enum reason run_gemm(const struct step *step)
{
	bool finished;
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	call.blas = (struct blas_call){.m = step->m,
	                               .n = step->n,
	                               .k = step->k,
	                               .alpha = {1, 0},
	                               .a = step->a,
	                               .b = step->b,
	                               .c = step->c,
	                               .lda = step->m,
	                               .ldb = step->k,
	                               .ldc = step->m};
	const enum reason reason = gpu_check_call_blas(&call, gpu_device, &finished);
	fp_environment_take_noted();
	return reason;
}

static enum reason run_lapack(enum family family, const struct step *step)
{
	int32_t info = 0;
	bool finished;
	struct gpu_lapack_account account;
	struct call call = {.family = family, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.m = step->n,
	                                   .n = step->n,
	                                   .nrhs = step->k,
	                                   .uplo = UPLO_LOWER,
	                                   .a = step->a,
	                                   .b = step->b,
	                                   .lda = step->n,
	                                   .ldb = step->n,
	                                   .ipiv = pivots,
	                                   .info = &info};
	return gpu_lapack_run(&call, gpu_device, &account, &finished);
}

static enum reason run_transform(const struct step *step)
{
	const int64_t points = step->n * step->k / 2;
	struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                              .element = ELEMENT_Z,
	                              .rank = 1,
	                              .howmany = 1,
	                              .sign = -1};
	problem.dims[0] = (struct fft_dim){points, 1, 1};
	struct call call = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z};
	call.fft = (struct fft_call){.problem = &problem, .in = step->b, .out = step->c};
	return gpu_fft_run(&call, gpu_device);
}

/* The factors of the identity, which solves need; a transform of zeros. */
static void reset(const struct step *step)
{
	if (step->kind == 0)
		return;
	memset(step->a, 0, (size_t)(step->n * step->n) * sizeof(double));
	memset(step->b, 0, (size_t)(step->n * step->k) * sizeof(double));
	for (int64_t i = 0; i < step->n; i++) {
		step->a[i * (step->n + 1)] = 1;
		pivots[i] = (int32_t)i + 1;
	}
}

static enum reason run(const struct step *step)
{
	reset(step);
	switch (step->kind) {
	case 0: return run_gemm(step);
	case 1: return run_lapack(FAMILY_GETRS, step);
	case 2: return run_lapack(FAMILY_GESV, step);
	case 3: return run_lapack(FAMILY_POTRS, step);
	case 4: return run_lapack(FAMILY_GETRF, step);
	default: return run_transform(step);
	}
}

static struct step draw_step(void)
{
	enum { KINDS = 6, SMALL = 8 };
	struct step step = {.kind = (int)draw(KINDS) % KINDS};
	int first, second, third;
	step.n = 1 + (int64_t)draw(draw(2) == 0 ? ORDER_MOST / SMALL : ORDER_MOST - 1);
	step.k = 1 + (int64_t)draw(draw(2) == 0 ? ORDER_MOST / SMALL : ORDER_MOST - 1);
	step.m = step.n;
	step.a = draw_place((size_t)(step.n * (step.n > step.k ? step.n : step.k)), -1, &first);
	step.b = draw_place((size_t)(step.n * step.k), first, &second);
	do
		step.c = draw_place((size_t)(step.n * (step.n > step.k ? step.n : step.k)), first,
		                    &third);
	while (third == second);
	return step;
}

static void expect_kept(const struct step *step, int number, enum reason sent)
{
	enum reason kept = REASON_NONE;
	for (int times = 0; times < REPEATED && kept == REASON_NONE; times++)
		kept = run(step);
	EXPECT(sent != REASON_NONE || kept == REASON_NONE, "step %d, kind %d, n %ld, k %ld: %s",
	       number, step->kind, (long)step->n, (long)step->k, reason_name(kept));
}

/* First all steps without mirrors; then with those of the steps before, in half of the memory. */
int main(void)
{
	static struct step steps[STEPS];
	static enum reason sent[STEPS];
	int held = 0, came_back = 0;
	const char *fault;
	gpu_device = gpu_check_start(LIMIT_MB);
	gpu_check_open_tracking("gpu_resident_memory");
	resident_close();
	for (int i = 0; i < AREAS; i++)
		area[i] = gpu_check_make_memory(area_elements[i]);
	for (int i = 0; i < STEPS; i++) {
		steps[i] = draw_step();
		sent[i] = run(&steps[i]);
		came_back += sent[i] != REASON_NONE;
	}
	const struct resident_settings settings = {.limit_bytes = memory_limit(gpu_device) / 2,
	                                           .tracks_at_once = true};
	resident_open(&settings, &fault);
	for (int i = 0; i < STEPS; i++) {
		expect_kept(&steps[i], i, sent[i]);
		held += resident_stats_get().windows > 0;
	}
	EXPECT(held > STEPS / 2, "%d steps had mirrors", held);
	printf("gpu_resident_memory: %d of %d steps had mirrors, %d came back without\n", held,
	       STEPS, came_back);
	return gpu_check_end("gpu_resident_memory");
}
