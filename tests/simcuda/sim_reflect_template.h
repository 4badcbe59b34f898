/* sim_reflect_template.h - the loops of sim_reflect.c and sim_eigen.c for one element */
/* SPDX-License-Identifier: Apache-2.0 */

/* Begun and ended by the template that includes it. */

/*
 * H = I - tau v v^H with v[0] = 1 and H^H x = (beta, 0, ...): x becomes beta and the rest of v.
 * Returns tau. The sum is scaled, so that no square overflows or vanishes.
 */
static inline ELEMENT NAME(reflector)(ELEMENT *x, int64_t n)
{
	double sum = 0;
	REAL largest = 0;
	for (int64_t i = 1; i < n; i++)
		largest = SIZE_OF(x[i]) > largest ? SIZE_OF(x[i]) : largest;
	for (int64_t i = 1; i < n && largest > 0; i++)
		sum += SQUARE_OF(x[i] / largest);
	const ELEMENT alpha = x[0];
	const double rest = sqrt(sum) * (double)largest, size = hypot(MODULUS(alpha), rest);
	if (rest == 0 && alpha == REAL_PART(alpha))
		return 0;
	const REAL beta = (REAL)(REAL_PART(alpha) < 0 ? size : -size);
	for (int64_t i = 1; i < n; i++)
		x[i] /= alpha - beta;
	x[0] = beta;
	return (beta - alpha) / beta;
}

/* C := (I - tau v v^H) C of rows x columns; v[0] counts as 1. */
static inline void NAME(reflect_left)(const ELEMENT *v, ELEMENT tau, ELEMENT *c, int64_t ldc,
                                      int64_t rows, int64_t columns)
{
	for (int64_t j = 0; j < columns && rows > 0 && tau != 0; j++, c += ldc) {
		ELEMENT sum = c[0];
		for (int64_t i = 1; i < rows; i++)
			sum += CONJUGATE(v[i]) * c[i];
		sum *= tau;
		c[0] -= sum;
		for (int64_t i = 1; i < rows; i++)
			c[i] -= sum * v[i];
	}
}

/* C := C (I - tau v v^H) of rows x columns; v[0] counts as 1. */
static inline void NAME(reflect_right)(const ELEMENT *v, ELEMENT tau, ELEMENT *c, int64_t ldc,
                                       int64_t rows, int64_t columns)
{
	for (int64_t i = 0; i < rows && columns > 0 && tau != 0; i++, c++) {
		ELEMENT sum = c[0];
		for (int64_t j = 1; j < columns; j++)
			sum += c[j * ldc] * v[j];
		sum *= tau;
		c[0] -= sum;
		for (int64_t j = 1; j < columns; j++)
			c[j * ldc] -= sum * CONJUGATE(v[j]);
	}
}

/*
 * Below the diagonal of the first k columns lie reflectors: the m x n matrix becomes the first
 * columns of their product.
 */
static inline void NAME(expand_reflectors)(ELEMENT *a, int64_t lda, int64_t m, int64_t n, int64_t k,
                                           const ELEMENT *tau)
{
	for (int64_t j = k; j < n; j++)
		for (int64_t i = 0; i < m; i++)
			a[i + j * lda] = i == j;
	for (int64_t l = k - 1; l >= 0; l--) {
		ELEMENT *v = a + l * (lda + 1);
		NAME(reflect_left)(v, tau[l], v + lda, lda, m - l, n - l - 1);
		for (int64_t i = 1; i < m - l; i++)
			v[i] *= -tau[l];
		v[0] = 1 - tau[l];
		for (int64_t i = 0; i < l; i++)
			a[i + l * lda] = 0;
	}
}
