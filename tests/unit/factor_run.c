/* factor_run.c - plain loops for the steps of a factorization */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/factor_run.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double _Complex number;

/*
 * On the host A and B lie side by side, m rows: B begins at column n. On the device blocks lie
 * where the plan places them, and B behind the room of A.
 */
struct run {
	const struct factor_problem *problem;
	const struct factor_plan *plan;
	int64_t m, columns;
	number *host, *device, *expected;
	size_t room;
	int *stored;              /* how often each element was stored */
	uint32_t *kept;           /* the load that kept it, from 1 on */
	int64_t *pivots, *wanted; /* of the plan, and of the unblocked factorization */
	uint32_t done[FACTOR_KINDS], next[FACTOR_KINDS];
	uint64_t random;
	const char *wrong;
};

static double run_draw(struct run *run)
{
	run->random = run->random * 6364136223846793005u + 1442695040888963407u;
	return (double)(run->random >> 11) / 9007199254740992.0;
}

static number *at(const struct run *run, number *matrix, int64_t row, int64_t column)
{
	return &matrix[row + column * run->m];
}

/* Whether the element is one that the form has: of Cholesky's A one triangle. */
static bool run_has(const struct run *run, int64_t row, int64_t column)
{
	if (column >= run->problem->n || run->problem->form == FACTOR_LU)
		return true;
	return run->problem->form == FACTOR_LOWER ? row >= column : row <= column;
}

/* -- the unblocked factorization -------------------------------------------------------------- */

static void swap_rows(const struct run *run, number *matrix, int64_t x, int64_t y, int64_t begin,
                      int64_t end)
{
	for (int64_t column = begin; x != y && column < end; column++) {
		const number kept = *at(run, matrix, x, column);
		*at(run, matrix, x, column) = *at(run, matrix, y, column);
		*at(run, matrix, y, column) = kept;
	}
}

static int64_t find_pivot(const struct run *run, number *matrix, int64_t step, int64_t column)
{
	int64_t best = step;
	for (int64_t row = step + 1; row < run->m; row++)
		if (cabs(*at(run, matrix, row, column)) > cabs(*at(run, matrix, best, column)))
			best = row;
	return best;
}

static void expect_lu(struct run *run)
{
	const int64_t n = run->problem->n, least = run->m < n ? run->m : n;
	for (int64_t k = 0; k < least; k++) {
		run->wanted[k] = find_pivot(run, run->expected, k, k);
		swap_rows(run, run->expected, k, run->wanted[k], 0, run->columns);
		for (int64_t row = k + 1; row < run->m; row++) {
			number *below = at(run, run->expected, row, k);
			*below /= *at(run, run->expected, k, k);
			for (int64_t j = k + 1; j < run->columns; j++)
				*at(run, run->expected, row, j) -=
					*below * *at(run, run->expected, k, j);
		}
	}
	for (int64_t j = n; j < run->columns; j++)
		for (int64_t row = n - 1; row >= 0; row--) {
			for (int64_t k = row + 1; k < n; k++)
				*at(run, run->expected, row, j) -= *at(run, run->expected, row, k) *
				                                   *at(run, run->expected, k, j);
			*at(run, run->expected, row, j) /= *at(run, run->expected, row, row);
		}
}

/* L of the lower triangle, where element (i, j) of U^H U stands for the conjugate of (j, i). */
static number triangle_get(const struct run *run, int64_t row, int64_t column)
{
	if (run->problem->form == FACTOR_LOWER)
		return *at(run, run->expected, row, column);
	return conj(*at(run, run->expected, column, row));
}

static void triangle_put(const struct run *run, int64_t row, int64_t column, number value)
{
	if (run->problem->form == FACTOR_LOWER)
		*at(run, run->expected, row, column) = value;
	else
		*at(run, run->expected, column, row) = conj(value);
}

