/* trial_call.c - makes a trial's call by any convention; built into a module beside each library */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/table/shapes.h"
#include "trial.h"

/* alpha or beta in the routine's own type. */
union scalar {
	float s[2];
	double d[2];
};

/*
 * The arguments in the forms that the conventions take: integers as their bytes in memory and in
 * registers.
 */
struct values {
	const char *side, *uplo, *transa, *transb, *diag;
	int order, side_flag, uplo_flag, transa_flag, transb_flag, diag_flag;
	int64_t m, n, k, lda, ldb, ldc, stridea, strideb, stridec, problems;
	union scalar alpha, beta;
	const void *alpha_at, *beta_at;
	void *a, *b, *c;
};

/* One letter, also small, or a word that begins with it. */
static const char *call_letters(const struct trial *t, int value, const char *const words[],
                                int count)
{
	static const char *const illegal = "?";
	return value >= 0 && value < count ? words[value * LETTERS_COUNT + (int)t->letters]
	                                   : illegal;
}

static int call_flag(int value, int first, int count)
{
	return value >= 0 && value < count ? first + value : 999;
}

static const char *call_transpose(const struct trial *t, enum transpose transpose)
{
	static const char *const words[] = {"N", "n", "No transpose", "T", "t", "transposed",
	                                    "C", "c", "Conjugate"};
	return call_letters(t, (int)transpose, words, 3);
}

static void call_make_flags(const struct trial *t, const struct trial_group *g, struct values *v)
{
	static const char *const sides[] = {"L", "l", "Left", "R", "r", "right"};
	static const char *const triangles[] = {"U", "u", "Upper", "L", "l", "lower"};
	static const char *const diagonals[] = {"N", "n", "Non-unit", "U", "u", "unit"};
	v->order = t->order;
	v->side = call_letters(t, (int)t->side, sides, 2);
	v->uplo = call_letters(t, (int)t->uplo, triangles, 2);
	v->diag = call_letters(t, (int)t->diag, diagonals, 2);
	v->transa = call_transpose(t, g->transa);
	v->transb = call_transpose(t, g->transb);
	v->side_flag = call_flag((int)t->side, 141, 2);
	v->uplo_flag = call_flag((int)t->uplo, 121, 2);
	v->diag_flag = call_flag((int)t->diag, 131, 2);
	v->transa_flag = call_flag((int)g->transa, 111, 3);
	v->transb_flag = call_flag((int)g->transb, 111, 3);
}

/*
 * A 32-bit integer with garbage above it, which a reader of 64 bits of memory or a register would
 * see.
 */
static int64_t call_integer(const struct trial *t, int64_t value)
{
	return t->wide ? value : (int64_t)((uint64_t)(uint32_t)value | 0x5a5a5a5a00000000);
}

static union scalar call_scalar(enum element element, const double value[2])
{
	union scalar scalar = {.d = {value[0], value[1]}};
	if (element == ELEMENT_S || element == ELEMENT_C) {
		scalar.s[0] = (float)value[0];
		scalar.s[1] = (float)value[1];
	}
	return scalar;
}

/*
 * Places alpha or beta directly before a page without access, which catches a read beyond the
 * scalar.
 */
static const void *call_place_scalar(const struct trial *t, const union scalar *scalar, bool beta)
{
	static char *pages[2];
	const size_t page = (size_t)sysconf(_SC_PAGESIZE),
		     whole = element_size_bytes(t->row->element);
	const bool half = element_is_complex(t->row->element) && trial_is_real_scalar(t, beta);
	const size_t bytes = half ? whole / 2 : whole;
	char **base = &pages[beta];
	if (*base == NULL)
		*base = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		             -1, 0);
	if (*base == MAP_FAILED || mprotect(*base + page, page, PROT_NONE) != 0)
		abort();
	return memcpy(*base + page - bytes, scalar, bytes);
}

