/* panel_run.c - carries out plans of level-3 calls on small matrices */
/* SPDX-License-Identifier: Apache-2.0 */
#include "panel_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/plan/region.h"
#include "tests/driver/c11_complex.h"
#include "tests/driver/fewer.h"

#undef I

struct run {
	const struct panel_problem *problem;
	const struct panel_plan *plan;
	char *why;
	uint64_t random;
	double complex alpha, beta, *arena, *mirror[OPERAND_COUNT];
	struct panel_matrix operand[OPERAND_COUNT], wanted;
	uint8_t *stored; /* per element of C */
	/* next: index in the list; done: steps executed */
	uint32_t next[PANEL_KINDS], done[PANEL_KINDS];
};

static bool run_fail(struct run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static bool run_fail(struct run *run, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(run->why, PANEL_RUN_WHY_BYTES, format, arguments);
	va_end(arguments);
	return false;
}

static uint64_t run_draw(struct run *run, uint64_t below)
{
	run->random = run->random * 6364136223846793005u + 1442695040888963407u;
	return (run->random >> 33) % below;
}

static double run_draw_number(struct run *run)
{
	return (double)run_draw(run, 2001) / 1000 - 1;
}

static bool run_is_named(const struct run *run, int64_t row, int64_t column)
{
	return run->problem->blas.uplo == UPLO_UPPER ? row <= column : row >= column;
}

static bool run_has_square(const struct run *run)
{
	const enum family family = run->problem->family;
	return family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
}

/* Elements that the call must not read, or need not have read. */
static bool run_is_poison(const struct run *run, enum operand operand, int64_t row, int64_t column)
{
	const struct panel_problem *problem = run->problem;
	const bool in_place = family_is_in_place(problem->family);
	if (operand == OPERAND_C)
		return !in_place && run->beta == 0;
	if (operand == OPERAND_B || !run_has_square(run))
		return false;
	return !run_is_named(run, row, column) ||
	       (in_place && row == column && problem->blas.diag == DIAG_UNIT);
}

/* Triangles to solve with are well conditioned: their elements are small beside the diagonal's. */
static double complex run_draw_element(struct run *run, enum operand operand, int64_t row,
                                       int64_t column)
{
	const double real = run_draw_number(run);
	const bool complex_one = element_is_complex(run->problem->element);
	const double imaginary = complex_one ? run_draw_number(run) : 0;
	const bool solved = run->problem->family == FAMILY_TRSM && operand == OPERAND_A;
	const double scale = solved && row != column ? 1.0 / (double)run->problem->blas.k : 1;
	if (run_is_poison(run, operand, row, column))
		return CMPLX(NAN, NAN);
	return CMPLX(real * scale + (solved && row == column ? 2 : 0), imaginary * scale);
}

static bool run_draw_operands(struct run *run)
{
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		struct matrix shape;
		struct panel_matrix *matrix = &run->operand[operand];
		if (!operand_find(run->problem->family, &run->problem->blas, operand, &shape))
			continue;
		*matrix = (struct panel_matrix){shape.rows, shape.columns, shape.rows, NULL};
		matrix->element =
			malloc((size_t)(shape.rows * shape.columns) * sizeof *matrix->element);
		if (matrix->element == NULL)
			return run_fail(run, "no memory for operand %d", operand);
		for (int64_t column = 0; column < shape.columns; column++)
			for (int64_t row = 0; row < shape.rows; row++)
				matrix->element[row + column * matrix->ld] =
					run_draw_element(run, operand, row, column);
		if (operand == OPERAND_B && run->problem->same)
			memcpy(matrix->element, run->operand[OPERAND_A].element,
			       (size_t)(shape.rows * shape.columns) * sizeof *matrix->element);
	}
	return true;
}

/* The whole call as one kernel on a copy of C. */
static bool run_find_wanted(struct run *run)
{
	const bool in_place = family_is_in_place(run->problem->family);
	struct panel_kernel kernel = {.family = run->problem->family,
	                              .flags = run->problem->blas,
	                              .alpha = run->alpha,
	                              .beta = in_place ? 0 : run->beta,
	                              .x = run->operand[OPERAND_A],
	                              .y = run->operand[in_place ? OPERAND_C : OPERAND_B],
	                              .z = run->operand[OPERAND_C]};
	const size_t count = (size_t)kernel.z.rows * (size_t)kernel.z.columns;
	kernel.z.element = malloc(count * sizeof *kernel.z.element);
	if (kernel.z.element == NULL)
		return run_fail(run, "no memory for the result");
	for (size_t i = 0; i < count; i++)
		kernel.z.element[i] = run->operand[OPERAND_C].element[i];
	panel_kernel_run(&kernel);
	run->wanted = kernel.z;
	return true;
}

