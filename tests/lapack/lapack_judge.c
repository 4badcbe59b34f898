/* lapack_judge.c - residuals and orthogonality, in the measures of LAPACK's own testers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lapack_dense.h"
#include "lapack_judge.h"

enum copy judge_copy;

/*
 * LAPACK Working Note 41 tests ratios |residual| / (n |A| eps) against 30, in the norm of column
 * sums, with eps the unit roundoff of the type. n is the largest size of the matrix.
 */
static double judge_eps(const struct trial *t)
{
	return (type_is_single(t->type) ? FLT_EPSILON : DBL_EPSILON) / 2;
}

/* A ratio of nothing is zero; one of a NaN is a NaN. */
double judge_ratio(const struct trial *t, double error, double size, double scale)
{
	if (error == 0)
		return 0;
	return error / (fmax(size, 1) * scale * judge_eps(t));
}

/* |I - Q^H Q| / (n eps) for the columns of Q. */
double judge_orthogonality(const struct trial *t, struct dense q)
{
	struct dense product = dense_multiply(q, FORM_ADJOINT, q, FORM_PLAIN);
	struct dense rest = dense_subtract(dense_identity(q.columns, q.columns), product);
	return judge_ratio(t, dense_norm(rest), (double)q.rows, 1);
}

/* The larger one, or a NaN. */
double judge_worse(double x, double y)
{
	return isnan(x) || x > y ? x : y;
}

/* op(A) X = B, the worst of the columns: |B - op(A) X| / (|A| |X| eps). */
double judge_solution(const struct trial *t, struct dense a, struct dense x, struct dense b)
{
	struct dense rest = dense_subtract(b, dense_multiply(a, FORM_PLAIN, x, FORM_PLAIN));
	double worst = 0;
	for (int64_t j = 0; j < x.columns; j++) {
		struct dense rest_j = {rest.rows, 1, dense_at(rest, 0, j)},
			     x_j = {x.rows, 1, dense_at(x, 0, j)};
		worst = judge_worse(
			judge_ratio(t, dense_norm(rest_j), 1, dense_norm(a) * dense_norm(x_j)),
			worst);
	}
	return worst;
}

/* Interchanges the rows as getrf's pivots say, or back. False where a pivot is none. */
static bool judge_swap(const struct trial *t, enum copy copy, struct dense x, bool back)
{
	const int64_t count = t->operand[SLOT_IPIV].rows;
	for (int64_t step = 0; step < count; step++) {
		const int64_t i = back ? count - 1 - step : step;
		const int64_t p = (int64_t)creal(memory_get(t, copy, SLOT_IPIV, i, 0)) - 1;
		if (p < i || p >= t->operand[SLOT_A].rows)
			return false;
		for (int64_t j = 0; j < x.columns && p != i; j++) {
			const double complex swap = *dense_at(x, i, j);
			*dense_at(x, i, j) = *dense_at(x, p, j);
			*dense_at(x, p, j) = swap;
		}
	}
	return true;
}

/* P A = L U; the multipliers are at most 1, as |real| + |imaginary| of the pivots was largest. */
const char *judge_lu(const struct trial *t, enum copy copy, double *ratio)
{
	struct dense before = dense_read(t, COPY_BEFORE, SLOT_A), f = dense_read(t, copy, SLOT_A);
	const int64_t k = f.rows < f.columns ? f.rows : f.columns;
	struct dense l = dense_identity(f.rows, k), u = dense_make(k, f.columns);
	double largest = 0;
	for (int64_t j = 0; j < f.columns; j++)
		for (int64_t i = 0; i < f.rows; i++) {
			if (i <= j && i < k)
				*dense_at(u, i, j) = *dense_at(f, i, j);
			else if (j < k) {
				*dense_at(l, i, j) = *dense_at(f, i, j);
				largest = judge_worse(cabs(*dense_at(f, i, j)), largest);
			}
		}
	struct dense product = dense_multiply(l, FORM_PLAIN, u, FORM_PLAIN);
	if (!judge_swap(t, copy, product, true))
		return "a pivot is no row";
	if (!(largest <= (type_is_complex(t->type) ? M_SQRT2 : 1) + 1e-3))
		return "a multiplier is larger than partial pivoting allows";
	*ratio = judge_ratio(t, dense_norm(dense_subtract(before, product)), (double)f.columns,
	                     dense_norm(before));
	return NULL;
}

static struct dense judge_form(struct dense x, char trans)
{
	return trans == 'N' ? x : dense_transpose(x, trans == 'C');
}

/* The matrix that a factor before the call stands for. */
static struct dense judge_rebuild(const struct trial *t, enum copy copy)
{
	if (t->family == GETRS || t->family == GETRI) {
		struct dense l = dense_read_triangle(t, copy, SLOT_A, false, true),
			     u = dense_read_triangle(t, copy, SLOT_A, true, false);
		struct dense product = dense_multiply(l, FORM_PLAIN, u, FORM_PLAIN);
		judge_swap(t, copy, product, true);
		return product;
	}
	struct dense f = dense_read_triangle(t, copy, SLOT_A, t->uplo == 'U', false);
	return t->uplo == 'U' ? dense_multiply(f, FORM_ADJOINT, f, FORM_PLAIN)
	                      : dense_multiply(f, FORM_PLAIN, f, FORM_ADJOINT);
}