static void expect_cholesky(struct run *run)
{
	const int64_t n = run->problem->n;
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = j; i < n; i++) {
			number sum = triangle_get(run, i, j);
			for (int64_t k = 0; k < j; k++)
				sum -= triangle_get(run, i, k) * conj(triangle_get(run, j, k));
			triangle_put(run, i, j,
			             i == j ? csqrt(creal(sum)) : sum / triangle_get(run, j, j));
		}
	for (int64_t j = n; j < run->columns; j++) {
		for (int64_t i = 0; i < n; i++) {
			number *x = at(run, run->expected, i, j);
			for (int64_t k = 0; k < i; k++)
				*x -= triangle_get(run, i, k) * *at(run, run->expected, k, j);
			*x /= triangle_get(run, i, i);
		}
		for (int64_t i = n - 1; i >= 0; i--) {
			number *x = at(run, run->expected, i, j);
			for (int64_t k = i + 1; k < n; k++)
				*x -= conj(triangle_get(run, k, i)) * *at(run, run->expected, k, j);
			*x /= conj(triangle_get(run, i, i));
		}
	}
}

/* -- kernels ---------------------------------------------------------------------------------- */

/* The element of a block, on the device. */
static number *block_at(const struct run *run, const struct factor_block *block, int64_t row,
                        int64_t column)
{
	const size_t first = block->of_b ? run->room : 0;
	return &run->device[first + block->place + (size_t)(row + column * block->ld)];
}

static number turned(const struct run *run, const struct factor_block *block, bool turn,
                     int64_t row, int64_t column)
{
	return turn ? conj(*block_at(run, block, column, row)) : *block_at(run, block, row, column);
}

static void swap_block(const struct run *run, const struct factor_block *z, int64_t x, int64_t y)
{
	for (int64_t column = 0; x != y && column < z->column.count; column++) {
		const number kept = *block_at(run, z, x, column);
		*block_at(run, z, x, column) = *block_at(run, z, y, column);
		*block_at(run, z, y, column) = kept;
	}
}

static void run_swap(struct run *run, const struct factor_work *work)
{
	for (int64_t k = 0; k < work->pivots.count; k++) {
		const int64_t row = work->pivots.begin + k, first = work->z.row.begin;
		swap_block(run, &work->z, row - first, run->pivots[row] - first);
	}
}

static int64_t find_block_pivot(const struct run *run, const struct factor_block *z, int64_t step)
{
	int64_t best = step;
	for (int64_t row = step + 1; row < z->row.count; row++)
		if (cabs(*block_at(run, z, row, step)) > cabs(*block_at(run, z, best, step)))
			best = row;
	return best;
}

static void run_panel_lu(struct run *run, const struct factor_block *z)
{
	const int64_t columns = z->column.count, begin = z->column.begin;
	const int64_t rows = z->row.count, least = rows < columns ? rows : columns;
	for (int64_t k = 0; k < least; k++) {
		const int64_t pivot = find_block_pivot(run, z, k);
		run->pivots[begin + k] = begin + pivot;
		swap_block(run, z, k, pivot);
		for (int64_t row = k + 1; row < rows; row++) {
			*block_at(run, z, row, k) /= *block_at(run, z, k, k);
			for (int64_t j = k + 1; j < columns; j++)
				*block_at(run, z, row, j) -=
					*block_at(run, z, row, k) * *block_at(run, z, k, j);
		}
	}
}

static void run_panel_cholesky(struct run *run, const struct factor_block *z)
{
	const bool turn = run->problem->form == FACTOR_UPPER;
	for (int64_t j = 0; j < z->column.count; j++)
		for (int64_t i = j; i < z->row.count; i++) {
			number sum = turned(run, z, turn, i, j);
			for (int64_t k = 0; k < j; k++)
				sum -= turned(run, z, turn, i, k) *
				       conj(turned(run, z, turn, j, k));
			const number value =
				i == j ? csqrt(creal(sum)) : sum / turned(run, z, turn, j, j);
			*(turn ? block_at(run, z, j, i) : block_at(run, z, i, j)) =
				turn ? conj(value) : value;
		}
}

/* z := T^-1 z for a triangular T = op(x). */
static void run_solve(struct run *run, const struct factor_work *work, bool turn, bool lower,
                      bool unit)
{
	const int64_t rows = work->z.row.count;
	for (int64_t j = 0; j < work->z.column.count; j++)
		for (int64_t step = 0; step < rows; step++) {
			const int64_t i = lower ? step : rows - 1 - step;
			number *z = block_at(run, &work->z, i, j);
			for (int64_t before = 0; before < step; before++) {
				const int64_t k = lower ? before : rows - 1 - before;
				*z -= turned(run, &work->x, turn, i, k) *
				      *block_at(run, &work->z, k, j);
			}
			if (!unit)
				*z /= turned(run, &work->x, turn, i, i);
		}
}