static bool run_start_arena(struct run *run)
{
	const uint64_t count = run->plan->arena_bytes / element_size_bytes(run->problem->element);
	const struct panel_matrix *c = &run->operand[OPERAND_C];
	run->arena = malloc((count + 1) * sizeof *run->arena);
	run->stored = calloc((size_t)(c->rows * c->columns), 1);
	if (run->arena == NULL || run->stored == NULL)
		return run_fail(run, "no memory for the arena");
	for (uint64_t i = 0; i < count; i++)
		run->arena[i] = CMPLX(NAN, NAN);
	return true;
}

/* Of held operands: A and B are there, C is not yet. */
static bool run_start_mirrors(struct run *run)
{
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		const struct panel_matrix *matrix = &run->operand[operand];
		if (!run->problem->held[operand])
			continue;
		const size_t count = (size_t)matrix->ld * (size_t)matrix->columns;
		run->mirror[operand] = malloc(count * sizeof(double complex));
		if (run->mirror[operand] == NULL)
			return run_fail(run, "no memory for a mirror");
		for (size_t i = 0; i < count; i++)
			run->mirror[operand][i] =
				operand == OPERAND_C ? CMPLX(NAN, NAN) : matrix->element[i];
	}
	return true;
}

/* The block's place on the device. */
static bool run_find(struct run *run, const struct panel_block *block, struct panel_matrix *matrix)
{
	const uint64_t size = element_size_bytes(run->problem->element);
	const struct panel_matrix *whole = &run->operand[block->operand];
	const struct panel_span row = block->row, column = block->column;
	const uint64_t last = (uint64_t)((column.count - 1) * block->ld + row.count);
	if (whole->element == NULL || row.begin < 0 || row.count < 1 ||
	    row.begin + row.count > whole->rows || column.begin < 0 || column.count < 1 ||
	    column.begin + column.count > whole->columns)
		return run_fail(run, "a block of operand %d lies outside it", block->operand);
	if (run->problem->held[block->operand]) {
		const int64_t first = row.begin + column.begin * whole->ld;
		*matrix = (struct panel_matrix){row.count, column.count, whole->ld,
		                                run->mirror[block->operand] + first};
		return true;
	}
	if (block->ld < row.count || block->place_bytes % size != 0 ||
	    block->place_bytes + last * size > run->plan->arena_bytes)
		return run_fail(run, "a block of operand %d lies outside the arena",
		                block->operand);
	*matrix = (struct panel_matrix){row.count, column.count, block->ld,
	                                run->arena + block->place_bytes / size};
	return true;
}

static bool run_load(struct run *run, const struct panel_block *block)
{
	const struct panel_matrix *from = &run->operand[block->operand];
	struct panel_matrix to;
	if (block->operand == OPERAND_C && !family_is_in_place(run->problem->family))
		return run_fail(run, "C is loaded");
	if (run->problem->held[block->operand])
		return run_fail(run, "a held operand is loaded");
	if (!run_find(run, block, &to))
		return false;
	for (int64_t j = 0; j < to.columns; j++)
		for (int64_t i = 0; i < to.rows; i++)
			to.element[i + j * to.ld] =
				from->element[block->row.begin + i +
			                      (block->column.begin + j) * from->ld];
	return true;
}

static double complex run_find_scalar(const struct run *run, enum panel_scalar scalar)
{
	switch (scalar) {
	case PANEL_ZERO: return 0;
	case PANEL_ONE: return 1;
	case PANEL_MINUS_ONE: return -1;
	case PANEL_ALPHA: return run->alpha;
	case PANEL_ALPHA_CONJUGATE: return conj(run->alpha);
	}
	return NAN;
}

/* The three blocks of a gemm have to fit each other; other kernels get square ones. */
static bool run_fits(const struct panel_kernel *kernel)
{
	const bool turned = kernel->flags.transa != TRANSPOSE_N,
		   other = kernel->flags.transb != TRANSPOSE_N;
	const bool left = kernel->flags.side == SIDE_LEFT;
	const struct panel_matrix *x = &kernel->x, *y = &kernel->y, *z = &kernel->z;
	if (operand_is_triangle(kernel->family))
		return z->rows == z->columns && (turned ? x->columns : x->rows) == z->rows &&
		       (y->rows == 0 || (y->rows == x->rows && y->columns == x->columns));
	if (kernel->family == FAMILY_GEMM || kernel->family == FAMILY_GEMM3M)
		return (turned ? x->columns : x->rows) == z->rows &&
		       (other ? y->rows : y->columns) == z->columns &&
		       (turned ? x->rows : x->columns) == (other ? y->columns : y->rows);
	return x->rows == x->columns && x->rows == (left ? z->rows : z->columns) &&
	       (kernel->family == FAMILY_TRSM ? y->rows == 0
	                                      : y->rows == z->rows && y->columns == z->columns);
}