static void call_make_values(const struct trial *t, char *arena, struct values *v)
{
	const struct trial_group *g = &t->group[0];
	call_make_flags(t, g, v);
	v->m = call_integer(t, g->m);
	v->n = call_integer(t, g->n);
	v->k = call_integer(t, g->k);
	v->lda = call_integer(t, g->lda);
	v->ldb = call_integer(t, g->ldb);
	v->ldc = call_integer(t, g->ldc);
	v->stridea = call_integer(t, t->stride[OPERAND_A]);
	v->strideb = call_integer(t, t->stride[OPERAND_B]);
	v->stridec = call_integer(t, t->stride[OPERAND_C]);
	v->problems = call_integer(t, g->problems);
	v->alpha = call_scalar(t->row->element, g->alpha);
	v->beta = call_scalar(t->row->element, g->beta);
	v->alpha_at = call_place_scalar(t, &v->alpha, false);
	v->beta_at = call_place_scalar(t, &v->beta, true);
	v->a = arena + t->offset[OPERAND_A][0];
	v->b = arena + t->offset[OPERAND_B][0];
	v->c = arena + t->offset[OPERAND_C][0];
}

#define CODE(params) ((void (*)(params))code)

static void call_f77(const struct trial *t, const struct values *v, void *code)
{
	const size_t sides = strlen(v->side), uplos = strlen(v->uplo), diags = strlen(v->diag),
		     as = strlen(v->transa), bs = strlen(v->transb);
	switch (t->row->shape) {
	case SHAPE_GEMM:
		CODE(PARAMS_f77(GEMM, D))
		(v->transa, v->transb, &v->m, &v->n, &v->k, v->alpha_at, v->a, &v->lda, v->b,
		 &v->ldb, v->beta_at, v->c, &v->ldc, as, bs);
		break;
	case SHAPE_GEMMT:
		CODE(PARAMS_f77(GEMMT, D))
		(v->uplo, v->transa, v->transb, &v->n, &v->k, v->alpha_at, v->a, &v->lda, v->b,
		 &v->ldb, v->beta_at, v->c, &v->ldc, uplos, as, bs);
		break;
	case SHAPE_SYMM:
		CODE(PARAMS_f77(SYMM, D))
		(v->side, v->uplo, &v->m, &v->n, v->alpha_at, v->a, &v->lda, v->b, &v->ldb,
		 v->beta_at, v->c, &v->ldc, sides, uplos);
		break;
	case SHAPE_SYRK:
	case SHAPE_HERK:
		CODE(PARAMS_f77(SYRK, D))
		(v->uplo, v->transa, &v->n, &v->k, v->alpha_at, v->a, &v->lda, v->beta_at, v->c,
		 &v->ldc, uplos, as);
		break;
	case SHAPE_SYR2K:
	case SHAPE_HER2K:
		CODE(PARAMS_f77(SYR2K, D))
		(v->uplo, v->transa, &v->n, &v->k, v->alpha_at, v->a, &v->lda, v->b, &v->ldb,
		 v->beta_at, v->c, &v->ldc, uplos, as);
		break;
	case SHAPE_TRMM:
		CODE(PARAMS_f77(TRMM, D))
		(v->side, v->uplo, v->transa, v->diag, &v->m, &v->n, v->alpha_at, v->a, &v->lda,
		 v->c, &v->ldc, sides, uplos, as, diags);
		break;
	case SHAPE_STRIDED:
		CODE(PARAMS_f77(STRIDED, D))
		(v->transa, v->transb, &v->m, &v->n, &v->k, v->alpha_at, v->a, &v->lda, &v->stridea,
		 v->b, &v->ldb, &v->strideb, v->beta_at, v->c, &v->ldc, &v->stridec, &v->problems,
		 as, bs);
		break;
	default: break;
	}
}

/* One call per element, since its scalars travel in its own type. */
#define BY_ELEMENT(call)                                                                           \
	switch (t->row->element) {                                                                 \
	case ELEMENT_S: call(S, v->alpha.s[0], v->beta.s[0], v->beta.s[0], v->alpha.s[0]); break;  \
	case ELEMENT_D: call(D, v->alpha.d[0], v->beta.d[0], v->beta.d[0], v->alpha.d[0]); break;  \
	case ELEMENT_C: call(C, v->alpha_at, v->beta_at, v->beta.s[0], v->alpha.s[0]); break;      \
	default: call(Z, v->alpha_at, v->beta_at, v->beta.d[0], v->alpha.d[0]); break;             \
	}

