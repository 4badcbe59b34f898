/* sim_level3_test.c - level 3 of the stand-in against plain loops in long double, all flags */
/* SPDX-License-Identifier: Apache-2.0 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_matrix.h"
#include "sim_rules.h"

enum family { SYMM, HEMM, SYRK, HERK, SYR2K, HER2K, TRMM, TRMM_IN_PLACE, TRSM, FAMILIES };

static const char *const family_names[FAMILIES] = {
	"symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trmm in place", "trsm"};

struct problem {
	enum family family;
	char element;
	int side, uplo, trans, diag, m, n, k;
	double complex alpha, beta;
	struct sim_matrix a, b, c; /* as they were before the call */
};

struct sum {
	long double complex value;
	long double magnitude;
};

static bool is_rank(const struct problem *p)
{
	return p->family >= SYRK && p->family <= HER2K;
}

static bool is_triangular(const struct problem *p)
{
	return p->family >= TRMM;
}

static bool is_hermitian(const struct problem *p)
{
	return p->family == HEMM || p->family == HERK || p->family == HER2K;
}

static bool is_in_place(const struct problem *p)
{
	return p->family == TRSM || p->family == TRMM_IN_PLACE;
}

static bool has_b(const struct problem *p)
{
	return p->family != SYRK && p->family != HERK && !is_in_place(p);
}

static bool in_triangle(const struct problem *p, int row, int column)
{
	return p->uplo == SIM_UPLO_UPPER ? row <= column : row >= column;
}

static void sum_add(struct sum *sum, double complex factor, double complex x, double complex y)
{
	sum->value += (long double complex)factor * ((long double complex)x * y);
	sum->magnitude += (long double)(cabs(factor) * cabs(x) * cabs(y));
}

/*
 * One element of symmetric, Hermitian or triangular op(A), from referenced elements only. False for
 * an element outside the triangle.
 */
static bool square_at(const struct problem *p, int row, int column, double complex *value)
{
	bool flip = is_triangular(p) ? p->trans != SIM_TRANS_N : !in_triangle(p, row, column);
	int i = flip ? column : row, j = flip ? row : column;
	if (!in_triangle(p, i, j))
		return false;
	double complex found = *sim_matrix_at(&p->a, i, j);
	bool conjugate = is_triangular(p) ? p->trans == SIM_TRANS_C : is_hermitian(p) && flip;
	*value = conjugate ? conj(found) : found;
	if (i == j && is_triangular(p) && p->diag == SIM_DIAG_UNIT)
		*value = 1;
	if (i == j && p->family == HEMM)
		*value = creal(found);
	return true;
}

/* One element of factor (A X) or factor (X A). */
static struct sum side_sum(const struct problem *p, double complex factor,
                           const struct sim_matrix *x, int i, int j)
{
	struct sum sum = {0, 0};
	double complex value;
	for (int l = 0; l < p->k; l++)
		if (p->side == SIM_SIDE_LEFT && square_at(p, i, l, &value))
			sum_add(&sum, factor, value, *sim_matrix_at(x, l, j));
		else if (p->side == SIM_SIDE_RIGHT && square_at(p, l, j, &value))
			sum_add(&sum, factor, *sim_matrix_at(x, i, l), value);
	return sum;
}

static struct sum rank_sum(const struct problem *p, int i, int j)
{
	bool two = p->family == SYR2K || p->family == HER2K;
	const struct sim_matrix *right = two ? &p->b : &p->a;
	struct sum sum = {0, 0};
	for (int l = 0; l < p->k; l++) {
		double complex x = sim_matrix_get(&p->a, p->trans, i, l),
			       y = sim_matrix_get(right, p->trans, j, l);
		sum_add(&sum, p->alpha, x, is_hermitian(p) ? conj(y) : y);
		if (!two)
			continue;
		x = sim_matrix_get(&p->b, p->trans, i, l);
		y = sim_matrix_get(&p->a, p->trans, j, l);
		sum_add(&sum, is_hermitian(p) ? conj(p->alpha) : p->alpha, x,
		        is_hermitian(p) ? conj(y) : y);
	}
	return sum;
}

