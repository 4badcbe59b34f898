/* sim_level3_template.h - the loops of sim_level3.c for one element: define REAL, PARTS and NAME */
/* SPDX-License-Identifier: Apache-2.0 */

#if !defined(REAL) || !defined(PARTS) || !defined(NAME)
#error "sim_level3_template.h is a body to be included by sim_level3.c"
#endif

static inline void NAME(take)(REAL *to, const REAL *from, bool conjugate)
{
	(void)conjugate;
	to[0] = from[0];
#if PARTS == 2
	to[1] = conjugate ? -from[1] : from[1];
#endif
}

/* sum += sign x y */
static inline void NAME(add)(REAL *sum, REAL sign, const REAL *x, const REAL *y)
{
#if PARTS == 2
	sum[0] += sign * (x[0] * y[0] - x[1] * y[1]);
	sum[1] += sign * (x[0] * y[1] + x[1] * y[0]);
#else
	sum[0] += sign * (x[0] * y[0]);
#endif
}

/* x /= y. Complex: by the ratio of y's parts, so that no square overflows. */
static inline void NAME(divide)(REAL *x, const REAL *y)
{
#if PARTS == 2
	int large = (y[1] < 0 ? -y[1] : y[1]) > (y[0] < 0 ? -y[0] : y[0]);
	REAL ratio = y[!large] / y[large], whole = y[large] + y[!large] * ratio;
	REAL re = large ? x[0] * ratio + x[1] : x[0] + x[1] * ratio;
	REAL im = large ? x[1] * ratio - x[0] : x[1] - x[0] * ratio;
	x[0] = re / whole;
	x[1] = im / whole;
#else
	x[0] /= y[0];
#endif
}

static bool NAME(is_zero)(const void *scalar)
{
	const REAL *value = scalar;
	return value[0] == 0 && value[PARTS - 1] == 0;
}

/* Converts an element, or the real scalar of Hermitian routines, to an element. */
static void NAME(widen)(void *to, const void *from, bool is_real, bool conjugate)
{
	REAL whole[2] = {*(const REAL *)from, 0};
	NAME(take)(to, is_real ? whole : from, conjugate);
}

/* Expands the referenced triangle of a symmetric or Hermitian A to a full n x n matrix. */
static void NAME(expand)(void *to, const struct sim_level3 *w, size_t n)
{
	REAL *dense = to;
	const REAL *a = w->a;
	bool upper = w->uplo == SIM_UPLO_UPPER;
	for (size_t j = 0; j < n; j++, a += PARTS * w->lda) {
		for (size_t i = upper ? 0 : j + 1; i < (upper ? j : n); i++) {
			NAME(take)(dense + PARTS * (i + j * n), a + PARTS * i, false);
			NAME(take)(dense + PARTS * (j + i * n), a + PARTS * i, w->hermitian);
		}
		NAME(widen)(dense + PARTS * (j + j * n), a + PARTS * j, w->hermitian, false);
	}
}

/* One element of C := product + beta C. A real beta scales the parts separately. */
static inline void NAME(merge_one)(REAL *c, const REAL *product, const REAL *beta, bool is_real,
                                   bool fresh)
{
	REAL sum[PARTS], factor[2] = {beta[0], is_real ? 0 : beta[PARTS - 1]};
	NAME(take)(sum, product, false);
	if (!fresh && is_real)
		for (int part = 0; part < PARTS; part++)
			sum[part] += beta[0] * c[part];
	else if (!fresh)
		NAME(add)(sum, 1, factor, c);
	NAME(take)(c, sum, false);
}

/* Adds the product of a block of C to the part of the block inside the triangle. */
static void NAME(merge)(const struct sim_level3 *w, const struct block *block, const void *product)
{
	const REAL *from = product, *beta = w->beta;
	bool is_real = PARTS == 1 || w->hermitian,
	     fresh = beta[0] == 0 && (is_real || beta[PARTS - 1] == 0);
	for (size_t j = 0; j < block->columns; j++) {
		size_t column = block->column + j;
		REAL *c = (REAL *)w->c + PARTS * (ptrdiff_t)column * w->ldc;
		for (size_t i = 0; i < block->rows; i++, from += PARTS) {
			size_t row = block->row + i;
			if (w->uplo == SIM_UPLO_UPPER ? row > column : row < column)
				continue;
			NAME(merge_one)(c + PARTS * row, from, beta, is_real, fresh);
#if PARTS == 2
			if (w->hermitian && row == column)
				c[PARTS * row + 1] = 0;
#endif
		}
	}
}

