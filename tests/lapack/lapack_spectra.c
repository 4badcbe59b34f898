/* lapack_spectra.c - residuals of eigenvalues and singular values, in the measures of LAPACK's testers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lapack_dense.h"
#include "lapack_judge.h"

static double spectra_value(const struct trial *t, enum copy copy, int64_t i)
{
	return creal(memory_get(t, copy, SLOT_W, i, 0));
}

/* Real values are in order, and near those of the library: |w - w'| / (n scale eps). */
static const char *spectra_compare(const struct trial *t, int64_t count, bool rising, double scale,
                                   double *ratio)
{
	double difference = 0;
	for (int64_t i = 0; i < count; i++) {
		const double value = spectra_value(t, judge_copy, i),
			     wanted = spectra_value(t, COPY_LIBRARY, i);
		if (i > 0) {
			const double before = spectra_value(t, judge_copy, i - 1);
			if (!(rising ? before <= value : before >= value))
				return "the values are not in order";
		}
		difference = judge_worse(fabs(value - wanted), difference);
	}
	*ratio = judge_worse(judge_ratio(t, difference, (double)t->n, scale), *ratio);
	return NULL;
}

/* A Z = B Z D, A B Z = Z D, or B A Z = Z D; B is the identity where there is no pair. */
static double spectra_residual(const struct trial *t, struct dense a, struct dense b, bool pair,
                               struct dense z)
{
	struct dense zd =
		dense_multiply(z, FORM_PLAIN, dense_identity(z.columns, z.columns), FORM_PLAIN);
	double values[ORDER_MAX];
	for (int64_t i = 0; i < z.columns; i++)
		values[i] = spectra_value(t, judge_copy, i);
	dense_scale_columns(zd, values);
	if (pair && t->itype == 1)
		zd = dense_multiply(b, FORM_PLAIN, zd, FORM_PLAIN);
	struct dense x = pair && t->itype == 2 ? dense_multiply(b, FORM_PLAIN, z, FORM_PLAIN) : z;
	x = dense_multiply(a, FORM_PLAIN, x, FORM_PLAIN);
	if (pair && t->itype == 3)
		x = dense_multiply(b, FORM_PLAIN, x, FORM_PLAIN);
	const double scale = dense_norm(a) * (pair ? dense_norm(b) * dense_norm(z) : 1);
	return judge_ratio(t, dense_norm(dense_subtract(x, zd)), (double)t->n, scale);
}

/* Z^H B Z = I; of the third kind B = Z Z^H, where Z has all vectors. */
static double spectra_normalisation(const struct trial *t, struct dense b, struct dense z)
{
	if (t->itype != 3) {
		struct dense product = dense_multiply(
			z, FORM_ADJOINT, dense_multiply(b, FORM_PLAIN, z, FORM_PLAIN), FORM_PLAIN);
		const double norm = dense_norm(z);
		struct dense rest = dense_subtract(dense_identity(z.columns, z.columns), product);
		return judge_ratio(t, dense_norm(rest), (double)t->n,
		                   fmax(1, norm * norm * dense_norm(b)));
	}
	if (z.columns < t->n)
		return 0;
	struct dense product = dense_multiply(z, FORM_PLAIN, z, FORM_ADJOINT);
	return judge_ratio(t, dense_norm(dense_subtract(b, product)), (double)t->n, dense_norm(b));
}

