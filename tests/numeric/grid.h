/* grid.h - the meaning of a matrix in BLAS: elements referenced, their places and values */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_NUMERIC_GRID_H
#define GPUSHIM_TESTS_NUMERIC_GRID_H

#include "../driver/c11_complex.h"
#include "trial.h"

/*
 * TRIANGULAR: the other triangle is zero where it is a factor, and not there where it is a result.
 */
enum grid_kind { GRID_GENERAL, GRID_SYMMETRIC, GRID_HERMITIAN, GRID_TRIANGULAR };

struct grid {
	enum element element;
	enum grid_kind kind;
	int64_t rows, columns, ld;
	bool by_rows, upper, unit;
};

/* An operand of the group's problems; false where the routine has none of that name. */
bool grid_find(const struct trial *t, const struct trial_group *g, enum operand operand,
               struct grid *grid);

/* Elements that lie one after the other; from the first to the last, gaps between included. */
int64_t grid_contiguous(const struct grid *grid);
size_t grid_extent(const struct grid *grid);
size_t grid_index(const struct grid *grid, int64_t i, int64_t j);

/* Whether the routine may touch the element that is stored at (i, j). */
bool grid_refers(const struct grid *grid, int64_t i, int64_t j);

/* Whether the imaginary part at (i, j) is taken as zero and never read. */
bool grid_is_real_at(const struct grid *grid, int64_t i, int64_t j);

double complex grid_get(enum element element, const void *base, size_t index);
void grid_put(enum element element, void *base, size_t index, double complex value);

/*
 * The value at (i, j) in the arithmetic: the mirrored element, the unit, the zero of the other
 * triangle.
 */
double complex grid_read(const struct grid *grid, const void *base, int64_t i, int64_t j);

#endif
