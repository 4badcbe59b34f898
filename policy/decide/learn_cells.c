/* learn_cells.c - the keys of calls, by work and shape, and their cells */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/learn_cells.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "policy/decide/lapack_cost.h"

/* Work of neighbouring buckets differs by this power of two. PROBES: cells that a key may have. */
enum { LEARN_BUCKET_BITS = 2, LEARN_PROBES = 16 };

/*
 * Shapes of products: one of the first three, plus LEARN_THIN where the result is thin. Shapes of
 * transforms: by rank, rigour of the CPU's plan, and whether there are several.
 */
enum { LEARN_EVEN, LEARN_DEEP, LEARN_FLAT, LEARN_THIN };

/* Shapes of LAPACK's calls are sums of these. */
enum { LEARN_VECTORS = 1, LEARN_RANGE = 2, LEARN_FEW_SIDES = 4, LEARN_SOLUTIONS = 8 };
_Static_assert((int)LEARN_SOLUTIONS <= (int)LEARN_SHAPES, "a cell's key has room for each shape");

/* Aspect-ratio limits that classify a product as deep, flat or thin: m n / k^2, and m / n. */
static const double learn_deep = 0.25, learn_flat = 16, learn_thin = 8;

/* The bucket is the exponent of the work, divided. */
unsigned learn_cells_find_bucket(const struct call *call)
{
	uint64_t bits;
	const double work = call->work_flops >= 1 ? call->work_flops : 1;
	memcpy(&bits, &work, sizeof bits);
	return (unsigned)(((bits >> 52 & 0x7ff) - 1023) / LEARN_BUCKET_BITS) % LEARN_BUCKETS;
}

static unsigned learn_cells_find_transform(const struct fft_call *fft)
{
	const struct fft_problem *problem = fft->problem;
	unsigned rank = 0;
	if (problem == NULL)
		return 0;
	if (problem->rank > 1)
		rank = problem->rank < LEARN_RANKS ? 1 : LEARN_RANKS - 1;
	return (rank * FFT_RIGOURS + (unsigned)fft->rigour) * 2 + (problem->howmany > 1);
}

/*
 * Vectors or values, all of them or a range; few right-hand sides, whose solutions read the factor
 * and do little with it, or a matrix that is much longer than wide.
 */
static unsigned learn_cells_find_solution(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const double m = (double)lapack->m, n = (double)lapack->n, sides = (double)lapack->nrhs;
	const bool is_range = lapack->range == 'I' || lapack->range == 'V';
	const bool few = sides > 0 && sides * learn_flat < n;
	const bool thin = m > learn_thin * n || n > learn_thin * m;
	return (lapack_cost_has_vectors(call) ? LEARN_VECTORS : 0) | (is_range ? LEARN_RANGE : 0) |
	       (few || thin ? LEARN_FEW_SIDES : 0);
}

/*
 * The shape: calls with equal work but a long or short inner dimension, a thin result, or many
 * small transforms use other parts of a device.
 */
static unsigned learn_cells_find_shape(const struct call *call)
{
	if (family_is_fft(call->family))
		return learn_cells_find_transform(&call->fft);
	if (family_is_lapack(call->family))
		return learn_cells_find_solution(call);
	const double m = (double)call->blas.m, n = (double)call->blas.n, k = (double)call->blas.k;
	unsigned shape = LEARN_EVEN;
	if (m * n < learn_deep * k * k)
		shape = LEARN_DEEP;
	else if (m * n > learn_flat * k * k)
		shape = LEARN_FLAT;
	return shape + (m > learn_thin * n || n > learn_thin * m ? LEARN_THIN : 0);
}

uint32_t learn_cells_name(const struct call *call)
{
	const uint32_t routine = (uint32_t)call->family * ELEMENT_COUNT + (uint32_t)call->element;
	return 1 + (routine * LEARN_SHAPES + learn_cells_find_shape(call)) * LEARN_BUCKETS +
	       learn_cells_find_bucket(call);
}

static size_t learn_cells_start(uint32_t key, unsigned probe)
{
	return (key * UINT32_C(0x9e3779b1) >> 16 ^ probe) % LEARN_CELLS;
}

const struct learn_cell *learn_cells_find(const struct learn_cell cells[], uint32_t key)
{
	for (unsigned probe = 0; probe < LEARN_PROBES; probe++) {
		const struct learn_cell *cell = &cells[learn_cells_start(key, probe)];
		const uint32_t found = atomic_load_explicit(&cell->key, memory_order_relaxed);
		if (found == key)
			return cell;
		if (found == 0)
			break;
	}
	return NULL;
}

struct learn_cell *learn_cells_take(struct learn_cell cells[], uint32_t key)
{
	for (unsigned probe = 0; probe < LEARN_PROBES; probe++) {
		struct learn_cell *cell = &cells[learn_cells_start(key, probe)];
		uint32_t found = 0;
		if (atomic_compare_exchange_strong_explicit(
			    &cell->key, &found, key, memory_order_relaxed, memory_order_relaxed) ||
		    found == key)
			return cell;
	}
	return NULL;
}
