/* cpu_fortran.c - calls a library's Fortran routines of level 3 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_fortran.h"

#include <string.h>

#include "policy/call/batch.h"
#include "shim/table/shapes.h"

/* An integer in both widths: the library reads the one it has. */
union fortran_integer {
	int32_t narrow;
	int64_t wide;
};

/* The values of all families' arguments. */
struct fortran_values {
	union fortran_integer m, n, k, lda, ldb, ldc;
	double alpha[2], beta[2];
};

static bool cpu_fortran_fits(const struct blas_call *blas)
{
	const int64_t size[] = {blas->m, blas->n, blas->k, blas->lda, blas->ldb, blas->ldc};
	for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
		if (size[i] > INT32_MAX)
			return false;
	return true;
}

bool cpu_fortran_find_beside(struct cpu_fortran *routine, const struct call *call,
                             const void *caller)
{
	const struct cpu_routine found =
		cpu_find_beside(call->symbol, call->family, call->element, caller);
	*routine = (struct cpu_fortran){found.code, found.wide, call->family, call->element};
	return found.code != NULL && (found.wide || cpu_fortran_fits(&call->blas));
}

bool cpu_fortran_find(struct cpu_fortran *routine, const struct call *call, enum family family,
                      const void *caller)
{
	const struct cpu_routine found =
		cpu_find_family(call->symbol, family, call->element, caller);
	*routine = (struct cpu_fortran){found.code, found.wide, family, call->element};
	return found.code != NULL && (found.wide || cpu_fortran_fits(&call->blas));
}

static union fortran_integer cpu_fortran_make(const struct cpu_fortran *routine, int64_t value)
{
	if (routine->wide)
		return (union fortran_integer){.wide = value};
	return (union fortran_integer){.narrow = (int32_t)value};
}

/* alpha or beta as the library reads it; a real one is followed by what is not read. */
static void cpu_fortran_write_scalar(enum element element, const double value[2], void *scalar)
{
	const float single[2] = {(float)value[0], (float)value[1]};
	if (element == ELEMENT_S || element == ELEMENT_C)
		memcpy(scalar, single, sizeof single);
	else
		memcpy(scalar, value, 2 * sizeof value[0]);
}

static bool cpu_fortran_has_narrow(const int64_t *value, size_t count)
{
	bool narrow = true;
	for (size_t i = 0; i < count; i++)
		narrow = narrow && value[i] >= INT32_MIN && value[i] <= INT32_MAX;
	return narrow;
}

static struct fortran_values cpu_fortran_make_values(const struct cpu_fortran *routine,
                                                     const struct blas_call *blas)
{
	struct fortran_values values = {
		.m = cpu_fortran_make(routine, blas->m),
		.n = cpu_fortran_make(routine, blas->n),
		.k = cpu_fortran_make(routine, blas->k),
		.lda = cpu_fortran_make(routine, blas->lda),
		.ldb = cpu_fortran_make(routine, blas->ldb),
		.ldc = cpu_fortran_make(routine, blas->ldc),
	};
	cpu_fortran_write_scalar(routine->element, blas->alpha, values.alpha);
	cpu_fortran_write_scalar(routine->element, blas->beta, values.beta);
	return values;
}

/* A routine of this shape, called with the arguments that its list names. */
#define WITH(name) with->name
#define WITH_LENGTHS(count) WITH_LENGTHS_##count
#define WITH_LENGTHS_2 , 1, 1
#define WITH_LENGTHS_3 WITH_LENGTHS_2, 1
#define WITH_LENGTHS_4 WITH_LENGTHS_3, 1
#define RUN(shape)                                                                                 \
	static void cpu_fortran_run_##shape(void *code, const struct f77_arguments *with)          \
	{                                                                                          \
		void (*routine)(PARAMS_f77(shape, D));                                             \
		memcpy(&routine, &code, sizeof routine);                                           \
		routine(LIST_f77_##shape(WITH, WITH, WITH, WITH_LENGTHS));                         \
	}
RUN(GEMM)
RUN(GEMMT)
RUN(SYMM)
RUN(SYRK)
RUN(SYR2K)
RUN(TRMM)

void cpu_fortran_run(const struct cpu_fortran *routine, const struct blas_call *blas)
{
	static const char trans[] = "NTC";
	static void (*const run[FAMILY_KIND_COUNT])(void *, const struct f77_arguments *) = {
		[FAMILY_KIND_PRODUCT] = cpu_fortran_run_GEMM,
		[FAMILY_KIND_TRIANGLE_OF_PRODUCT] = cpu_fortran_run_GEMMT,
		[FAMILY_KIND_SYMMETRIC] = cpu_fortran_run_SYMM,
		[FAMILY_KIND_RANK_K] = cpu_fortran_run_SYRK,
		[FAMILY_KIND_RANK_2K] = cpu_fortran_run_SYR2K,
		[FAMILY_KIND_TRIANGULAR] = cpu_fortran_run_TRMM,
	};
	const bool in_place = family_is_in_place(routine->family);
	const struct fortran_values values = cpu_fortran_make_values(routine, blas);
	const struct f77_arguments with = {
		.side = blas->side == SIDE_LEFT ? "L" : "R",
		.uplo = blas->uplo == UPLO_UPPER ? "U" : "L",
		.trans = &trans[blas->transa],
		.transa = &trans[blas->transa],
		.transb = &trans[blas->transb],
		.diag = blas->diag == DIAG_NON_UNIT ? "N" : "U",
		.m = &values.m,
		.n = &values.n,
		.k = &values.k,
		.lda = &values.lda,
		.ldb = in_place ? &values.ldc : &values.ldb,
		.ldc = &values.ldc,
		.alpha = values.alpha,
		.beta = values.beta,
		.a = blas->a,
		.b = in_place ? blas->c : (void *)(uintptr_t)blas->b,
		.c = blas->c,
	};
	run[family_find_kind(routine->family)](routine->code, &with);
}

bool cpu_fortran_run_strided(const struct cpu_fortran *routine, const struct batch_call *batch)
{
	static const char trans[] = "NTC";
	struct batch_group group = {.next = 0};
	if (!batch_next_group(batch, routine->element, &group) || group.count == 0)
		return true;
	struct blas_call *blas = &group.blas;
	batch_point(batch, routine->element, group.first, blas);
	const int64_t steps[] = {batch->stridea, batch->strideb, batch->stridec, group.count};
	const struct fortran_values values = cpu_fortran_make_values(routine, blas);
	union fortran_integer step[4];
	void (*code)(PARAMS_f77(STRIDED, D));
	if (!routine->wide && !cpu_fortran_has_narrow(steps, 4))
		return false;
	for (int i = 0; i < 4; i++)
		step[i] = cpu_fortran_make(routine, steps[i]);
	memcpy(&code, &routine->code, sizeof code);
	code(&trans[blas->transa], &trans[blas->transb], &values.m, &values.n, &values.k,
	     values.alpha, blas->a, &values.lda, &step[0], blas->b, &values.ldb, &step[1],
	     values.beta, blas->c, &values.ldc, &step[2], &step[3], 1, 1);
	return true;
}
