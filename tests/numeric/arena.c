/* arena.c - the memory of a trial three times */
/* SPDX-License-Identifier: Apache-2.0 */
#include "arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "draw.h"
#include "rerun.h"

enum {
	PAGE_BYTES = 4096,
	SLOT_BYTES = 64 << 20,
	STEP_BYTES = SLOT_BYTES + PAGE_BYTES,
	AROUND_BYTES = 512
};

static char *arena_open_one(int fence)
{
	char *base = mmap(NULL, OPERAND_COUNT * STEP_BYTES + PAGE_BYTES, fence,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED) {
		perror("mmap");
		exit(3);
	}
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		if (mprotect(base + PAGE_BYTES + operand * STEP_BYTES, SLOT_BYTES,
		             PROT_READ | PROT_WRITE) != 0) {
			perror("mprotect");
			exit(3);
		}
	return base;
}

struct arena arena_open(void)
{
	/* Not for the library's own call: kernels of some libraries read beyond the operands. */
	const int access = PROT_READ | PROT_WRITE;
	return (struct arena){arena_open_one(access), arena_open_one(PROT_NONE),
	                      arena_open_one(access)};
}

static size_t arena_slot(enum operand operand)
{
	return PAGE_BYTES + (size_t)operand * STEP_BYTES;
}

/*
 * Bytes from the start of the first problem's operand to the end of the last one's; offsets from
 * that start.
 */
static size_t arena_place_batch(struct trial *t, enum operand operand)
{
	const size_t bytes = element_size_bytes(t->row->element);
	const bool shares = operand != OPERAND_C && draw_below(2);
	struct grid grid;
	size_t at = 0, end = 0;
	for (int p = 0; p < t->problems; p++) {
		const bool first = p == 0 || t->group_of[p] != t->group_of[p - 1];
		grid_find(t, &t->group[t->group_of[p]], operand, &grid);
		if (first || !shares)
			at = end;
		t->offset[operand][p] = at;
		end = at + (grid_extent(&grid) + draw_below(4)) * bytes;
	}
	return end;
}

/* Inputs of a strided batch may overlap each other, or be one. */
static size_t arena_place_strided(struct trial *t, enum operand operand)
{
	const size_t bytes = element_size_bytes(t->row->element);
	struct grid grid;
	grid_find(t, &t->group[0], operand, &grid);
	const int64_t apart = (int64_t)grid_extent(&grid) + draw_below(4);
	const int64_t input_strides[] = {0, 1, apart, apart};
	t->stride[operand] = operand == OPERAND_C ? apart : input_strides[draw_below(4)];
	for (int p = 0; p < t->problems; p++)
		t->offset[operand][p] = (size_t)(p * t->stride[operand]) * bytes;
	return (grid_extent(&grid) +
	        (size_t)(t->problems > 0 ? t->problems - 1 : 0) * (size_t)t->stride[operand]) *
	       bytes;
}

static size_t arena_place_one(struct trial *t, enum operand operand)
{
	struct grid grid;
	t->offset[operand][0] = 0;
	if (!grid_find(t, &t->group[0], operand, &grid))
		return 0;
	return grid_extent(&grid) * element_size_bytes(grid.element);
}

static size_t arena_shift(const struct trial *t)
{
	const size_t bytes = element_size_bytes(t->row->element);
	switch (t->position) {
	case POSITION_HALF: return element_is_complex(t->row->element) ? bytes / 2 : bytes;
	case POSITION_ELEMENT: return bytes;
	default: return 0;
	}
}

/*
 * Bytes of an input that shares memory with C: it begins in C's first column, or directly after it.
 */
static size_t arena_size_shared(const struct trial *t)
{
	struct grid c, other;
	grid_find(t, &t->group[0], OPERAND_C, &c);
	grid_find(t, &t->group[0], t->shared, &other);
	return (grid_extent(&other) + (size_t)(grid_contiguous(&c) + grid_contiguous(&other))) *
	       element_size_bytes(t->row->element);
}

