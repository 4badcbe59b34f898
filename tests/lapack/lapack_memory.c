/* lapack_memory.c - the operands of a trial three times, each before a page without access */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lapack_trial.h"
#include "tests/numeric/draw.h"
#include "tests/numeric/rerun.h"

enum {
	PAGE_BYTES = 4096,
	SLOT_BYTES = 4 << 20,
	STEP_BYTES = SLOT_BYTES + PAGE_BYTES,
	AROUND_BYTES = 256
};

static char *memory_base[COPY_COUNT];
static bool memory_guards;

size_t unit_bytes(enum type type, enum unit unit)
{
	const size_t real = type_is_single(type) ? sizeof(float) : sizeof(double);
	if (unit == UNIT_INTEGER)
		return sizeof(lapack_int);
	return unit == UNIT_ELEMENT && type_is_complex(type) ? 2 * real : real;
}

void memory_open(bool guards)
{
	memory_guards = guards;
	for (int copy = 0; copy < COPY_COUNT; copy++) {
		char *base = mmap(NULL, (size_t)SLOT_COUNT * STEP_BYTES, PROT_NONE,
		                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (base == MAP_FAILED) {
			perror("mmap");
			exit(3);
		}
		for (int slot = 0; slot < SLOT_COUNT; slot++)
			if (mprotect(base + (size_t)slot * STEP_BYTES, SLOT_BYTES,
			             PROT_READ | PROT_WRITE) != 0) {
				perror("mprotect");
				exit(3);
			}
		memory_base[copy] = base;
	}
}

char *memory_at(const struct trial *t, enum copy copy, enum slot slot)
{
	return memory_base[copy] + (size_t)slot * STEP_BYTES + t->operand[slot].offset;
}

/* The last column has no gap. */
static size_t memory_extent(const struct trial *t, enum slot slot)
{
	const struct operand *o = &t->operand[slot];
	if (o->rows < 1 || o->columns < 1)
		return 0;
	return (size_t)((o->columns - 1) * o->ld + o->rows) * unit_bytes(t->type, o->unit);
}

/* Bytes from here to the end are the test's: some before the operand, the operand, some behind. */
static size_t memory_begin(const struct trial *t, enum slot slot)
{
	return t->operand[slot].offset - AROUND_BYTES;
}

static size_t memory_end(const struct trial *t, enum slot slot)
{
	const size_t end = t->operand[slot].offset + memory_extent(t, slot) + AROUND_BYTES;
	return end < SLOT_BYTES ? end : SLOT_BYTES;
}

/* Integers get a value that no routine leaves; numbers get NaN. */
static void memory_poison(const struct trial *t, enum slot slot)
{
	char *base = memory_base[COPY_BEFORE] + (size_t)slot * STEP_BYTES;
	const size_t begin = memory_begin(t, slot), end = memory_end(t, slot);
	if (t->operand[slot].unit == UNIT_INTEGER) {
		memset(base + begin, 0x6b, end - begin);
		return;
	}
	/* Each 32 bits a NaN of their own and, in pairs, one as a double. */
	for (size_t at = begin; at < end; at++)
		base[at] = "\x01\x00\xf8\x7f"[(at - t->operand[slot].offset) % 4];
}

void memory_place(struct trial *t)
{
	const bool at_end = draw_below(2) && memory_guards;
	const size_t shift = draw_below(4);
	for (int slot = 0; slot < SLOT_COUNT; slot++) {
		struct operand *o = &t->operand[slot];
		const size_t bytes = unit_bytes(t->type, o->unit);
		const size_t extent = memory_extent(t, (enum slot)slot);
		o->offset = at_end ? SLOT_BYTES - extent : 2 * AROUND_BYTES + shift * bytes;
		if (extent > SLOT_BYTES - 4 * AROUND_BYTES) {
			fprintf(stderr, "an operand of %zu bytes is too large\n", extent);
			exit(3);
		}
		memory_poison(t, (enum slot)slot);
	}
}

double complex memory_get(const struct trial *t, enum copy copy, enum slot slot, int64_t row,
                          int64_t column)
{
	const struct operand *o = &t->operand[slot];
	const int64_t at = column * o->ld + row;
	const void *base = memory_at(t, copy, slot);
	const bool both = o->unit == UNIT_ELEMENT && type_is_complex(t->type);
	const int64_t first = both ? 2 * at : at;
	if (o->unit == UNIT_INTEGER)
		return (double)((const lapack_int *)base)[at];
	if (type_is_single(t->type)) {
		const float *x = base;
		return both ? CMPLX(x[first], x[first + 1]) : CMPLX(x[first], 0);
	}
	const double *x = base;
	return both ? CMPLX(x[first], x[first + 1]) : CMPLX(x[first], 0);
}

void memory_set(const struct trial *t, enum slot slot, int64_t row, int64_t column,
                double complex value)
{
	const struct operand *o = &t->operand[slot];
	const int64_t at = column * o->ld + row;
	void *base = memory_at(t, COPY_BEFORE, slot);
	const int parts = o->unit == UNIT_ELEMENT && type_is_complex(t->type) ? 2 : 1;
	const double part[] = {creal(value), cimag(value)};
	for (int i = 0; i < parts; i++) {
		if (o->unit == UNIT_INTEGER)
			((lapack_int *)base)[at] = (lapack_int)part[0];
		else if (type_is_single(t->type))
			((float *)base)[parts * at + i] = (float)part[i];
		else
			((double *)base)[parts * at + i] = part[i];
	}
}

void memory_copy(const struct trial *t, enum copy from, enum copy to)
{
	for (int slot = 0; slot < SLOT_COUNT; slot++) {
		const size_t begin = (size_t)slot * STEP_BYTES + memory_begin(t, (enum slot)slot);
		memcpy(memory_base[to] + begin, memory_base[from] + begin,
		       memory_end(t, (enum slot)slot) - memory_begin(t, (enum slot)slot));
	}
}

void memory_restore(const struct trial *t)
{
	for (int slot = 0; slot < SLOT_COUNT; slot++) {
		const size_t begin = (size_t)slot * STEP_BYTES + memory_begin(t, (enum slot)slot);
		rerun_restore(memory_base[COPY_SHIM] + begin, memory_base[COPY_BEFORE] + begin,
		              memory_end(t, (enum slot)slot) - memory_begin(t, (enum slot)slot));
	}
}

/* The rows of a column that may be written. */
static void memory_writable(const struct operand *o, int64_t column, int64_t *first, int64_t *last)
{
	*first = o->written == PART_LOWER && column < o->rows ? column : 0;
	*last = o->written == PART_UPPER && column + 1 < o->rows ? column + 1 : o->rows;
	if (o->written == PART_NONE)
		*last = *first;
}

bool memory_is_kept(const struct trial *t, enum copy copy, bool nothing, enum slot *slot)
{
	for (int s = 0; s < SLOT_COUNT; s++) {
		const struct operand *o = &t->operand[s];
		const size_t bytes = unit_bytes(t->type, o->unit);
		const char *before = memory_base[COPY_BEFORE] + (size_t)s * STEP_BYTES,
			   *after = memory_base[copy] + (size_t)s * STEP_BYTES;
		size_t at = memory_begin(t, (enum slot)s);
		*slot = (enum slot)s;
		for (int64_t column = 0; column < o->columns && !nothing && o->rows > 0; column++) {
			int64_t first, last;
			memory_writable(o, column, &first, &last);
			const size_t base = o->offset + (size_t)(column * o->ld) * bytes;
			const size_t begin = base + (size_t)first * bytes;
			if (memcmp(before + at, after + at, begin - at) != 0)
				return false;
			at = base + (size_t)last * bytes;
		}
		if (memcmp(before + at, after + at, memory_end(t, (enum slot)s) - at) != 0)
			return false;
	}
	return true;
}

bool memory_is_same(const struct trial *t, enum slot *slot)
{
	for (int s = 0; s < SLOT_WORK; s++) {
		const size_t begin = (size_t)s * STEP_BYTES + memory_begin(t, (enum slot)s);
		*slot = (enum slot)s;
		if (memcmp(memory_base[COPY_SHIM] + begin, memory_base[COPY_LIBRARY] + begin,
		           memory_end(t, (enum slot)s) - memory_begin(t, (enum slot)s)) != 0)
			return false;
	}
	return true;
}
