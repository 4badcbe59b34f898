/* grid.c - the meaning of a matrix in BLAS */
/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"

#include <string.h>

static bool grid_is_update(enum family family)
{
	return family == FAMILY_SYRK || family == FAMILY_HERK || family == FAMILY_SYR2K ||
	       family == FAMILY_HER2K;
}

static bool grid_is_square_a(enum family family)
{
	return family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
}

static void grid_set(struct grid *grid, int64_t rows, int64_t columns, bool turned, int64_t ld)
{
	grid->rows = turned ? columns : rows;
	grid->columns = turned ? rows : columns;
	grid->ld = ld;
}

static void grid_find_a(const struct trial *t, const struct trial_group *g, struct grid *grid)
{
	if (!grid_is_square_a(t->row->family)) {
		grid_set(grid, g->m, g->k, g->transa != TRANSPOSE_N, g->lda);
		return;
	}
	grid_set(grid, g->k, g->k, false, g->lda);
	grid->kind = GRID_TRIANGULAR;
	if (t->row->family == FAMILY_SYMM)
		grid->kind = GRID_SYMMETRIC;
	if (t->row->family == FAMILY_HEMM)
		grid->kind = GRID_HERMITIAN;
	grid->unit = grid->kind == GRID_TRIANGULAR && t->diag == DIAG_UNIT;
}

static bool grid_find_b(const struct trial *t, const struct trial_group *g, struct grid *grid)
{
	const enum family family = t->row->family;
	if (family == FAMILY_SYRK || family == FAMILY_HERK || family_is_in_place(family))
		return false;
	if (grid_is_square_a(family))
		grid_set(grid, g->m, g->n, false, g->ldb);
	else if (grid_is_update(family))
		grid_set(grid, g->n, g->k, g->transb != TRANSPOSE_N, g->ldb);
	else
		grid_set(grid, g->k, g->n, g->transb != TRANSPOSE_N, g->ldb);
	return true;
}

bool grid_find(const struct trial *t, const struct trial_group *g, enum operand operand,
               struct grid *grid)
{
	const enum family family = t->row->family;
	*grid = (struct grid){.element = t->row->element,
	                      .by_rows = t->order == TRIAL_ROW_MAJOR,
	                      .upper = t->uplo == UPLO_UPPER};
	switch (operand) {
	case OPERAND_A: grid_find_a(t, g, grid); return true;
	case OPERAND_B: return grid_find_b(t, g, grid);
	default: break;
	}
	grid_set(grid, g->m, g->n, false, g->ldc);
	if (grid_is_update(family) || family == FAMILY_GEMMT)
		grid->kind = GRID_TRIANGULAR;
	if (family == FAMILY_HERK || family == FAMILY_HER2K)
		grid->kind = GRID_HERMITIAN;
	return true;
}

int64_t grid_contiguous(const struct grid *grid)
{
	return grid->by_rows ? grid->columns : grid->rows;
}

size_t grid_index(const struct grid *grid, int64_t i, int64_t j)
{
	return grid->by_rows ? (size_t)(i * grid->ld + j) : (size_t)(j * grid->ld + i);
}

size_t grid_extent(const struct grid *grid)
{
	return grid->rows == 0 || grid->columns == 0
	               ? 0
	               : grid_index(grid, grid->rows - 1, grid->columns - 1) + 1;
}

static bool grid_is_stored(const struct grid *grid, int64_t i, int64_t j)
{
	return grid->kind == GRID_GENERAL || (grid->upper ? i <= j : i >= j);
}

bool grid_refers(const struct grid *grid, int64_t i, int64_t j)
{
	return grid_is_stored(grid, i, j) && !(grid->unit && i == j);
}

bool grid_is_real_at(const struct grid *grid, int64_t i, int64_t j)
{
	return grid->kind == GRID_HERMITIAN && i == j;
}

double complex grid_get(enum element element, const void *base, size_t index)
{
	double d[2] = {0, 0};
	float f[2] = {0, 0};
	const size_t bytes = element_size_bytes(element);
	const char *from = (const char *)base + index * bytes;
	if (element == ELEMENT_D || element == ELEMENT_Z) {
		memcpy(d, from, bytes);
		return CMPLX(d[0], d[1]);
	}
	memcpy(f, from, bytes);
	return CMPLX(f[0], f[1]);
}

void grid_put(enum element element, void *base, size_t index, double complex value)
{
	const double d[2] = {creal(value), cimag(value)};
	const float f[2] = {(float)d[0], (float)d[1]};
	const size_t bytes = element_size_bytes(element);
	const void *from = element == ELEMENT_D || element == ELEMENT_Z ? (const void *)d : f;
	memcpy((char *)base + index * bytes, from, bytes);
}

double complex grid_read(const struct grid *grid, const void *base, int64_t i, int64_t j)
{
	const bool stored = grid_is_stored(grid, i, j), hermitian = grid->kind == GRID_HERMITIAN;
	if (grid->unit && i == j)
		return 1;
	if (!stored && grid->kind == GRID_TRIANGULAR)
		return 0;
	const size_t index = stored ? grid_index(grid, i, j) : grid_index(grid, j, i);
	const double complex value = grid_get(grid->element, base, index);
	if (grid_is_real_at(grid, i, j))
		return creal(value);
	return hermitian && !stored ? conj(value) : value;
}
