/* gpu_check_blas.c - one problem of level 3 between canaries and NaN */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_blas.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "shim/execute/gpu/blas/gpu_blas.h"

static bool gpu_check_is_hermitian(enum family family)
{
	return family == FAMILY_HERK || family == FAMILY_HER2K;
}

static bool gpu_check_has_square(enum family family)
{
	return family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
}

struct gpu_check_blas gpu_check_settle_blas(const struct gpu_check_blas *wanted)
{
	struct gpu_check_blas w = *wanted;
	if (operand_is_triangle(w.family)) {
		w.m = w.n;
		if (w.family != FAMILY_GEMMT)
			w.transb = w.transa;
	}
	if (gpu_check_has_square(w.family))
		w.k = w.side == SIDE_LEFT ? w.m : w.n;
	if (!element_is_complex(w.element) || w.family == FAMILY_HERK)
		w.alpha = creal(w.alpha);
	if (!element_is_complex(w.element) || gpu_check_is_hermitian(w.family))
		w.beta = creal(w.beta);
	return w;
}

struct call gpu_check_describe_blas(const struct gpu_check_blas *w)
{
	return (struct call){.family = w->family,
	                     .element = w->element,
	                     .blas = {.side = w->side,
	                              .uplo = w->uplo,
	                              .transa = w->transa,
	                              .transb = w->transb,
	                              .diag = w->diag,
	                              .m = w->m,
	                              .n = w->n,
	                              .k = w->k,
	                              .alpha = {creal(w->alpha), cimag(w->alpha)},
	                              .beta = {creal(w->beta), cimag(w->beta)}}};
}

struct call gpu_check_square(enum element element, int64_t n, const void *a, const void *b, void *c)
{
	return (struct call){.family = FAMILY_GEMM,
	                     .element = element,
	                     .blas = {.m = n,
	                              .n = n,
	                              .k = n,
	                              .lda = n,
	                              .ldb = n,
	                              .ldc = n,
	                              .a = a,
	                              .b = b,
	                              .c = c,
	                              .alpha = {1}}};
}

/* The off-diagonal elements of a triangular system are small, so that its solution is not large. */
static void gpu_check_shape_a(const struct gpu_check_blas *w, struct check_matrix *a)
{
	for (int64_t j = 0; j < a->columns; j++)
		for (int64_t i = 0; i < a->rows; i++) {
			const bool stored = w->uplo == UPLO_UPPER ? i <= j : i >= j;
			double complex value = check_matrix_get(a, i, j);
			if (family_is_in_place(w->family))
				value = i == j ? value + 2 : 0.25 * value;
			if (i == j && w->family == FAMILY_HEMM)
				value = CMPLX(creal(value), NAN);
			if (!stored ||
			    (i == j && family_is_in_place(w->family) && w->diag == DIAG_UNIT))
				value = CMPLX(NAN, NAN);
			check_matrix_set(a, i, j, value);
		}
}

static void gpu_check_shape_c(const struct gpu_check_blas *w, struct check_matrix *c)
{
	for (int64_t j = 0; j < c->columns; j++)
		for (int64_t i = 0; i < c->rows; i++)
			if (w->uplo == UPLO_UPPER ? i > j : i < j)
				check_matrix_set(c, i, j, CMPLX(NAN, NAN));
}

static void gpu_check_fill(const struct gpu_check_blas *w,
                           struct check_matrix operand[OPERAND_COUNT])
{
	check_matrix_fill(&operand[OPERAND_A], false);
	check_matrix_fill(&operand[OPERAND_B], false);
	check_matrix_fill(&operand[OPERAND_C], w->beta == 0 && !family_is_in_place(w->family));
	if (gpu_check_has_square(w->family))
		gpu_check_shape_a(w, &operand[OPERAND_A]);
	if (operand_is_triangle(w->family))
		gpu_check_shape_c(w, &operand[OPERAND_C]);
}

/* Operands that the family does not have are made with no elements. */
static void gpu_check_make(const struct gpu_check_blas *w, const struct call *call,
                           struct check_matrix operand[OPERAND_COUNT])
{
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		struct matrix shape = {.rows = 0};
		operand_find(w->family, &call->blas, (enum operand)name, &shape);
		operand[name] =
			check_matrix_make(w->element, shape.rows, shape.columns,
		                          shape.rows + w->gap, w->offset_bytes, w->place[name]);
	}
}

static double gpu_check_share;
static _Thread_local double gpu_check_done; /* of the thread's last call */
static atomic_int gpu_check_shared;

void gpu_check_set_share(double share)
{
	gpu_check_share = share;
	atomic_store(&gpu_check_shared, 0);
}

int gpu_check_count_shared(void)
{
	return atomic_load(&gpu_check_shared);
}