static void arena_place_operand(struct trial *t, enum operand operand)
{
	const size_t slot = arena_slot(operand);
	size_t bytes;
	switch (t->row->shape) {
	case SHAPE_BATCH: bytes = arena_place_batch(t, operand); break;
	case SHAPE_STRIDED: bytes = arena_place_strided(t, operand); break;
	default: bytes = arena_place_one(t, operand); break;
	}
	if (operand == OPERAND_C && t->sharing >= SHARING_INTERLEAVED)
		bytes += arena_size_shared(t);
	if (bytes + 2 * AROUND_BYTES + 64 > SLOT_BYTES) {
		fprintf(stderr, "an operand of %zu bytes is larger than its slot\n", bytes);
		exit(3);
	}
	size_t start = slot + AROUND_BYTES + arena_shift(t);
	if (t->position == POSITION_PAGE_END)
		start = slot + SLOT_BYTES - bytes;
	t->begin[operand] = start - AROUND_BYTES;
	t->end[operand] = start + bytes + AROUND_BYTES;
	if (t->end[operand] > slot + SLOT_BYTES)
		t->end[operand] = slot + SLOT_BYTES;
	for (int p = 0; p < t->problems || p == 0; p++)
		t->offset[operand][p] += start;
}

/* An input that shares memory with another operand. */
static void arena_place_shared(struct trial *t)
{
	const size_t bytes = element_size_bytes(t->row->element);
	struct grid c, other;
	size_t *input = &t->offset[t->shared][0], *result = &t->offset[OPERAND_C][0];
	grid_find(t, &t->group[0], OPERAND_C, &c);
	grid_find(t, &t->group[0], t->shared, &other);
	if (t->sharing == SHARING_INTERLEAVED) {
		*input = *result;
		if (draw_below(2))
			*input += (size_t)grid_contiguous(&c) * bytes;
		else
			*result += (size_t)grid_contiguous(&other) * bytes;
	}
	if (t->sharing == SHARING_OVERLAP)
		*input = *result + draw_below((unsigned)grid_contiguous(&c)) * bytes;
}

void arena_place(struct trial *t)
{
	struct grid a, b;
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		arena_place_operand(t, (enum operand)operand);
	if (t->sharing == SHARING_INPUTS) {
		grid_find(t, &t->group[0], OPERAND_A, &a);
		grid_find(t, &t->group[0], OPERAND_B, &b);
		if (grid_extent(&a) < grid_extent(&b))
			t->offset[OPERAND_A][0] = t->offset[OPERAND_B][0];
		else
			t->offset[OPERAND_B][0] = t->offset[OPERAND_A][0];
	}
	if (t->sharing >= SHARING_INTERLEAVED)
		arena_place_shared(t);
}

static double arena_draw_part(const struct trial *t)
{
	if (t->zeros && draw_below(4) == 0)
		return 0;
	const double value = (1 + draw_below(1000)) / 1000.0;
	return draw_below(2) ? value : -value;
}

/* Elements of a triangular divisor: close to the unit matrix, so that solutions stay bounded. */
static double complex arena_draw_factor(const struct trial *t, const struct grid *grid,
                                        bool diagonal)
{
	const double complex value = CMPLX(arena_draw_part(t), arena_draw_part(t));
	if (t->row->family != FAMILY_TRSM || grid->kind != GRID_TRIANGULAR)
		return value;
	return diagonal ? 1 + value / 4 : value * 2 / (double)(grid->rows + 1);
}

/* Only the parts that may be read are written. */
static void arena_fill_grid(const struct trial *t, const struct grid *grid, char *base)
{
	const size_t bytes = element_size_bytes(grid->element);
	char value[16];
	for (int64_t i = 0; i < grid->rows; i++)
		for (int64_t j = 0; j < grid->columns; j++) {
			if (!grid_refers(grid, i, j))
				continue;
			const bool half = grid_is_real_at(grid, i, j) && !t->clean_diagonal;
			grid_put(grid->element, value, 0, arena_draw_factor(t, grid, i == j));
			memcpy(base + grid_index(grid, i, j) * bytes, value,
			       half ? bytes / 2 : bytes);
		}
}

/*
 * Puts a NaN or an infinity in one of the elements that are read. Dividing by an infinity gives a
 * finite quotient.
 */
static void arena_fill_foreign(const struct trial *t, const struct grid *grid, enum operand operand,
                               char *base)
{
	if (grid->rows == 0 || grid->columns == 0)
		return;
	const int64_t i = draw_below((unsigned)grid->rows), j = draw_below((unsigned)grid->columns);
	const bool divides = t->row->family == FAMILY_TRSM && operand == OPERAND_A;
	const double part = divides || draw_below(2) ? NAN : INFINITY;
	if (grid_refers(grid, i, j) && !grid_is_real_at(grid, i, j))
		grid_put(grid->element, base, grid_index(grid, i, j),
		         CMPLX(part, draw_below(2) ? part : 1));
}