const char *judge_symmetric(const struct trial *t, double *ratio)
{
	const bool expert = t->family == SYEVR || t->family == SYEVX || t->family == SYGVX;
	const bool pair = t->family >= SYGV, upper = t->uplo == 'U';
	const int64_t count = expert ? t->outcome[judge_copy].found : t->n;
	if (expert && t->outcome[judge_copy].found != t->outcome[COPY_LIBRARY].found)
		return "another number of eigenvalues than the library's";
	/* B's least eigenvalue is a tenth. */
	struct dense a = dense_read_hermitian(t, COPY_BEFORE, SLOT_A, upper);
	const char *verdict =
		spectra_compare(t, count, true, dense_norm(a) * (pair ? 10 : 1), ratio);
	if (verdict != NULL)
		return verdict;
	struct dense b = pair ? dense_read_hermitian(t, COPY_BEFORE, SLOT_B, upper)
	                      : dense_identity(t->n, t->n);
	if (pair)
		*ratio = judge_worse(judge_factor_of_pair(t), *ratio);
	if (t->job == 'N')
		return NULL;
	struct dense z = dense_take(dense_read(t, judge_copy, expert ? SLOT_U : SLOT_A), count);
	*ratio = judge_worse(spectra_residual(t, a, b, pair, z), *ratio);
	*ratio = judge_worse(pair ? spectra_normalisation(t, b, z) : judge_orthogonality(t, z),
	                     *ratio);
	return NULL;
}

/* A's content where vectors overwrite it: the first columns, or rows. */
static struct dense spectra_overwritten(const struct trial *t, bool left)
{
	const int64_t k = t->m < t->n ? t->m : t->n;
	struct dense a = dense_read(t, judge_copy, SLOT_A);
	if (left)
		return dense_take(a, k);
	return dense_transpose(dense_take(dense_transpose(a, false), k), false);
}

/* The left or right vectors as columns; none where the job asks for none. */
static struct dense spectra_vectors(const struct trial *t, bool left)
{
	const char job = left ? t->job : t->job2;
	const bool in_a = job == 'O' && (t->family == GESVD || left == (t->m >= t->n));
	if (job == 'N')
		return dense_make(left ? t->m : t->n, 0);
	struct dense x = in_a ? spectra_overwritten(t, left)
	                      : dense_read(t, judge_copy, left ? SLOT_U : SLOT_V);
	return left ? x : dense_transpose(x, true);
}

/* The rows of X^H A are orthogonal, as long as the singular values: |Y Y^H - S S| / (n |A|^2). */
static double spectra_lengths(const struct trial *t, struct dense a, struct dense x)
{
	struct dense y = dense_multiply(x, FORM_ADJOINT, a, FORM_PLAIN);
	struct dense rest = dense_multiply(y, FORM_PLAIN, y, FORM_ADJOINT);
	const int64_t k = t->m < t->n ? t->m : t->n;
	for (int64_t i = 0; i < x.columns && i < k; i++) {
		const double value = spectra_value(t, judge_copy, i);
		*dense_at(rest, i, i) -= value * value;
	}
	const double norm = dense_norm(a) * dense_norm(dense_transpose(a, true));
	return judge_ratio(t, dense_norm(rest), fmax((double)t->m, (double)t->n), norm);
}

static const char *spectra_singular(const struct trial *t, double *ratio)
{
	const int64_t k = t->m < t->n ? t->m : t->n;
	struct dense a = dense_read(t, COPY_BEFORE, SLOT_A);
	const char *verdict = spectra_compare(t, k, false, dense_norm(a), ratio);
	if (verdict != NULL)
		return verdict;
	if (k > 0 && !(spectra_value(t, judge_copy, k - 1) >= 0))
		return "a singular value is negative";
	struct dense u = spectra_vectors(t, true), v = spectra_vectors(t, false);
	*ratio = judge_worse(judge_orthogonality(t, u), *ratio);
	*ratio = judge_worse(judge_orthogonality(t, v), *ratio);
	*ratio = judge_worse(spectra_lengths(t, a, u), *ratio);
	*ratio = judge_worse(spectra_lengths(t, dense_transpose(a, true), v), *ratio);
	if (u.columns < k || v.columns < k)
		return NULL;
	double values[ORDER_MAX];
	for (int64_t i = 0; i < k; i++)
		values[i] = spectra_value(t, judge_copy, i);
	struct dense us =
		dense_multiply(dense_take(u, k), FORM_PLAIN, dense_identity(k, k), FORM_PLAIN);
	dense_scale_columns(us, values);
	struct dense rest =
		dense_subtract(a, dense_multiply(us, FORM_PLAIN, dense_take(v, k), FORM_ADJOINT));
	*ratio = judge_worse(
		judge_ratio(t, dense_norm(rest), fmax((double)t->m, (double)t->n), dense_norm(a)),
		*ratio);
	return NULL;
}