double gpu_check_find_done(void)
{
	return gpu_check_done;
}

struct cpu_share gpu_check_make_share(void)
{
	return (struct cpu_share){.wanted = gpu_check_share, .threads = 1};
}

void gpu_check_note_share(const struct cpu_share *share, enum reason reason)
{
	gpu_check_done = share->done;
	atomic_fetch_add(&gpu_check_shared, share->done > 0);
	EXPECT(share->done == 0 || reason != REASON_NONE ||
	               (share->cpu_ns > 0 && share->device_ns > 0),
	       "a shared call of %lld and %lld ns", (long long)share->cpu_ns,
	       (long long)share->device_ns);
}

enum reason gpu_check_call_blas(const struct call *call, int device, bool *finished)
{
	struct cpu_share share = gpu_check_make_share();
	const enum reason reason =
		gpu_blas_run(call, __builtin_return_address(0), device, &share, finished);
	gpu_check_note_share(&share, reason);
	return reason;
}

/*
 * A call that is not finished must leave every byte as it was. A finished call must change its
 * elements of C and nothing else.
 */
static void gpu_check_judge(enum reason reason, bool finished, const struct gpu_check_blas *w,
                            const struct check_matrix *a, const struct check_matrix *b,
                            const struct check_matrix *before, struct check_matrix *c)
{
	const double error = finished ? gpu_check_compare_blas(w, a, b, before, c) : 0;
	EXPECT(error <= 1,
	       "family %d %c side %d uplo %d op %d %d diag %d, %ld x %ld x %ld, "
	       "beta %g, places %d %d %d: error %g "
	       "times what rounding allows",
	       (int)w->family, "sdcz"[w->element], (int)w -> side, (int)w -> uplo, (int)w -> transa,
	       (int)w -> transb, (int)w -> diag, (long)w -> m, (long)w -> n, (long)w -> k,
	       creal(w->beta), (int)w -> place[0], (int)w -> place[1], (int)w -> place[2], error);
	EXPECT(check_matrix_same_bytes(c, before),
	       "family %d %c %ld x %ld: beside the result was written (%s)", (int)w->family,
	       "sdcz"[w->element], (long)w -> m, (long)w -> n, reason_name(reason));
}

void gpu_check_set_operands(struct call *call, const struct check_matrix *a,
                            const struct check_matrix *b, const struct check_matrix *c)
{
	call->blas.a = a->data;
	call->blas.b = b->data;
	call->blas.c = c->data;
	call->blas.lda = a->ld;
	call->blas.ldb = b->ld;
	call->blas.ldc = c->ld;
}

void gpu_check_size_blas(struct gpu_check_blas *wanted, const int64_t size[3],
                         const double complex scalar[2])
{
	wanted->m = size[0];
	wanted->n = size[1];
	wanted->k = size[2];
	wanted->alpha = scalar[0];
	wanted->beta = scalar[1];
}

enum reason gpu_check_run_blas(const struct gpu_check_blas *wanted, int device)
{
	const struct gpu_check_blas w = gpu_check_settle_blas(wanted);
	struct check_matrix operand[OPERAND_COUNT], before[OPERAND_COUNT];
	struct call call = gpu_check_describe_blas(&w);
	gpu_check_make(&w, &call, operand);
	const int second = w.same ? OPERAND_A : OPERAND_B;
	gpu_check_fill(&w, operand);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		before[name] = check_matrix_copy(&operand[name]);
		check_matrix_send(&operand[name]);
	}
	gpu_check_set_operands(&call, &operand[OPERAND_A], &operand[second], &operand[OPERAND_C]);
	bool finished;
	const enum reason reason = gpu_check_call_blas(&call, device, &finished);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		check_matrix_receive(&operand[name]);
	gpu_check_judge(reason, finished, &w, &before[OPERAND_A], &before[second],
	                &before[OPERAND_C], &operand[OPERAND_C]);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		EXPECT(check_matrix_same_bytes(&operand[name], &before[name]),
		       "operand %d was written", name);
		check_matrix_free(&operand[name]);
		check_matrix_free(&before[name]);
	}
	return reason;
}

enum reason gpu_check_run_gemm(const struct gpu_check_gemm *wanted, int device)
{
	const struct gpu_check_blas blas = {.family = FAMILY_GEMM,
	                                    .element = wanted->element,
	                                    .transa = wanted->transa,
	                                    .transb = wanted->transb,
	                                    .m = wanted->m,
	                                    .n = wanted->n,
	                                    .k = wanted->k,
	                                    .gap = wanted->gap,
	                                    .alpha = wanted->alpha,
	                                    .beta = wanted->beta,
	                                    .offset_bytes = wanted->offset_bytes,
	                                    .same = wanted->same};
	return gpu_check_run_blas(&blas, device);
}