static bool run_work(struct run *run, const struct panel_work *work)
{
	struct panel_kernel kernel = {.family = work->family,
	                              .flags = run->problem->blas,
	                              .alpha = run_find_scalar(run, work->alpha),
	                              .beta = run_find_scalar(run, work->beta)};
	kernel.flags.transa = work->transx;
	kernel.flags.transb = work->transy;
	if (!run_find(run, &work->x, &kernel.x) || !run_find(run, &work->z, &kernel.z) ||
	    (work->has_y && !run_find(run, &work->y, &kernel.y)))
		return false;
	if (!run_fits(&kernel))
		return run_fail(run, "a kernel of family %d has blocks that do not fit each other",
		                work->family);
	panel_kernel_run(&kernel);
	return true;
}

/* Whether all elements before this one along A's dimension are stored. */
static bool run_is_in_turn(const struct run *run, int64_t row, int64_t column)
{
	const struct panel_problem *problem = run->problem;
	const struct panel_matrix *c = &run->operand[OPERAND_C];
	const bool left = problem->blas.side == SIDE_LEFT;
	const int64_t step = region_begins_at_end(problem->family, &problem->blas) ? 1 : -1;
	const int64_t before = (left ? row : column) + step;
	if (!family_is_in_place(problem->family) || before < 0 ||
	    before == (left ? c->rows : c->columns))
		return true;
	return run->stored[left ? before + column * c->ld : row + before * c->ld] > 0;
}

static bool run_store_element(struct run *run, int64_t row, int64_t column, double complex value)
{
	const enum family family = run->problem->family;
	const struct panel_matrix *c = &run->operand[OPERAND_C];
	const int64_t at = row + column * c->ld;
	if (operand_is_triangle(family) && !run_is_named(run, row, column))
		return true;
	if (run->stored[at]++ > 0)
		return run_fail(run, "(%ld, %ld) is stored twice", (long)row, (long)column);
	if (run->beta != 0 && !family_is_in_place(family))
		value += run->beta * c->element[at];
	if ((family == FAMILY_HERK || family == FAMILY_HER2K) && row == column)
		value = creal(value);
	c->element[at] = value;
	return true;
}

/*
 * Within a step a whole column or row becomes final together, so the order is checked before the
 * step.
 */
static bool run_store(struct run *run, const struct panel_block *block)
{
	const struct panel_span row = block->row, column = block->column;
	const bool at_end = region_begins_at_end(run->problem->family, &run->problem->blas);
	struct panel_matrix from;
	if (block->operand != OPERAND_C || !run_find(run, block, &from))
		return run_fail(run, "a store is not of C");
	const int64_t last_row = row.begin + row.count - 1,
		      last_column = column.begin + column.count - 1;
	if (!run_is_in_turn(run, at_end ? last_row : row.begin,
	                    at_end ? last_column : column.begin))
		return run_fail(run, "rows from %ld and columns from %ld are stored too early",
		                (long)row.begin, (long)column.begin);
	for (int64_t j = 0; j < column.count; j++)
		for (int64_t i = 0; i < row.count; i++)
			if (!run_store_element(run, row.begin + i, column.begin + j,
			                       from.element[i + j * from.ld]))
				return false;
	return true;
}

static bool run_step(struct run *run, const struct panel_step *step)
{
	if (step->kind == PANEL_LOAD)
		return run_load(run, &step->block);
	return step->kind == PANEL_WORK ? run_work(run, &step->work) : run_store(run, &step->block);
}

/* The kind's next step. NULL where there is none or it has to wait. */
static const struct panel_step *run_find_next(struct run *run, enum panel_kind kind)
{
	const struct panel_plan *plan = run->plan;
	while (run->next[kind] < plan->count && plan->steps[run->next[kind]].kind != kind)
		run->next[kind]++;
	if (run->next[kind] == plan->count)
		return NULL;
	const struct panel_step *step = &plan->steps[run->next[kind]];
	for (int other = 0; other < PANEL_KINDS; other++)
		if (step->after[other] > run->done[other])
			return NULL;
	return step;
}