/* z := z L^-H. */
static void run_solve_right(struct run *run, const struct factor_work *work)
{
	for (int64_t i = 0; i < work->z.row.count; i++)
		for (int64_t j = 0; j < work->z.column.count; j++) {
			number *z = block_at(run, &work->z, i, j);
			for (int64_t k = 0; k < j; k++)
				*z -= *block_at(run, &work->z, i, k) *
				      conj(*block_at(run, &work->x, j, k));
			*z /= conj(*block_at(run, &work->x, j, j));
		}
}

static void run_update(struct run *run, const struct factor_work *work, bool triangle)
{
	const int64_t inner = work->x_turned ? work->x.row.count : work->x.column.count;
	for (int64_t j = 0; j < work->z.column.count; j++)
		for (int64_t i = 0; i < work->z.row.count; i++) {
			if (triangle &&
			    !run_has(run, work->z.row.begin + i, work->z.column.begin + j))
				continue;
			number *z = block_at(run, &work->z, i, j);
			for (int64_t k = 0; k < inner; k++)
				*z -= turned(run, &work->x, work->x_turned, i, k) *
				      (triangle ? conj(turned(run, &work->x, work->x_turned, j, k))
				                : turned(run, &work->y, work->y_turned, k, j));
		}
}

static void run_work(struct run *run, const struct factor_work *work)
{
	const enum factor_form form = run->problem->form;
	switch (work->operation) {
	case FACTOR_PANEL:
		if (form == FACTOR_LU)
			run_panel_lu(run, &work->z);
		else
			run_panel_cholesky(run, &work->z);
		break;
	case FACTOR_SWAP: run_swap(run, work); break;
	case FACTOR_SOLVE:
		run_solve(run, work, form == FACTOR_UPPER, true, form == FACTOR_LU);
		break;
	case FACTOR_SOLVE_RIGHT: run_solve_right(run, work); break;
	case FACTOR_SOLVE_BACK: run_solve(run, work, form == FACTOR_LOWER, false, false); break;
	case FACTOR_UPDATE: run_update(run, work, false); break;
	case FACTOR_TRIANGLE: run_update(run, work, true); break;
	}
}

/* -- steps ------------------------------------------------------------------------------------ */

/* What is kept is the program's, and all of it before a store writes it. */
static void run_note_copy(struct run *run, const struct factor_step *step, int64_t place)
{
	if (step->kind == FACTOR_STORE) {
		if (run->kept[place] == 0 || run->kept[place] > step->after[FACTOR_LOAD])
			run->wrong = "a store does not wait until its place is kept";
		run->stored[place]++;
		return;
	}
	const bool kept = step->copy.kept != FACTOR_NOT_KEPT;
	if (kept == (run->stored[place] > 0) || kept == (run->kept[place] > 0))
		run->wrong = "what is kept is not what the program wrote";
	if (kept)
		run->kept[place] = run->done[FACTOR_LOAD] + 1;
}

static void run_copy(struct run *run, const struct factor_step *step)
{
	const struct factor_block *block = &step->copy.block;
	const int64_t first = (block->of_b ? run->problem->n : 0) + block->column.begin;
	for (int64_t j = 0; j < block->column.count; j++)
		for (int64_t i = 0; i < block->row.count; i++) {
			const int64_t row = block->row.begin + i;
			if (!run_has(run, row, first + j))
				continue;
			number *host = at(run, run->host, row, first + j);
			number *device = block_at(run, block, i, j);
			run_note_copy(run, step, row + (first + j) * run->m);
			if (step->kind == FACTOR_LOAD)
				*device = *host;
			else
				*host = *device;
		}
}

static bool run_is_ready(struct run *run, const struct factor_step *step)
{
	for (int kind = 0; kind < FACTOR_KINDS; kind++) {
		if (step->after[kind] > run->plan->kind_count[kind])
			run->wrong = "a step waits for one that does not exist";
		if (step->after[kind] > run->done[kind])
			return false;
	}
	return true;
}