static bool close_to(const struct problem *p, const struct sum *sum, double complex value)
{
	long double factor = sim_matrix_epsilon(p->element) * (6 + 2 * sqrtl(p->k));
	return cabsl(sum->value - value) <= sum->magnitude * factor;
}

/* `got` is the whole result: trsm is checked by substituting it into the equation. */
static bool element_is_right(const struct problem *p, const struct sim_matrix *got, int i, int j)
{
	double complex value = *sim_matrix_at(got, i, j), old = *sim_matrix_at(&p->c, i, j);
	if (is_triangular(p) && p->alpha == 0)
		return value == 0;
	if (p->family == TRSM) {
		struct sum sum = side_sum(p, 1, got, i, j);
		sum.magnitude += (long double)(cabs(p->alpha) * cabs(old));
		return close_to(p, &sum, p->alpha * old);
	}
	struct sum sum = is_rank(p) ? rank_sum(p, i, j) : side_sum(p, p->alpha, &p->b, i, j);
	bool real = is_rank(p) && is_hermitian(p) && i == j;
	if (p->beta != 0)
		sum_add(&sum, p->beta, 1, real ? creal(old) : old);
	return close_to(p, &sum, value) && (!real || cimag(value) == 0);
}

static int wrong_elements(const struct problem *p, const void *device)
{
	struct sim_matrix got = sim_matrix_download(&p->c, device, p->element);
	int wrong = 0;
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < p->c.ld; i++)
			if (i < p->m && (!is_rank(p) || in_triangle(p, i, j)))
				wrong += !element_is_right(p, &got, i, j);
			else
				wrong += !sim_matrix_is_same(*sim_matrix_at(&got, i, j),
				                             *sim_matrix_at(&p->c, i, j));
	sim_matrix_free(&got);
	return wrong;
}

/* Whether the routine promises not to read this element of A, which lies inside its rows. */
static bool is_unreferenced(const struct problem *p, int i, int j)
{
	if (is_rank(p))
		return false;
	bool unread = is_triangular(p) && (p->alpha == 0 || (i == j && p->diag == SIM_DIAG_UNIT));
	return unread || !in_triangle(p, i, j);
}

static void poison_a(struct problem *p)
{
	double complex nan = sim_matrix_nan(sim_matrix_is_complex(p->element));
	for (int j = 0; j < p->a.columns; j++)
		for (int i = 0; i < p->a.ld; i++) {
			double complex *at = sim_matrix_at(&p->a, i, j);
			/*
			 * Solutions stay small, and these values are exact in single precision too.
			 */
			if (p->family == TRSM)
				*at = i == j ? sim_matrix_value(2, cimag(*at) / 64) : *at / 64;
			if (i >= p->a.rows || is_unreferenced(p, i, j))
				*at = nan;
			else if (p->family == HEMM && i == j)
				*at = sim_matrix_value(creal(*at), NAN);
		}
}

/*
 * Poisons everything else that must not be read: gaps, C when beta is 0, the imaginary part of a
 * Hermitian diagonal.
 */
static void poison_b_and_c(struct problem *p)
{
	double complex nan = sim_matrix_nan(sim_matrix_is_complex(p->element));
	bool zero_alpha = is_triangular(p) && p->alpha == 0;
	for (int j = 0; j < p->b.columns; j++)
		for (int i = 0; i < p->b.ld; i++)
			if (i >= p->b.rows || zero_alpha)
				*sim_matrix_at(&p->b, i, j) = nan;
	for (int j = 0; j < p->n; j++)
		for (int i = 0; i < p->m; i++) {
			double complex *at = sim_matrix_at(&p->c, i, j);
			bool fresh = is_in_place(p) ? zero_alpha : p->beta == 0;
			if (fresh && (!is_rank(p) || in_triangle(p, i, j)))
				*at = nan;
			else if (is_rank(p) && is_hermitian(p) && i == j)
				*at = sim_matrix_value(creal(*at), NAN);
		}
}

