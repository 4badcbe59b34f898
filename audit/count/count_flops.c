/* count_flops.c - the formulas, in integers: the floating-point flags are the program's */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_flops.h"

#include "policy/call/operand.h"

/* Holds cubes of sizes up to 2^38. */
typedef __int128 flops_wide;
enum { FLOPS_SIZE_BITS = 38, FLOPS_PARTS = 6 };

/* Sixths of an operation: the formulas of factorisations have halves and thirds. */
struct flops_sixths {
	flops_wide multiply, add;
};

static struct flops_sixths count_flops_pair(flops_wide multiply, flops_wide add)
{
	return (struct flops_sixths){multiply * FLOPS_PARTS, add * FLOPS_PARTS};
}

static struct flops_sixths count_flops_sum(struct flops_sixths a, struct flops_sixths b)
{
	return (struct flops_sixths){a.multiply + b.multiply, a.add + b.add};
}

static struct flops_sixths count_flops_vector(enum count_form form, flops_wide n)
{
	switch (form) {
	case COUNT_FORM_AXPY: return count_flops_pair(n, n);
	case COUNT_FORM_AXPBY: return count_flops_pair(2 * n, n);
	case COUNT_FORM_SCAL: return count_flops_pair(n, 0);
	case COUNT_FORM_ASUM: return count_flops_pair(0, n);
	case COUNT_FORM_ROT: return count_flops_pair(4 * n, 2 * n);
	case COUNT_FORM_PAIR_AXPY: return count_flops_pair(2 * n, 2 * n);
	case COUNT_FORM_PAIR_SCAL: return count_flops_pair(2 * n, 0);
	case COUNT_FORM_PAIR_ASUM: return count_flops_pair(0, 2 * n);
	case COUNT_FORM_PAIR_ROT: return count_flops_pair(8 * n, 4 * n);
	default: return count_flops_pair(0, 0);
	}
}

static struct flops_sixths count_flops_matrix_vector(enum count_form form, flops_wide m,
                                                     flops_wide n)
{
	switch (form) {
	case COUNT_FORM_GEMV: return count_flops_pair(m * n, m * n);
	case COUNT_FORM_SYMV: return count_flops_pair(n * n, n * n);
	case COUNT_FORM_TRMV: return count_flops_pair(n * (n + 1) / 2, n * (n - 1) / 2);
	case COUNT_FORM_GER: return count_flops_pair(m * n, m * n);
	case COUNT_FORM_SYR: return count_flops_pair(n * (n + 1) / 2, n * (n + 1) / 2);
	case COUNT_FORM_SYR2: return count_flops_pair(n * (n + 1), n * (n + 1));
	default: return count_flops_vector(form, n);
	}
}

/* A triangle of order m, times or by n right-hand sides. */
static struct flops_sixths count_flops_triangle(flops_wide m, flops_wide n)
{
	return count_flops_pair(n * (m * (m + 1) / 2), n * (m * (m - 1) / 2));
}

/* Sizes as struct blas_call has them: updates have m = n, and the order of a square A is k. */
static struct blas_call count_flops_complete(enum family family, const struct count_sizes *sizes)
{
	struct blas_call blas = {.m = sizes->m, .n = sizes->n, .k = sizes->k};
	if (operand_is_triangle(family))
		blas.m = blas.n;
	if (family_has_square(family))
		blas.k = sizes->is_right ? blas.n : blas.m;
	return blas;
}

/*
 * Multiplications and additions are equally many, but for triangles, of which family.def has the
 * leading term only.
 */
static struct flops_sixths count_flops_level3(enum family family, const struct count_sizes *sizes)
{
	const struct blas_call blas = count_flops_complete(family, sizes);
	const flops_wide m = blas.m, n = blas.n, k = blas.k;
	if (family_is_in_place(family))
		return sizes->is_right ? count_flops_triangle(n, m) : count_flops_triangle(m, n);
	const flops_wide all[FAMILY_COUNT] = {
#define FAMILY(id, name, kind, conjugate, sizes, a, b, c, flops) (flops),
#include "policy/call/family.def"
	};
	return count_flops_pair(all[family] / 2, all[family] / 2);
}

/* Of an m x n matrix. l is the lesser, g the greater of m and n: one formula serves both shapes. */
static struct flops_sixths count_flops_getrf(flops_wide m, flops_wide n)
{
	const flops_wide l = m < n ? m : n, g = m < n ? n : m;
	const flops_wide update = 3 * l * l * g - l * l * l - 3 * l * g + l;
	/* Divisions: in each column the elements below the pivot. */
	const flops_wide divide = 6 * l * m - 3 * l * (l + 1);
	return (struct flops_sixths){update + divide, update};
}

