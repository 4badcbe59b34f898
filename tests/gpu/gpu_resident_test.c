/* gpu_resident_test.c - LAPACK, transforms and batches beside operands that stay on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "shim/execute/gpu/fft/gpu_fft.h"
#include "shim/execute/gpu/lapack/gpu_factor.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/resident/resident.h"

/* A matrix is 18 pages. RIGHT: right-hand sides, of two pages. */
enum { ORDER = 96, ELEMENTS = ORDER * ORDER, RIGHT = 11, POINTS = ELEMENTS / 2 };

static int gpu_device;

static double *make_memory(size_t elements)
{
	void *memory = mmap(NULL, elements * sizeof(double), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(memory != MAP_FAILED, "no memory");
	return memory;
}

/* Random, with a heavy diagonal, and symmetric. */
static void fill(double *matrix)
{
	for (int j = 0; j < ORDER; j++)
		for (int i = 0; i <= j; i++)
			matrix[i + j * ORDER] = matrix[j + i * ORDER] =
				gpu_check_random() + (i == j ? ORDER : 0);
}

static void open_tracking(void)
{
	const struct resident_settings settings = {.limit_bytes = UINT64_MAX,
	                                           .tracks_at_once = true};
	const char *fault;
	resident_close();
	const enum track_reason reason = resident_open(&settings, &fault);
	if (reason == TRACK_REASON_NONE)
		return;
	printf("gpu_resident: skipped, %s\n", track_reason_sentence(reason));
	exit(GPU_CHECK_SKIPPED);
}

/* -- calls, by what they do with their two arrays ---------------------------------------------- */

/* Reads a, and writes b. */
static enum reason multiply(double *a, double *b)
{
	bool finished;
	struct call call = {.family = FAMILY_GEMM, .element = ELEMENT_D};
	call.blas = (struct blas_call){.m = ORDER,
	                               .n = ORDER,
	                               .k = ORDER,
	                               .alpha = {1, 0},
	                               .a = a,
	                               .b = a,
	                               .c = b,
	                               .lda = ORDER,
	                               .ldb = ORDER,
	                               .ldc = ORDER};
	return gpu_check_call_blas(&call, gpu_device, &finished);
}

static enum reason multiply_batch(double *a, double *b)
{
	bool finished;
	const int64_t half = ELEMENTS / 2;
	struct call call = {.family = FAMILY_GEMM_BATCH, .element = ELEMENT_D};
	call.blas = (struct blas_call){.m = ORDER,
	                               .n = ORDER / 2,
	                               .k = ORDER / 2,
	                               .alpha = {1, 0},
	                               .a = a,
	                               .b = a,
	                               .c = b,
	                               .lda = ORDER,
	                               .ldb = ORDER / 2,
	                               .ldc = ORDER};
	call.batch = (struct batch_call){.strided = true,
	                                 .groups = 1,
	                                 .problems = 2,
	                                 .a = a,
	                                 .b = a,
	                                 .c = b,
	                                 .stridea = half,
	                                 .strideb = half,
	                                 .stridec = half,
	                                 .first = call.blas};
	return gpu_check_call_blas(&call, gpu_device, &finished);
}

static int32_t pivots[ORDER];

static enum reason run_lapack(enum family family, double *a, double *b, int32_t *ipiv)
{
	int32_t info = 7;
	bool finished;
	struct gpu_lapack_account account;
	struct call call = {.family = family, .element = ELEMENT_D};
	call.lapack = (struct lapack_call){.m = ORDER,
	                                   .n = ORDER,
	                                   .nrhs = RIGHT,
	                                   .uplo = UPLO_LOWER,
	                                   .a = a,
	                                   .b = b,
	                                   .lda = ORDER,
	                                   .ldb = ORDER,
	                                   .ipiv = ipiv,
	                                   .info = &info};
	const enum reason reason = gpu_lapack_run(&call, gpu_device, &account, &finished);
	EXPECT(info == (finished ? 0 : 7), "info %d", (int)info);
	return reason;
}

/* b: a's factors; maybe in the place of a. */
static enum reason factor(double *a, double *b)
{
	if (b != a)
		memcpy(b, a, ELEMENTS * sizeof *b);
	return run_lapack(FAMILY_GETRF, b, NULL, pivots);
}

static enum reason factor_triangle(double *a, double *b)
{
	if (b != a)
		memcpy(b, a, ELEMENTS * sizeof *b);
	return run_lapack(FAMILY_POTRF, b, NULL, NULL);
}

/* Transforms of complex numbers, as many as a group or two have. */
static enum reason transform(double *in, double *out, int64_t length, int64_t stride)
{
	struct fft_problem problem = {.family = FAMILY_FFT_C2C,
	                              .element = ELEMENT_Z,
	                              .rank = 1,
	                              .loops = 1,
	                              .howmany = POINTS / length / stride,
	                              .sign = -1,
	                              .in_place = in == out};
	problem.dims[0] = (struct fft_dim){length, stride, stride};
	problem.loop[0] = (struct fft_dim){problem.howmany, length * stride, length * stride};
	struct call call = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z};
	call.fft = (struct fft_call){.problem = &problem, .in = in, .out = out};
	return gpu_fft_run(&call, gpu_device);
}