/* Carries out the next step of this kind if there is one and it need not wait. */
static bool run_step(struct run *run, enum factor_kind kind)
{
	const struct factor_plan *plan = run->plan;
	while (run->next[kind] < plan->count && plan->steps[run->next[kind]].kind != kind)
		run->next[kind]++;
	if (run->next[kind] == plan->count || !run_is_ready(run, &plan->steps[run->next[kind]]))
		return false;
	const struct factor_step *step = &plan->steps[run->next[kind]++];
	if (kind == FACTOR_WORK)
		run_work(run, &step->work);
	else
		run_copy(run, step);
	run->done[kind]++;
	return true;
}

/* A seed of 0 to 2 has one kind as far ahead as it can be; others draw. */
static void run_all(struct run *run, unsigned seed)
{
	int stuck = 0;
	while (stuck < FACTOR_KINDS && run->wrong == NULL) {
		int kind = (int)seed;
		if (seed >= FACTOR_KINDS)
			kind = (int)(run_draw(run) * FACTOR_KINDS);
		stuck = 0;
		while (stuck < FACTOR_KINDS && !run_step(run, (enum factor_kind)kind)) {
			kind = (kind + 1) % FACTOR_KINDS;
			stuck++;
		}
	}
	for (int kind = 0; kind < FACTOR_KINDS; kind++)
		if (run->done[kind] != run->plan->kind_count[kind])
			run->wrong = "a step never became ready";
}

static void run_fill(struct run *run)
{
	const int64_t elements = run->m * run->columns;
	for (size_t i = 0; i < run->room + (size_t)(run->m * run->problem->right); i++)
		run->device[i] = NAN;
	for (int64_t i = 0; i < elements; i++) {
		run->host[i] = run_draw(run) - 0.5 + (run_draw(run) - 0.5) * I;
	}
	for (int64_t i = 0; run->problem->form != FACTOR_LU && i < run->m; i++)
		*at(run, run->host, i, i) = 2 * (double)run->m;
	memcpy(run->expected, run->host, (size_t)elements * sizeof *run->host);
	for (int64_t i = 0; i < elements; i++)
		if (!run_has(run, i % run->m, i / run->m))
			run->host[i] = NAN;
}

/* Rows of L that are streamed are exchanged in the end. */
static bool may_store_again(const struct run *run)
{
	return run->problem->form == FACTOR_LU && run->problem->room > 0;
}

static void run_compare(struct run *run)
{
	const int64_t elements = run->m * run->columns;
	for (int64_t i = 0; i < elements && run->wrong == NULL; i++) {
		if (!run_has(run, i % run->m, i / run->m))
			continue;
		if (run->stored[i] != 1 && (run->stored[i] == 0 || !may_store_again(run)))
			run->wrong = "an element is not stored once";
		else if (!(cabs(run->host[i] - run->expected[i]) <=
		           1e-9 * (1 + cabs(run->expected[i]))))
			run->wrong = "an element is wrong";
	}
	const int64_t least = run->m < run->problem->n ? run->m : run->problem->n;
	for (int64_t k = 0; run->problem->form == FACTOR_LU && k < least; k++)
		if (run->pivots[k] != run->wanted[k])
			run->wrong = "a pivot is wrong";
}

const char *factor_run_check(const struct factor_problem *problem, const struct factor_plan *plan,
                             unsigned seed)
{
	struct run run = {.problem = problem,
	                  .plan = plan,
	                  .m = problem->m,
	                  .columns = problem->n + problem->right,
	                  .random = seed + 1};
	const size_t elements = (size_t)(run.m * run.columns);
	run.room = problem->room > 0 ? problem->room : (size_t)(run.m * problem->n);
	run.host = calloc(elements, sizeof *run.host);
	run.device = calloc(run.room + (size_t)(run.m * problem->right), sizeof *run.device);
	run.expected = calloc(elements, sizeof *run.expected);
	run.stored = calloc(elements, sizeof *run.stored);
	run.kept = calloc(elements, sizeof *run.kept);
	run.pivots = calloc((size_t)run.m, sizeof *run.pivots);
	run.wanted = calloc((size_t)run.m, sizeof *run.wanted);
	run_fill(&run);
	if (problem->form == FACTOR_LU)
		expect_lu(&run);
	else
		expect_cholesky(&run);
	run_all(&run, seed);
	run_compare(&run);
	free(run.host);
	free(run.device);
	free(run.expected);
	free(run.stored);
	free(run.kept);
	free(run.pivots);
	free(run.wanted);
	return run.wrong;
}
