/* trial_emulate.c - the routines that a library lacks, by its gemm */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "grid.h"

/*
 * One problem as a call of the Fortran gemm, whose column-major view exchanges the factors of a
 * row-major product.
 */
static struct trial emulate_make_gemm(const struct trial *t, int problem)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	struct trial gemm = {.wide = t->wide,
	                     .order = TRIAL_COLUMN_MAJOR,
	                     .groups = 1,
	                     .problems = 1,
	                     .group = {*g}};
	const char name[] = {"sdcz"[t->row->element], 'g', 'e', 'm', 'm', '_', '\0'};
	gemm.row = blas_table_find(name);
	gemm.group[0].problems = 1;
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		gemm.offset[operand][0] = t->offset[operand][problem];
	if (t->order != TRIAL_ROW_MAJOR)
		return gemm;
	gemm.group[0].transa = g->transb;
	gemm.group[0].transb = g->transa;
	gemm.group[0].m = g->n;
	gemm.group[0].n = g->m;
	gemm.group[0].lda = g->ldb;
	gemm.group[0].ldb = g->lda;
	gemm.offset[OPERAND_A][0] = t->offset[OPERAND_B][problem];
	gemm.offset[OPERAND_B][0] = t->offset[OPERAND_A][problem];
	return gemm;
}

/* Copies the elements that the grid refers to between two arrays of its layout. */
static void emulate_copy(const struct grid *grid, char *to, const char *from)
{
	const size_t bytes = element_size_bytes(grid->element);
	for (int64_t i = 0; i < grid->rows; i++)
		for (int64_t j = 0; j < grid->columns; j++)
			if (grid_refers(grid, i, j))
				memcpy(to + grid_index(grid, i, j) * bytes,
				       from + grid_index(grid, i, j) * bytes, bytes);
}

/* The whole product beside the result, then one triangle of it. */
static void emulate_triangle(const struct trial *t, int problem, char *arena, void *code)
{
	struct trial gemm = emulate_make_gemm(t, problem);
	struct grid c;
	grid_find(t, &t->group[t->group_of[problem]], OPERAND_C, &c);
	char *result = arena + t->offset[OPERAND_C][problem];
	char *scratch = calloc(grid_extent(&c) + 1, element_size_bytes(c.element));
	if (scratch == NULL)
		abort();
	emulate_copy(&c, scratch, result);
	gemm.offset[OPERAND_C][0] = (size_t)(scratch - arena);
	trial_call(&gemm, arena, code);
	emulate_copy(&c, result, scratch);
	free(scratch);
}

void trial_emulate(const struct trial *t, char *arena, void *code)
{
	for (int problem = 0; problem < t->problems; problem++) {
		const struct trial gemm = emulate_make_gemm(t, problem);
		if (t->row->shape == SHAPE_GEMMT)
			emulate_triangle(t, problem, arena, code);
		else
			trial_call(&gemm, arena, code);
	}
}