static enum reason transform_all(double *a, double *b)
{
	return transform(a, b, POINTS, 1);
}

static enum reason transform_groups(double *a, double *b)
{
	return transform(a, b, POINTS / 8, 1);
}

static enum reason transform_scattered(double *a, double *b)
{
	return transform(a, b, POINTS / 8, 2);
}

struct kind {
	const char *name;
	enum reason (*run)(double *a, double *b);
};

static const struct kind kinds[] = {
	{"gemm", multiply},
	{"batch", multiply_batch},
	{"getrf", factor},
	{"potrf", factor_triangle},
	{"fft", transform_all},
	{"ffts", transform_groups},
	{"strided", transform_scattered},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* -- results where something was kept ---------------------------------------------------------- */

static uint64_t count_written(void)
{
	return resident_stats_get().written_pages;
}

/*
 * The result of each call lies where the device had a copy of an input: its pages are not armed
 * when it is stored. The same call elsewhere has the same result.
 */
static void test_overwrite(const struct kind *kind)
{
	double *a = make_memory(ELEMENTS), *b = make_memory(ELEMENTS), *c = make_memory(ELEMENTS);
	const bool moves = kind->run == factor || kind->run == factor_triangle;
	fill(a);
	fill(b);
	memcpy(c, b, ELEMENTS * sizeof *c);
	resident_close();
	EXPECT(kind->run(a, c) == REASON_NONE, "%s", kind->name);
	open_tracking();
	if (moves)
		memcpy(b, a, ELEMENTS * sizeof *b);
	double *scratch = make_memory(ELEMENTS);
	multiply(b, scratch);
	const uint64_t before = count_written();
	EXPECT(kind->run(moves ? b : a, b) == REASON_NONE, "%s", kind->name);
	EXPECT(memcmp(b, c, ELEMENTS * sizeof *b) == 0, "%s: other digits", kind->name);
	multiply(b, scratch);
	multiply(b, a);
	EXPECT(memcmp(scratch, a, ELEMENTS * sizeof *a) == 0, "%s: an old operand", kind->name);
	EXPECT(count_written() == before, "%s: %lu page faults", kind->name,
	       (unsigned long)(count_written() - before));
	munmap(a, ELEMENTS * sizeof *a);
	munmap(b, ELEMENTS * sizeof *b);
	munmap(c, ELEMENTS * sizeof *c);
	munmap(scratch, ELEMENTS * sizeof *scratch);
}

int main(void)
{
	gpu_device = gpu_check_start(0);
	for (size_t i = 0; i < KINDS; i++)
		test_overwrite(&kinds[i]);
	gpu_factor_choose(GPU_FACTOR_ALWAYS, ORDER / 3, 0);
	for (size_t i = 0; i < KINDS; i++)
		test_overwrite(&kinds[i]);
	return gpu_check_end("gpu_resident");
}