/* Loads a diagonal block by columns, without elements that are not referenced. */
static void NAME(load)(REAL *to, const struct triangle *t, size_t first, size_t used)
{
	const struct sim_operand *a = &t->a;
	const REAL *corner =
		(const REAL *)a->data + PARTS * (ptrdiff_t)first * (a->row_step + a->column_step);
	for (size_t j = 0; j < used; j++)
		for (size_t i = t->upper ? 0 : j; i < (t->upper ? j + 1 : used); i++) {
			ptrdiff_t from = (ptrdiff_t)i * a->row_step + (ptrdiff_t)j * a->column_step;
			if (i != j || !t->unit)
				NAME(take)
			(to + PARTS * (i + j * BLOCK), corner + PARTS * from, a->conjugate);
		}
}

/* Rows first to first + used of C := alpha T B, with the diagonal block of T only. */
static void NAME(multiply)(const struct triangle *t, size_t first, size_t used,
                           const struct target *b, const struct target *c, size_t columns,
                           const void *alpha)
{
	REAL block[PARTS * BLOCK * BLOCK], x[PARTS * BLOCK], sum[PARTS * BLOCK];
	NAME(load)(block, t, first, used);
	for (size_t j = 0; j < columns; j++) {
		const REAL *from = target_at(b, first, j, sizeof(REAL) * PARTS);
		REAL *to = target_at(c, first, j, sizeof(REAL) * PARTS);
		for (size_t i = 0; i < used; i++)
			NAME(take)(x + PARTS * i, from + PARTS * (ptrdiff_t)i * b->row_step, false);
		memset(sum, 0, PARTS * used * sizeof(REAL));
		for (size_t l = 0; l < used; l++) {
			for (size_t i = t->upper ? 0 : l + 1; i < (t->upper ? l : used); i++)
				NAME(add)
			(sum + PARTS * i, 1, block + PARTS * (i + l * BLOCK), x + PARTS * l);
			for (int part = 0; t->unit && part < PARTS; part++)
				sum[PARTS * l + (size_t)part] += x[PARTS * l + (size_t)part];
			if (!t->unit)
				NAME(add)
			(sum + PARTS * l, 1, block + PARTS * (l + l * BLOCK), x + PARTS * l);
		}
		memset(x, 0, PARTS * used * sizeof(REAL));
		for (size_t i = 0; i < used; i++) {
			NAME(add)(x + PARTS * i, 1, alpha, sum + PARTS * i);
			NAME(take)(to + PARTS * (ptrdiff_t)i * c->row_step, x + PARTS * i, false);
		}
	}
}

/* Rows first to first + used of T X = C by substitution, with the diagonal block of T only. */
static void NAME(solve)(const struct triangle *t, size_t first, size_t used, const struct target *c,
                        size_t columns)
{
	REAL block[PARTS * BLOCK * BLOCK], x[PARTS * BLOCK];
	NAME(load)(block, t, first, used);
	for (size_t j = 0; j < columns; j++) {
		REAL *to = target_at(c, first, j, sizeof(REAL) * PARTS);
		for (size_t i = 0; i < used; i++)
			NAME(take)(x + PARTS * i, to + PARTS * (ptrdiff_t)i * c->row_step, false);
		for (size_t step = 0; step < used; step++) {
			size_t l = t->upper ? used - 1 - step : step;
			if (!t->unit)
				NAME(divide)(x + PARTS * l, block + PARTS * (l + l * BLOCK));
			for (size_t i = t->upper ? 0 : l + 1; i < (t->upper ? l : used); i++)
				NAME(add)
			(x + PARTS * i, -1, block + PARTS * (i + l * BLOCK), x + PARTS * l);
		}
		for (size_t i = 0; i < used; i++)
			NAME(take)(to + PARTS * (ptrdiff_t)i * c->row_step, x + PARTS * i, false);
	}
}

static const REAL NAME(one)[2] = {1, 0}, NAME(minus_one)[2] = {-1, 0}, NAME(zero)[2] = {0, 0};

static const struct loops NAME(loops) = {
	NAME(one),    NAME(minus_one), NAME(zero),  NAME(is_zero),  NAME(widen),
	NAME(expand), NAME(merge),     NAME(solve), NAME(multiply),
};

#undef REAL
#undef PARTS
#undef NAME