static bool arena_is_read(const struct trial *t, const struct trial_group *g, enum operand operand)
{
	const bool no_alpha = g->alpha[0] == 0 && g->alpha[1] == 0;
	if (operand != OPERAND_C)
		return !no_alpha;
	return family_is_in_place(t->row->family) ? !no_alpha : g->beta[0] != 0 || g->beta[1] != 0;
}

static void arena_fill_problem(const struct arena *arena, const struct trial *t, int problem)
{
	const struct trial_group *g = &t->group[t->group_of[problem]];
	struct grid grid;
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		char *base = arena->before + t->offset[operand][problem];
		const bool read = arena_is_read(t, g, (enum operand)operand);
		if (!grid_find(t, g, (enum operand)operand, &grid) || !(read || t->clean_inputs))
			continue;
		arena_fill_grid(t, &grid, base);
		if (read && t->foreign && draw_below(2))
			arena_fill_foreign(t, &grid, (enum operand)operand, base);
	}
}

void arena_fill(const struct arena *arena, const struct trial *t)
{
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		memset(arena->before + t->begin[operand], t->filler,
		       t->end[operand] - t->begin[operand]);
	for (int problem = 0; problem < t->problems; problem++)
		arena_fill_problem(arena, t, problem);
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		const size_t begin = t->begin[operand], bytes = t->end[operand] - begin;
		memcpy(arena->shim + begin, arena->before + begin, bytes);
		memcpy(arena->library + begin, arena->before + begin, bytes);
	}
}

void arena_spoil(const struct arena *arena, const struct trial *t)
{
	for (int operand = OPERAND_A; operand < OPERAND_C; operand++) {
		const size_t bytes = t->end[operand] - t->begin[operand];
		for (unsigned spans = draw_below(3); spans > 0; spans--) {
			const size_t at = draw_below((unsigned)bytes), left = bytes - at;
			const size_t size = 1 + draw_below(2 * AROUND_BYTES);
			memset(arena->shim + t->begin[operand] + at, 0, size < left ? size : left);
		}
	}
}

void arena_restore(const struct arena *arena, const struct trial *t)
{
	for (int operand = 0; operand < OPERAND_COUNT; operand++)
		rerun_restore(arena->shim + t->begin[operand], arena->before + t->begin[operand],
		              t->end[operand] - t->begin[operand]);
}

static void arena_protect_slot(char *base, enum operand operand, int protection)
{
	if (mprotect(base + arena_slot(operand), SLOT_BYTES, protection) != 0) {
		perror("mprotect");
		exit(3);
	}
}

void arena_protect(const struct arena *arena, const struct trial *t, bool on)
{
	const int protection = !on ? PROT_READ | PROT_WRITE : t->no_access ? PROT_NONE : PROT_READ;
	if (!t->no_access && !t->read_only)
		return;
	for (int operand = OPERAND_A; operand < OPERAND_C; operand++)
		arena_protect_slot(arena->shim, (enum operand)operand, protection);
}

bool arena_is_same(const struct arena *arena, const struct trial *t)
{
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		const size_t begin = t->begin[operand];
		if (memcmp(arena->shim + begin, arena->library + begin, t->end[operand] - begin) !=
		    0)
			return false;
	}
	return true;
}

static void arena_take_result(const struct arena *arena, const struct trial *t, int problem,
                              const char *after)
{
	const size_t bytes = element_size_bytes(t->row->element),
		     offset = t->offset[OPERAND_C][problem];
	struct grid c;
	grid_find(t, &t->group[t->group_of[problem]], OPERAND_C, &c);
	for (int64_t i = 0; i < c.rows; i++)
		for (int64_t j = 0; j < c.columns; j++)
			if (grid_refers(&c, i, j)) {
				const size_t at = offset + grid_index(&c, i, j) * bytes;
				memcpy(arena->before + at, after + at, bytes);
			}
}

bool arena_is_clean(const struct arena *arena, const struct trial *t, char *after)
{
	for (int problem = 0; problem < t->problems; problem++)
		arena_take_result(arena, t, problem, after);
	for (int operand = 0; operand < OPERAND_COUNT; operand++) {
		const size_t begin = t->begin[operand];
		if (memcmp(after + begin, arena->before + begin, t->end[operand] - begin) != 0)
			return false;
	}
	return true;
}