/* |I - X A| / (n |A| |X| eps), or |I - A X| where the right inverse is the one that is small. */
double judge_inverse(const struct trial *t, struct dense a, struct dense x, bool left)
{
	struct dense product = left ? dense_multiply(x, FORM_PLAIN, a, FORM_PLAIN)
	                            : dense_multiply(a, FORM_PLAIN, x, FORM_PLAIN);
	return judge_ratio(t, dense_norm(dense_subtract(dense_identity(a.rows, a.rows), product)),
	                   (double)a.rows, dense_norm(a) * dense_norm(x));
}

/* A = U^H U or L L^H. */
static double judge_cholesky(const struct trial *t, enum slot slot, enum copy copy)
{
	const bool upper = t->uplo == 'U';
	struct dense a = dense_read_hermitian(t, COPY_BEFORE, slot, upper),
		     f = dense_read_triangle(t, copy, slot, upper, false);
	struct dense product = upper ? dense_multiply(f, FORM_ADJOINT, f, FORM_PLAIN)
	                             : dense_multiply(f, FORM_PLAIN, f, FORM_ADJOINT);
	return judge_ratio(t, dense_norm(dense_subtract(a, product)), (double)a.rows,
	                   dense_norm(a));
}

double judge_factor_of_pair(const struct trial *t)
{
	return judge_cholesky(t, SLOT_B, judge_copy);
}

/* Q from the reflections below the diagonal of f: its first columns. */
static struct dense judge_q(struct dense f, struct dense tau, int64_t columns)
{
	struct dense q = dense_identity(f.rows, columns);
	for (int64_t j = tau.rows - 1; j >= 0; j--)
		if (j < f.rows)
			dense_reflect(q, j, dense_at(f, j, j), *dense_at(tau, j, 0));
	return q;
}

static double judge_qr(const struct trial *t)
{
	struct dense a = dense_read(t, COPY_BEFORE, SLOT_A), f = dense_read(t, judge_copy, SLOT_A);
	struct dense q = judge_q(f, dense_read(t, judge_copy, SLOT_TAU), f.rows);
	struct dense r = dense_read_triangle(t, judge_copy, SLOT_A, true, false);
	struct dense rest = dense_subtract(r, dense_multiply(q, FORM_ADJOINT, a, FORM_PLAIN));
	return judge_worse(judge_ratio(t, dense_norm(rest), (double)a.rows, dense_norm(a)),
	                   judge_orthogonality(t, q));
}

static double judge_made_q(const struct trial *t)
{
	struct dense tau = dense_read(t, COPY_BEFORE, SLOT_TAU),
		     wanted = judge_q(dense_read(t, COPY_BEFORE, SLOT_A), tau, t->n),
		     q = dense_read(t, judge_copy, SLOT_A);
	return judge_worse(judge_ratio(t, dense_norm(dense_subtract(q, wanted)), (double)q.rows, 1),
	                   judge_orthogonality(t, q));
}

static double judge_applied_q(const struct trial *t)
{
	struct dense f = dense_read(t, COPY_BEFORE, SLOT_A);
	struct dense q = judge_q(f, dense_read(t, COPY_BEFORE, SLOT_TAU), f.rows);
	struct dense c = dense_read(t, COPY_BEFORE, SLOT_B);
	q = judge_form(q, t->trans == 'N' ? 'N' : 'C');
	struct dense wanted = t->side == 'L' ? dense_multiply(q, FORM_PLAIN, c, FORM_PLAIN)
	                                     : dense_multiply(c, FORM_PLAIN, q, FORM_PLAIN);
	struct dense rest = dense_subtract(dense_read(t, judge_copy, SLOT_B), wanted);
	return judge_ratio(t, dense_norm(rest), (double)f.rows, dense_norm(c));
}

/* The length of what gels leaves in B below X: that of the residual, column by column. */
static double judge_rest(const struct trial *t, struct dense x, struct dense rest, struct dense b)
{
	double worst = 0;
	for (int64_t j = 0; j < rest.columns; j++) {
		double wanted = 0, left = 0, whole = 0;
		for (int64_t i = 0; i < rest.rows; i++) {
			wanted = hypot(wanted, cabs(*dense_at(rest, i, j)));
			whole = hypot(whole, cabs(*dense_at(b, i, j)));
			if (i >= x.rows)
				left = hypot(left, cabs(memory_get(t, judge_copy, SLOT_B, i, j)));
		}
		worst = judge_worse(judge_ratio(t, fabs(wanted - left), (double)rest.rows, whole),
		                    worst);
	}
	return worst;
}