/* The order in which the kinds are tried: one of six, or (the seventh) another one each time. */
static bool run_all(struct run *run)
{
	const uint64_t manner = run_draw(run, 7);
	for (uint32_t count = 0; count < run->plan->count; count++) {
		const uint64_t order = manner < 6 ? manner : run_draw(run, 6);
		const int first = (int)(order % 3), second = (first + 1 + (int)(order / 3)) % 3;
		const int kinds[PANEL_KINDS] = {first, second, 3 - first - second};
		const struct panel_step *step = NULL;
		for (int i = 0; i < PANEL_KINDS && step == NULL; i++)
			step = run_find_next(run, (enum panel_kind)kinds[i]);
		if (step == NULL)
			return run_fail(run, "after %u of %u steps each waits for another", count,
			                run->plan->count);
		if (!run_step(run, step))
			return false;
		run->next[step->kind]++;
		run->done[step->kind]++;
	}
	return true;
}

/* Checks of the list that need no execution. */
static bool run_check_list(struct run *run)
{
	const struct panel_plan *plan = run->plan;
	const uint64_t size = element_size_bytes(run->problem->element);
	uint32_t count[PANEL_KINDS] = {0};
	uint64_t bytes[PANEL_KINDS] = {0};
	for (uint32_t i = 0; i < plan->count; i++) {
		const struct panel_step *step = &plan->steps[i];
		for (int kind = 0; kind < PANEL_KINDS; kind++)
			if (step->after[kind] > count[kind])
				return run_fail(run, "step %u waits for a later one", i);
		count[step->kind]++;
		if (step->kind != PANEL_WORK)
			bytes[step->kind] += (uint64_t)step->block.row.count *
			                     (uint64_t)step->block.column.count * size;
	}
	for (int kind = 0; kind < PANEL_KINDS; kind++)
		if (count[kind] != plan->kind_count[kind])
			return run_fail(run, "%u steps of kind %d, not %u", count[kind], kind,
			                plan->kind_count[kind]);
	if (bytes[PANEL_LOAD] != plan->load_bytes || bytes[PANEL_STORE] != plan->store_bytes)
		return run_fail(run, "the bytes to copy are not those of the steps");
	return true;
}

static bool run_compare(struct run *run)
{
	const struct panel_matrix *c = &run->operand[OPERAND_C], *wanted = &run->wanted;
	const double least = 1e-10 * (double)(run->problem->blas.k + 1);
	for (int64_t column = 0; column < c->columns; column++)
		for (int64_t row = 0; row < c->rows; row++) {
			const int64_t at = row + column * c->ld;
			const bool named = !operand_is_triangle(run->problem->family) ||
			                   run_is_named(run, row, column);
			const double complex got = c->element[at], value = wanted->element[at];
			const bool hermitian =
				row == column && (run->problem->family == FAMILY_HERK ||
			                          run->problem->family == FAMILY_HER2K);
			const double complex right = hermitian ? creal(value) : value;
			if (run->stored[at] != named)
				return run_fail(run, "(%ld, %ld) is %s", (long)row, (long)column,
				                named ? "not stored"
				                      : "stored outside the triangle");
			if (named && !(cabs(got - right) <= least))
				return run_fail(run, "(%ld, %ld) is %g%+gi, not %g%+gi", (long)row,
				                (long)column, creal(got), cimag(got), creal(right),
				                cimag(right));
		}
	return true;
}

bool panel_run_check(const struct panel_problem *problem, const struct panel_plan *plan,
                     uint64_t seed, char why[PANEL_RUN_WHY_BYTES])
{
	const double *alpha = problem->blas.alpha, *beta = problem->blas.beta;
	struct run run = {.problem = problem, .plan = plan, .why = why, .random = seed};
	run.alpha = CMPLX(alpha[0], alpha[1]);
	run.beta = CMPLX(beta[0], beta[1]);
	static unsigned long turn;
	const bool right =
		run_check_list(&run) &&
		(!fewer_runs(turn++) ||
	         (run_draw_operands(&run) && run_find_wanted(&run) && run_start_arena(&run) &&
	          run_start_mirrors(&run) && run_all(&run) && run_compare(&run)));
	for (enum operand operand = OPERAND_A; operand < OPERAND_COUNT; operand++) {
		free(run.operand[operand].element);
		free(run.mirror[operand]);
	}
	free(run.wanted.element);
	free(run.arena);
	free(run.stored);
	return right;
}