static double complex spectra_eigenvalue(const struct trial *t, int64_t i)
{
	const double complex w = memory_get(t, judge_copy, SLOT_W, i, 0);
	return type_is_complex(t->type)
	               ? w
	               : CMPLX(creal(w), creal(memory_get(t, judge_copy, SLOT_WI, i, 0)));
}

/* Real types hold a pair's vector as two columns, its real and its imaginary part. */
static struct dense spectra_unpack(const struct trial *t, enum slot slot)
{
	struct dense x = dense_read(t, judge_copy, slot);
	for (int64_t j = 0; j + 1 < x.columns && !type_is_complex(t->type); j++) {
		if (!(cimag(spectra_eigenvalue(t, j)) > 0))
			continue;
		for (int64_t i = 0; i < x.rows; i++) {
			const double re = creal(*dense_at(x, i, j)),
				     im = creal(*dense_at(x, i, j + 1));
			*dense_at(x, i, j) = CMPLX(re, im);
			*dense_at(x, i, j + 1) = CMPLX(re, -im);
		}
		j++;
	}
	return x;
}

/* |A V - V W| / (|A| |V| eps), and the length of each vector. */
static double spectra_of_general(const struct trial *t, struct dense a, struct dense v,
                                 bool conjugate)
{
	struct dense vw =
		dense_multiply(v, FORM_PLAIN, dense_identity(v.columns, v.columns), FORM_PLAIN);
	double worst = 0;
	for (int64_t j = 0; j < v.columns; j++) {
		const double complex w = spectra_eigenvalue(t, j);
		double square = 0;
		for (int64_t i = 0; i < v.rows; i++) {
			*dense_at(vw, i, j) *= conjugate ? conj(w) : w;
			square += creal(*dense_at(v, i, j) * conj(*dense_at(v, i, j)));
		}
		worst = judge_worse(judge_ratio(t, fabs(sqrt(square) - 1), (double)t->n, 1), worst);
	}
	struct dense rest = dense_subtract(dense_multiply(a, FORM_PLAIN, v, FORM_PLAIN), vw);
	return judge_worse(judge_ratio(t, dense_norm(rest), 1, dense_norm(a) * dense_norm(v)),
	                   worst);
}

static const char *spectra_general(const struct trial *t, double *ratio)
{
	struct dense a = dense_read(t, COPY_BEFORE, SLOT_A);
	double complex sum = 0;
	for (int64_t i = 0; i < t->n; i++)
		sum += spectra_eigenvalue(t, i) - *dense_at(a, i, i);
	*ratio = judge_worse(judge_ratio(t, cabs(sum), (double)t->n * (double)t->n, dense_norm(a)),
	                     *ratio);
	for (int64_t i = 0; i < t->n && !type_is_complex(t->type); i++) {
		const double complex w = spectra_eigenvalue(t, i);
		if (cimag(w) == 0)
			continue;
		if (i + 1 == t->n || cimag(w) < 0 || spectra_eigenvalue(t, i + 1) != conj(w))
			return "complex eigenvalues are no pair";
		i++;
	}
	if (t->job2 == 'V')
		*ratio = judge_worse(spectra_of_general(t, a, spectra_unpack(t, SLOT_V), false),
		                     *ratio);
	if (t->job == 'V')
		*ratio = judge_worse(spectra_of_general(t, dense_transpose(a, true),
		                                        spectra_unpack(t, SLOT_U), true),
		                     *ratio);
	return NULL;
}

const char *judge_spectral(const struct trial *t, double *ratio)
{
	return t->family == GEEV ? spectra_general(t, ratio) : spectra_singular(t, ratio);
}