/*
 * Of an overdetermined system the residual is orthogonal to op(A)'s columns, of another one it is
 * zero: |op(A)^H (B - op(A) X)| / (max(m, n, nrhs) |A| |B| eps).
 */
static double judge_least_squares(const struct trial *t)
{
	struct dense a = judge_form(dense_read(t, COPY_BEFORE, SLOT_A), t->trans);
	struct dense b = dense_make(a.rows, t->nrhs), x = dense_make(a.columns, t->nrhs);
	for (int64_t j = 0; j < t->nrhs; j++) {
		for (int64_t i = 0; i < a.rows; i++)
			*dense_at(b, i, j) = memory_get(t, COPY_BEFORE, SLOT_B, i, j);
		for (int64_t i = 0; i < a.columns; i++)
			*dense_at(x, i, j) = memory_get(t, judge_copy, SLOT_B, i, j);
	}
	if (dense_norm(a) == 0)
		return dense_norm(x) == 0 ? 0 : NAN;
	const double size = fmax((double)fmax(t->m, t->n), t->nrhs);
	const double norm = dense_norm(a) * dense_norm(x) + dense_norm(b);
	struct dense rest = dense_subtract(b, dense_multiply(a, FORM_PLAIN, x, FORM_PLAIN));
	if (a.rows <= a.columns)
		return judge_ratio(t, dense_norm(rest), size, norm);
	const double ratio =
		judge_ratio(t, dense_norm(dense_multiply(a, FORM_ADJOINT, rest, FORM_PLAIN)), size,
	                    dense_norm(dense_transpose(a, true)) * norm);
	return judge_worse(judge_rest(t, x, rest, b), ratio);
}

static double judge_solve(const struct trial *t, struct dense a)
{
	return judge_solution(t, a, dense_read(t, judge_copy, SLOT_B),
	                      dense_read(t, COPY_BEFORE, SLOT_B));
}

static const char *judge_linear(const struct trial *t, double *ratio)
{
	const bool upper = t->uplo == 'U';
	const char *verdict = NULL;
	switch (t->family) {
	case GETRF: return judge_lu(t, judge_copy, ratio);
	case GESV:
		verdict = judge_lu(t, judge_copy, ratio);
		*ratio = judge_worse(judge_solve(t, dense_read(t, COPY_BEFORE, SLOT_A)), *ratio);
		return verdict;
	case GETRS:
		*ratio = judge_solve(t, judge_form(judge_rebuild(t, COPY_BEFORE), t->trans));
		break;
	case POTRS: *ratio = judge_solve(t, judge_rebuild(t, COPY_BEFORE)); break;
	case GETRI:
		*ratio = judge_inverse(t, judge_rebuild(t, COPY_BEFORE),
		                       dense_read(t, judge_copy, SLOT_A), true);
		break;
	case POTRI:
		*ratio = judge_inverse(t, judge_rebuild(t, COPY_BEFORE),
		                       dense_read_hermitian(t, judge_copy, SLOT_A, upper), false);
		break;
	case POTRF: *ratio = judge_cholesky(t, SLOT_A, judge_copy); break;
	case POSV:
		*ratio = judge_worse(
			judge_cholesky(t, SLOT_A, judge_copy),
			judge_solve(t, dense_read_hermitian(t, COPY_BEFORE, SLOT_A, upper)));
		break;
	case TRTRI:
		*ratio = judge_inverse(
			t, dense_read_triangle(t, COPY_BEFORE, SLOT_A, upper, t->diag == 'U'),
			dense_read_triangle(t, judge_copy, SLOT_A, upper, t->diag == 'U'), false);
		break;
	case GEQRF: *ratio = judge_qr(t); break;
	case ORGQR: *ratio = judge_made_q(t); break;
	case ORMQR: *ratio = judge_applied_q(t); break;
	default: *ratio = judge_least_squares(t); break;
	}
	return verdict;
}

static const char *judge_results(const struct trial *t, enum copy copy, double *ratio)
{
	*ratio = 0;
	judge_copy = copy;
	if (t->family <= GELS)
		return judge_linear(t, ratio);
	return t->family <= SYGVX ? judge_symmetric(t, ratio) : judge_spectral(t, ratio);
}

/*
 * Some of LAPACK's algorithms exceed the bound now and then, such as that of syevr: results that
 * are no worse than twice the library's are accepted.
 */
const char *judge_trial(const struct trial *t, double *worst)
{
	static char text[80];
	double ratio, library;
	const char *verdict = judge_results(t, COPY_SHIM, &ratio);
	if (verdict != NULL)
		return verdict;
	if (!(ratio <= JUDGE_THRESHOLD)) {
		judge_results(t, COPY_LIBRARY, &library);
		if (!(ratio <= 2 * library)) {
			snprintf(text, sizeof text, "a ratio of %.3g, that of the library is %.3g",
			         ratio, library);
			return text;
		}
	}
	*worst = ratio > *worst ? ratio : *worst;
	return NULL;
}