static void call_cblas_products(const struct trial *t, const struct values *v, void *code)
{
#define GEMM(E, alpha, beta, real_beta, real_alpha)                                                \
	CODE(PARAMS_cblas(GEMM, E))                                                                \
	(v->order, v->transa_flag, v->transb_flag, v->m, v->n, v->k, alpha, v->a, v->lda, v->b,    \
	 v->ldb, beta, v->c, v->ldc)
#define GEMMT(E, alpha, beta, real_beta, real_alpha)                                               \
	CODE(PARAMS_cblas(GEMMT, E))                                                               \
	(v->order, v->uplo_flag, v->transa_flag, v->transb_flag, v->n, v->k, alpha, v->a, v->lda,  \
	 v->b, v->ldb, beta, v->c, v->ldc)
#define SYMM(E, alpha, beta, real_beta, real_alpha)                                                \
	CODE(PARAMS_cblas(SYMM, E))                                                                \
	(v->order, v->side_flag, v->uplo_flag, v->m, v->n, alpha, v->a, v->lda, v->b, v->ldb,      \
	 beta, v->c, v->ldc)
#define TRMM(E, alpha, beta, real_beta, real_alpha)                                                \
	CODE(PARAMS_cblas(TRMM, E))                                                                \
	(v->order, v->side_flag, v->uplo_flag, v->transa_flag, v->diag_flag, v->m, v->n, alpha,    \
	 v->a, v->lda, v->c, v->ldc)
#define STRIDED(E, alpha, beta, real_beta, real_alpha)                                             \
	CODE(PARAMS_cblas(STRIDED, E))                                                             \
	(v->order, v->transa_flag, v->transb_flag, v->m, v->n, v->k, alpha, v->a, v->lda,          \
	 v->stridea, v->b, v->ldb, v->strideb, beta, v->c, v->ldc, v->stridec, v->problems)
	switch (t->row->shape) {
	case SHAPE_GEMM: BY_ELEMENT(GEMM) break;
	case SHAPE_GEMMT: BY_ELEMENT(GEMMT) break;
	case SHAPE_SYMM: BY_ELEMENT(SYMM) break;
	case SHAPE_TRMM: BY_ELEMENT(TRMM) break;
	default: BY_ELEMENT(STRIDED) break;
	}
}

static void call_cblas_updates(const struct trial *t, const struct values *v, void *code)
{
#define SYRK(E, alpha, beta, real_beta, real_alpha)                                                \
	CODE(PARAMS_cblas(SYRK, E))                                                                \
	(v->order, v->uplo_flag, v->transa_flag, v->n, v->k, alpha, v->a, v->lda, beta, v->c,      \
	 v->ldc)
#define HERK(E, alpha, beta, real_beta, real_alpha)                                                \
	CODE(PARAMS_cblas(HERK, E))                                                                \
	(v->order, v->uplo_flag, v->transa_flag, v->n, v->k, real_alpha, v->a, v->lda, real_beta,  \
	 v->c, v->ldc)
#define SYR2K(E, alpha, beta, real_beta, real_alpha)                                               \
	CODE(PARAMS_cblas(SYR2K, E))                                                               \
	(v->order, v->uplo_flag, v->transa_flag, v->n, v->k, alpha, v->a, v->lda, v->b, v->ldb,    \
	 beta, v->c, v->ldc)
#define HER2K(E, alpha, beta, real_beta, real_alpha)                                               \
	CODE(PARAMS_cblas(HER2K, E))                                                               \
	(v->order, v->uplo_flag, v->transa_flag, v->n, v->k, alpha, v->a, v->lda, v->b, v->ldb,    \
	 real_beta, v->c, v->ldc)
	switch (t->row->shape) {
	case SHAPE_SYRK: BY_ELEMENT(SYRK) break;
	case SHAPE_HERK: BY_ELEMENT(HERK) break;
	case SHAPE_SYR2K: BY_ELEMENT(SYR2K) break;
	default: BY_ELEMENT(HER2K) break;
	}
}