static struct flops_sixths count_flops_geqrf(flops_wide m, flops_wide n)
{
	if (m > n)
		return (struct flops_sixths){n * (n * (3 - 2 * n + 6 * m) + 6 * m + 23),
		                             n * (n * (3 - 2 * n + 6 * m) + 5)};
	return (struct flops_sixths){m * (m * (-3 - 2 * m + 6 * n) + 12 * n + 23),
	                             m * (m * (-3 - 2 * m + 6 * n) + 6 * n + 5)};
}

static struct flops_sixths count_flops_potrf(flops_wide n)
{
	return (struct flops_sixths){n * ((n + 3) * n + 2), n * (n * n - 1)};
}

/* As many multiplications as additions; halves of sixths. */
static struct flops_sixths count_flops_halve(flops_wide sixths)
{
	return (struct flops_sixths){sixths / 2, sixths / 2};
}

/* Q of an m x n matrix from k reflectors, or applied to one from the side that is not `other`. */
static struct flops_sixths count_flops_make_q(flops_wide m, flops_wide n, flops_wide k)
{
	return count_flops_halve(24 * m * n * k - 12 * (m + n) * k * k + 8 * k * k * k);
}

static struct flops_sixths count_flops_apply_q(flops_wide m, flops_wide n, flops_wide k,
                                               flops_wide other)
{
	return count_flops_halve(24 * m * n * k - 12 * other * k * k);
}

static struct flops_sixths count_flops_least_squares(flops_wide m, flops_wide n, flops_wide k)
{
	const flops_wide l = m < n ? m : n, g = m < n ? n : m;
	return count_flops_halve(12 * g * l * l - 4 * l * l * l + 6 * (4 * g * l - l * l) * k);
}

static struct flops_sixths count_flops_eigen(flops_wide n, bool has_vectors, flops_wide reduce)
{
	return count_flops_halve((8 + reduce + (has_vectors ? 20 : 0)) * n * n * n);
}

/* Vectors: as many of either side as there are singular values. */
static struct flops_sixths count_flops_singular(flops_wide m, flops_wide n, bool has_vectors)
{
	const flops_wide l = m < n ? m : n, g = m < n ? n : m;
	const flops_wide values = 24 * g * l * l - 8 * l * l * l;
	return count_flops_halve(has_vectors ? values + 24 * g * l * l + 16 * l * l * l : values);
}

/* The routines with flags: orthogonal factors, least squares, eigen- and singular values. */
static struct flops_sixths count_flops_spectrum(enum count_form form,
                                                const struct count_sizes *sizes)
{
	enum { REDUCE_PENCIL = 14 };
	const flops_wide m = sizes->m, n = sizes->n, k = sizes->k;
	const bool vectors = sizes->has_vectors;
	switch (form) {
	case COUNT_FORM_ORGQR:
	case COUNT_FORM_UNGQR: return count_flops_make_q(m, n, k);
	case COUNT_FORM_ORMQR:
	case COUNT_FORM_UNMQR: return count_flops_apply_q(m, n, k, sizes->is_right ? m : n);
	case COUNT_FORM_GELS: return count_flops_least_squares(m, n, k);
	case COUNT_FORM_GESDD:
	case COUNT_FORM_GESVD: return count_flops_singular(m, n, vectors);
	case COUNT_FORM_GEEV: return count_flops_halve((vectors ? 150 : 60) * n * n * n);
	case COUNT_FORM_SYGV:
	case COUNT_FORM_HEGV:
	case COUNT_FORM_SYGVD:
	case COUNT_FORM_HEGVD:
	case COUNT_FORM_SYGVX:
	case COUNT_FORM_HEGVX: return count_flops_eigen(n, vectors, REDUCE_PENCIL);
	default: return count_flops_eigen(n, vectors, 0);
	}
}