#define OF_FOUR(element, routine)                                                                  \
	((element) == 'S'   ? cuda.cublasS##routine                                                \
	 : (element) == 'D' ? cuda.cublasD##routine                                                \
	 : (element) == 'C' ? cuda.cublasC##routine                                                \
	                    : cuda.cublasZ##routine)
#define OF_TWO(element, routine) ((element) == 'C' ? cuda.cublasC##routine : cuda.cublasZ##routine)

static int problem_call(const struct problem *p, void *h, const void *a, const void *b, void *c)
{
	char alpha[16], beta[16], e = p->element;
	int side = p->side, uplo = p->uplo, trans = p->trans, diag = p->diag, m = p->m, n = p->n,
	    k = p->k;
	int lda = p->a.ld, ldb = p->b.ld, ldc = p->c.ld;
	sim_matrix_pack(e, p->alpha, alpha);
	sim_matrix_pack(e, p->beta, beta);
	switch (p->family) {
	case SYMM:
		return OF_FOUR(e, symm_v2)(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c,
		                           ldc);
	case HEMM:
		return OF_TWO(e, hemm_v2)(h, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
	case SYRK: return OF_FOUR(e, syrk_v2)(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
	case HERK: return OF_TWO(e, herk_v2)(h, uplo, trans, n, k, alpha, a, lda, beta, c, ldc);
	case SYR2K:
		return OF_FOUR(e, syr2k_v2)(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c,
		                            ldc);
	case HER2K:
		return OF_TWO(e, her2k_v2)(h, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c,
		                           ldc);
	case TRMM:
		return OF_FOUR(e, trmm_v2)(h, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb,
		                           c, ldc);
	case TRMM_IN_PLACE:
		return OF_FOUR(e, trmm_v2)(h, side, uplo, trans, diag, m, n, alpha, a, lda, c, ldc,
		                           c, ldc);
	default:
		return OF_FOUR(e, trsm_v2)(h, side, uplo, trans, diag, m, n, alpha, a, lda, c, ldc);
	}
}

static void problem_make(struct problem *p)
{
	bool is_complex = sim_matrix_is_complex(p->element);
	bool tall = is_rank(p) && p->trans != SIM_TRANS_N;
	int rank_rows = tall ? p->k : p->n, rank_columns = tall ? p->n : p->k;
	p->a = sim_matrix_new(is_rank(p) ? rank_rows : p->k, is_rank(p) ? rank_columns : p->k,
	                      is_complex);
	p->b = sim_matrix_new(is_rank(p) ? rank_rows : p->m, is_rank(p) ? rank_columns : p->n,
	                      is_complex);
	p->c = sim_matrix_new(p->m, p->n, is_complex);
	poison_a(p);
	poison_b_and_c(p);
	if (p->family == TRMM_IN_PLACE) {
		/* In place B is C, whose gap must stay unchanged. */
		sim_matrix_free(&p->b);
		p->b = p->c;
	}
}

static void problem_run(void *handle, struct problem *p)
{
	problem_make(p);
	void *a = sim_matrix_upload(&p->a, p->element), *c = sim_matrix_upload(&p->c, p->element);
	void *b = has_b(p) ? sim_matrix_upload(&p->b, p->element) : NULL;
	CHECK_IS(problem_call(p, handle, a, b, c), 0);
	if (!CHECK_IS(wrong_elements(p, c), 0))
		printf("    %c%s side %d uplo %d trans %d diag %d, %d x %d x %d, "
		       "alpha %g%+gi beta %g%+gi\n",
		       p->element, family_names[p->family], p->side, p->uplo, p->trans, p->diag,
		       p->m, p->n, p->k, creal(p->alpha), cimag(p->alpha), creal(p->beta),
		       cimag(p->beta));
	cuda.cudaFree(a);
	cuda.cudaFree(b);
	cuda.cudaFree(c);
	sim_matrix_free(&p->a);
	if (p->family != TRMM_IN_PLACE)
		sim_matrix_free(&p->b);
	sim_matrix_free(&p->c);
}

/* The blocks of the implementation are 32 for triangles and 96 for updates. */
static const int side_sizes[][2] = {{1, 1}, {3, 5}, {33, 7}, {9, 37}, {71, 41}};
static const int rank_sizes[][2] = {{1, 1}, {7, 0}, {5, 9}, {33, 3}, {101, 6}};
enum { SIZES = 5, SCALARS = 5 };

static void set_sizes(struct problem *p, int size)
{
	p->m = p->n = rank_sizes[size][0];
	p->k = rank_sizes[size][1];
	if (is_rank(p))
		return;
	p->m = side_sizes[size][0];
	p->n = side_sizes[size][1];
	p->k = p->side == SIM_SIDE_LEFT ? p->m : p->n;
}

/* Real scalars for real elements, and where Hermitian routines require them. */
static void set_scalars(struct problem *p, int index)
{
	static const double alphas[SCALARS][2] = {
		{1, 0}, {-0.5, 1}, {1.25, 0.75}, {0, 0}, {2, -0.5}};
	static const double betas[SCALARS][2] = {{0, 0}, {1, 0}, {0.75, 0.5}, {-2, 0}, {0.25, 1}};
	bool is_complex = sim_matrix_is_complex(p->element),
	     real_beta = p->family == HERK || p->family == HER2K;
	/* With alpha 0, all but the triangular routines read A and B. */
	p->alpha = sim_matrix_value(alphas[index][0],
	                            is_complex && p->family != HERK ? alphas[index][1] : 0);
	p->beta = sim_matrix_value(betas[index][0], is_complex && !real_beta ? betas[index][1] : 0);
	if (is_triangular(p))
		p->beta = 0;
}

static bool takes(const struct problem *p)
{
	bool is_complex = sim_matrix_is_complex(p->element),
	     has_trans = is_rank(p) || is_triangular(p);
	if ((!has_trans && p->trans) || (!is_triangular(p) && p->diag) || (is_rank(p) && p->side))
		return false;
	if (is_complex && (p->family == SYRK || p->family == SYR2K) && p->trans == SIM_TRANS_C)
		return false;
	return !is_hermitian(p) || (is_complex && p->trans != SIM_TRANS_T);
}

/* Runs every combination of flags at one size. Returns the number of combinations. */
static int flags_run(void *handle, enum family family, char element, int size)
{
	int runs = 0;
	for (int flags = 0; flags < 24; flags++) {
		struct problem p = {.family = family,
		                    .element = element,
		                    .side = flags & 1,
		                    .uplo = flags >> 1 & 1,
		                    .diag = flags >> 2 & 1,
		                    .trans = flags >> 3};
		if (!takes(&p))
			continue;
		set_sizes(&p, size);
		set_scalars(&p, (runs + size) % SCALARS);
		problem_run(handle, &p);
		runs++;
	}
	return runs;
}

static void families_run(enum family first, enum family last)
{
	void *handle = NULL;
	CHECK_IS(cuda.cublasCreate_v2(&handle), 0);
	for (int family = (int)first; family <= (int)last; family++)
		for (const char *element = "SDCZ"; *element; element++)
			for (int size = 0; size < SIZES; size++) {
				int runs = flags_run(handle, (enum family)family, *element, size);
				CHECK(runs > 0 || family == HEMM || family == HERK ||
				      family == HER2K);
			}
}

static void symm_is_right(void)
{
	families_run(SYMM, HEMM);
}

static void rank_updates_are_right(void)
{
	families_run(SYRK, HER2K);
}

static void trmm_is_right(void)
{
	families_run(TRMM, TRMM_IN_PLACE);
}

static void trsm_is_right(void)
{
	families_run(TRSM, TRSM);
}

int main(int count, char **arguments)
{
	static const struct rule level3_arithmetic[] = {
		{"level3: symm and hemm", RULE_ANYWHERE, NULL, symm_is_right},
		{"level3: syrk, herk, syr2k, her2k", RULE_ANYWHERE, NULL, rank_updates_are_right},
		{"level3: trmm", RULE_ANYWHERE, NULL, trmm_is_right},
		{"level3: trsm", RULE_ANYWHERE, NULL, trsm_is_right},
		{0},
	};
	static const struct rule *const lists[] = {level3_arithmetic, NULL};
	const char *folder = count > 1 && strcmp(arguments[1], "-") ? arguments[1] : NULL;
	return rules_run(folder, count > 2 ? atoi(arguments[2]) : 0, lists);
}