/* The arrays of a batch in groups. An entry more than is used, so that none is empty. */
struct lists {
	char transa[TRIAL_GROUPS + 1], transb[TRIAL_GROUPS + 1];
	int transa_flag[TRIAL_GROUPS + 1], transb_flag[TRIAL_GROUPS + 1];
	int64_t m[TRIAL_GROUPS], n[TRIAL_GROUPS], k[TRIAL_GROUPS], lda[TRIAL_GROUPS],
		ldb[TRIAL_GROUPS], ldc[TRIAL_GROUPS], size[TRIAL_GROUPS], groups;
	union scalar alpha[TRIAL_GROUPS], beta[TRIAL_GROUPS];
	void *operand[OPERAND_COUNT][TRIAL_PROBLEMS + 1];
};

static void call_list_integer(const struct trial *t, int64_t *list, int64_t i, int64_t value)
{
	const int32_t narrow = (int32_t)value;
	if (t->wide)
		list[i] = value;
	else
		memcpy((char *)list + i * (int64_t)sizeof narrow, &narrow, sizeof narrow);
}

static void call_list_scalar(const struct trial *t, union scalar *list, int64_t i,
                             const double value[2])
{
	const union scalar scalar = call_scalar(t->row->element, value);
	const size_t bytes = element_size_bytes(t->row->element);
	memcpy((char *)list + (size_t)i * bytes, &scalar, bytes);
}

static void call_make_lists(const struct trial *t, char *arena, struct lists *lists)
{
	for (int i = 0; i < t->groups; i++) {
		const struct trial_group *g = &t->group[i];
		lists->transa[i] = *call_transpose(t, g->transa);
		lists->transb[i] = *call_transpose(t, g->transb);
		lists->transa_flag[i] = call_flag((int)g->transa, 111, 3);
		lists->transb_flag[i] = call_flag((int)g->transb, 111, 3);
		call_list_integer(t, lists->m, i, g->m);
		call_list_integer(t, lists->n, i, g->n);
		call_list_integer(t, lists->k, i, g->k);
		call_list_integer(t, lists->lda, i, g->lda);
		call_list_integer(t, lists->ldb, i, g->ldb);
		call_list_integer(t, lists->ldc, i, g->ldc);
		call_list_integer(t, lists->size, i, g->problems);
		call_list_scalar(t, lists->alpha, i, g->alpha);
		call_list_scalar(t, lists->beta, i, g->beta);
	}
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		for (int p = 0; p < t->problems; p++)
			lists->operand[operand][p] = arena + t->offset[operand][p];
	lists->groups = call_integer(t, t->groups);
}

static void call_batch(const struct trial *t, char *arena, void *code)
{
	struct lists lists = {.groups = 0}, *l = &lists;
	void **a = l->operand[OPERAND_A], **b = l->operand[OPERAND_B], **c = l->operand[OPERAND_C];
	call_make_lists(t, arena, l);
	if (t->row->abi == BLAS_CBLAS)
		CODE(PARAMS_cblas(BATCH, D))
	(t->order, l->transa_flag, l->transb_flag, l->m, l->n, l->k, l->alpha, a, l->lda, b, l->ldb,
	 l->beta, c, l->ldc, l->groups, l->size);
	else CODE(PARAMS_f77(BATCH, D))(l->transa, l->transb, l->m, l->n, l->k, l->alpha, a, l->lda,
	                                b, l->ldb, l->beta, c, l->ldc, &l->groups, l->size, 1, 1);
}

void trial_call(const struct trial *t, char *arena, void *code)
{
	struct values values;
	if (t->row->shape == SHAPE_BATCH) {
		call_batch(t, arena, code);
		return;
	}
	call_make_values(t, arena, &values);
	if (t->row->abi != BLAS_CBLAS)
		call_f77(t, &values, code);
	else if (t->row->shape == SHAPE_SYRK || t->row->shape == SHAPE_HERK ||
	         t->row->shape == SHAPE_SYR2K || t->row->shape == SHAPE_HER2K)
		call_cblas_updates(t, &values, code);
	else
		call_cblas_products(t, &values, code);
}