static struct flops_sixths count_flops_factor(enum count_form form, const struct count_sizes *sizes)
{
	const flops_wide m = sizes->m, n = sizes->n, k = sizes->k;
	const struct flops_sixths solve = count_flops_pair(k * n * n, k * n * (n - 1));
	const struct flops_sixths solve_both = count_flops_pair(k * n * (n + 1), k * n * (n - 1));
	switch (form) {
	case COUNT_FORM_GETRF: return count_flops_getrf(m, n);
	case COUNT_FORM_GETRS: return solve;
	case COUNT_FORM_GESV: return count_flops_sum(count_flops_getrf(n, n), solve);
	case COUNT_FORM_GETRI:
		return (struct flops_sixths){n * (5 + n * (4 * n + 3)), n * (5 + n * (4 * n - 9))};
	case COUNT_FORM_POTRF: return count_flops_potrf(n);
	case COUNT_FORM_POTRS: return solve_both;
	case COUNT_FORM_POSV: return count_flops_sum(count_flops_potrf(n), solve_both);
	case COUNT_FORM_POTRI:
		return (struct flops_sixths){n * (4 + n * (2 * n + 6)), n * (1 + n * (2 * n - 3))};
	case COUNT_FORM_TRTRI:
		return (struct flops_sixths){n * (n * n + 3 * n + 2), n * (n * n - 3 * n + 2)};
	case COUNT_FORM_TRTRS: return count_flops_triangle(n, k);
	case COUNT_FORM_GEQRF: return count_flops_geqrf(m, n);
	default: return count_flops_spectrum(form, sizes);
	}
}

static bool count_flops_is_sane(int64_t size)
{
	return size >= 0 && size < (int64_t)1 << FLOPS_SIZE_BITS;
}

static bool count_flops_are_sane(const struct count_sizes *sizes)
{
	return count_flops_is_sane(sizes->m) && count_flops_is_sane(sizes->n) &&
	       count_flops_is_sane(sizes->k);
}

static uint64_t count_flops_cut(flops_wide value)
{
	if (value <= 0)
		return 0;
	return value > (flops_wide)UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

/* Most values fit into 64 bits, where a division is cheap. */
static uint64_t count_flops_join(flops_wide sixths)
{
	if (sixths >= 0 && sixths <= (flops_wide)UINT64_MAX)
		return (uint64_t)sixths / FLOPS_PARTS;
	return count_flops_cut(sixths / FLOPS_PARTS);
}

uint64_t count_flops_count(enum count_form form, bool is_complex, const struct count_sizes *sizes)
{
	struct flops_sixths sixths;
	if (!count_flops_are_sane(sizes))
		return 0;
	if (count_flops_is_level3(form))
		sixths = count_flops_level3(count_flops_find_family(form), sizes);
	else if (count_flops_is_lapack(form))
		sixths = count_flops_factor(form, sizes);
	else
		sixths = count_flops_matrix_vector(form, sizes->m, sizes->n);
	const uint64_t one = count_flops_join(is_complex ? 6 * sixths.multiply + 2 * sixths.add
	                                                 : sixths.multiply + sixths.add);
	return sizes->count > 1 ? count_flops_cut((flops_wide)one * sizes->count) : one;
}

uint64_t count_flops_count_bytes(enum count_form form, enum element element,
                                 const struct count_sizes *sizes)
{
	struct matrix matrix;
	flops_wide bytes = 0;
	if (!count_flops_are_sane(sizes) || !count_flops_is_level3(form))
		return 0;
	const enum family family = count_flops_find_family(form);
	const struct blas_call blas = count_flops_complete(family, sizes);
	for (int operand = OPERAND_A; operand < OPERAND_COUNT; operand++)
		if (operand_find(family, &blas, (enum operand)operand, &matrix))
			bytes += operand_size_bytes(&matrix, element);
	const uint64_t one = count_flops_cut(bytes);
	return sizes->count > 1 ? count_flops_cut((flops_wide)one * sizes->count) : one;
}

/* log2 with 16 bits behind the point, by squaring the mantissa. */
static uint64_t count_flops_log2(uint64_t value)
{
	const unsigned whole = 63 - (unsigned)__builtin_clzll(value);
	uint64_t result = whole,
		 mantissa = whole > 31 ? value >> (whole - 31) : value << (31 - whole);
	for (int bit = 0; bit < 16; bit++) {
		mantissa = mantissa * mantissa >> 31;
		result <<= 1;
		if (mantissa >> 32 != 0) {
			mantissa >>= 1;
			result |= 1;
		}
	}
	return result;
}

uint64_t count_flops_count_transform(int64_t points, int64_t count, bool is_half)
{
	if (points <= 0 || count <= 0 || !count_flops_is_sane(points) ||
	    !count_flops_is_sane(count))
		return 0;
	const flops_wide log2 = count_flops_log2((uint64_t)points);
	return count_flops_cut(((flops_wide)5 * points * count * log2 / (is_half ? 2 : 1)) >> 16);
}
