/* cpu_fortran.c - calls a library's Fortran routines of level 3 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_fortran.h"

#include <string.h>

#include "shim/table/shapes.h"

/* An integer in both widths: the library reads the one it has. */
union fortran_integer {
	int32_t narrow;
	int64_t wide;
};

/* Arguments of all families' lists. */
struct fortran_arguments {
	const char *side, *uplo, *transa, *transb, *diag;
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

static struct fortran_arguments cpu_fortran_describe(const struct cpu_fortran *routine,
                                                     const struct blas_call *blas)
{
	static const char trans[] = "NTC";
	struct fortran_arguments with = {
		.side = blas->side == SIDE_LEFT ? "L" : "R",
		.uplo = blas->uplo == UPLO_UPPER ? "U" : "L",
		.transa = &trans[blas->transa],
		.transb = &trans[blas->transb],
		.diag = blas->diag == DIAG_NON_UNIT ? "N" : "U",
		.m = cpu_fortran_make(routine, blas->m),
		.n = cpu_fortran_make(routine, blas->n),
		.k = cpu_fortran_make(routine, blas->k),
		.lda = cpu_fortran_make(routine, blas->lda),
		.ldb = cpu_fortran_make(routine, blas->ldb),
		.ldc = cpu_fortran_make(routine, blas->ldc),
	};
	cpu_fortran_write_scalar(routine->element, blas->alpha, with.alpha);
	cpu_fortran_write_scalar(routine->element, blas->beta, with.beta);
	return with;
}

static void cpu_fortran_run_gemm(void *code, const struct blas_call *blas,
                                 const struct fortran_arguments *with)
{
	void (*gemm)(PARAMS_f77(GEMM, D));
	memcpy(&gemm, &code, sizeof gemm);
	gemm(with->transa, with->transb, &with->m, &with->n, &with->k, with->alpha, blas->a,
	     &with->lda, blas->b, &with->ldb, with->beta, blas->c, &with->ldc, 1, 1);
}

static void cpu_fortran_run_gemmt(void *code, const struct blas_call *blas,
                                  const struct fortran_arguments *with)
{
	void (*gemmt)(PARAMS_f77(GEMMT, D));
	memcpy(&gemmt, &code, sizeof gemmt);
	gemmt(with->uplo, with->transa, with->transb, &with->n, &with->k, with->alpha, blas->a,
	      &with->lda, blas->b, &with->ldb, with->beta, blas->c, &with->ldc, 1, 1, 1);
}

static void cpu_fortran_run_symm(void *code, const struct blas_call *blas,
                                 const struct fortran_arguments *with)
{
	void (*symm)(PARAMS_f77(SYMM, D));
	memcpy(&symm, &code, sizeof symm);
	symm(with->side, with->uplo, &with->m, &with->n, with->alpha, blas->a, &with->lda, blas->b,
	     &with->ldb, with->beta, blas->c, &with->ldc, 1, 1);
}

static void cpu_fortran_run_syrk(void *code, const struct blas_call *blas,
                                 const struct fortran_arguments *with)
{
	void (*syrk)(PARAMS_f77(SYRK, D));
	memcpy(&syrk, &code, sizeof syrk);
	syrk(with->uplo, with->transa, &with->n, &with->k, with->alpha, blas->a, &with->lda,
	     with->beta, blas->c, &with->ldc, 1, 1);
}

static void cpu_fortran_run_syr2k(void *code, const struct blas_call *blas,
                                  const struct fortran_arguments *with)
{
	void (*syr2k)(PARAMS_f77(SYR2K, D));
	memcpy(&syr2k, &code, sizeof syr2k);
	syr2k(with->uplo, with->transa, &with->n, &with->k, with->alpha, blas->a, &with->lda,
	      blas->b, &with->ldb, with->beta, blas->c, &with->ldc, 1, 1);
}

static void cpu_fortran_run_trmm(void *code, const struct blas_call *blas,
                                 const struct fortran_arguments *with)
{
	void (*trmm)(PARAMS_f77(TRMM, D));
	memcpy(&trmm, &code, sizeof trmm);
	trmm(with->side, with->uplo, with->transa, with->diag, &with->m, &with->n, with->alpha,
	     blas->a, &with->lda, blas->c, &with->ldc, 1, 1, 1, 1);
}

void cpu_fortran_run(const struct cpu_fortran *routine, const struct blas_call *blas)
{
	static void (*const run[FAMILY_KIND_COUNT])(void *, const struct blas_call *,
	                                            const struct fortran_arguments *) = {
		[FAMILY_KIND_PRODUCT] = cpu_fortran_run_gemm,
		[FAMILY_KIND_TRIANGLE_OF_PRODUCT] = cpu_fortran_run_gemmt,
		[FAMILY_KIND_SYMMETRIC] = cpu_fortran_run_symm,
		[FAMILY_KIND_RANK_K] = cpu_fortran_run_syrk,
		[FAMILY_KIND_RANK_2K] = cpu_fortran_run_syr2k,
		[FAMILY_KIND_TRIANGULAR] = cpu_fortran_run_trmm,
	};
	const struct fortran_arguments with = cpu_fortran_describe(routine, blas);
	run[family_find_kind(routine->family)](routine->code, blas, &with);
}
