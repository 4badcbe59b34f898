/* fftw_guard.c - linked into FFTW's bench: only elements of the transform may be written */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libbench2/bench.h"
#include "tests/numeric/rerun.h"

/*
 * bench calls the functions at the end of this file before and after each execution; its own
 * versions are empty. bench compares only the elements of the transform, and an error that is NaN
 * passes its bound. So before an execution all other memory of both arrays is filled with NaN, and
 * the output too unless it is the input; after it, that memory is checked. With FFTW_GUARD_TWICE in
 * the environment each plan is executed once before, and pages that changed are written: bench
 * writes all of them each time, so that otherwise nothing could stay on the device.
 */
enum { FFTW_GUARD_INPUT = 1, FFTW_GUARD_OUTPUT = 2 };

/* One of the arrays as reals; role has for each real whether it belongs to input or output. */
struct fftw_guard_array {
	const char *name;
	bench_real *memory;
	size_t count, origin;
	char *role;
};

static bool fftw_guard_is_complex(const bench_problem *p, bool output)
{
	return p->kind == PROBLEM_COMPLEX || (p->sign < 0) == output;
}

/*
 * Marks the elements along the axes from `axis` on, starting at `place`, by the strides of one
 * side.
 */
static void fftw_guard_mark(struct fftw_guard_array *array, const bench_problem *p,
                            const bench_tensor *axes, int axis, bool output, long place)
{
	const bool is_complex = fftw_guard_is_complex(p, output);
	if (axis == axes->rnk) {
		for (int part = 0; part < (is_complex ? 2 : 1); part++)
			array->role[place + part] |= output ? FFTW_GUARD_OUTPUT : FFTW_GUARD_INPUT;
		return;
	}
	const bench_iodim *dim = &axes->dims[axis];
	const bool halved = p->kind == PROBLEM_REAL && is_complex && axis == axes->rnk - 1;
	const long stride = (output ? dim->os : dim->is) * (is_complex ? 2L : 1L);
	for (int i = 0; i < (halved ? dim->n / 2 + 1 : dim->n); i++)
		fftw_guard_mark(array, p, axes, axis + 1, output, place + i * stride);
}

/*
 * The number of reals that bench has allocated for a side. In place, both sides share memory, which
 * is counted for each side.
 */
static size_t fftw_guard_count(const bench_problem *p, bool output)
{
	return (size_t)(output ? p->ophyssz : p->iphyssz) *
	       (fftw_guard_is_complex(p, output) ? 2 : 1);
}

static struct fftw_guard_array fftw_guard_open(const bench_problem *p, bool output)
{
	struct fftw_guard_array array = {.name = output ? "output" : "input"};
	array.memory = output ? p->outphys : p->inphys;
	array.count = fftw_guard_count(p, output);
	if (p->in_place && fftw_guard_count(p, !output) > array.count)
		array.count = fftw_guard_count(p, !output);
	array.origin = (size_t)((const bench_real *)(output ? p->out : p->in) - array.memory);
	array.role = calloc(array.count, 1);
	BENCH_ASSERT(array.role != NULL);
	bench_tensor *axes = tensor_append(p->vecsz, p->sz);
	if (tensor_sz(axes) > 0) {
		fftw_guard_mark(&array, p, axes, 0, output, (long)array.origin);
		if (p->in_place)
			fftw_guard_mark(&array, p, axes, 0, !output, (long)array.origin);
	}
	tensor_destroy(axes);
	return array;
}

static void fftw_guard_fill(const struct fftw_guard_array *array)
{
	for (size_t i = 0; i < array->count; i++)
		if (!(array->role[i] & FFTW_GUARD_INPUT))
			memset(&array->memory[i], 0xff, sizeof(bench_real));
}

static void fftw_guard_fail(const struct fftw_guard_array *array, size_t place, const char *what)
{
	ovtpvt_err("guard: number %ld of the %s %s\n", (long)place - (long)array->origin,
	           array->name, what);
	bench_exit(EXIT_FAILURE);
}

static bool fftw_guard_is_filled(const bench_real *number)
{
	bench_real filled;
	memset(&filled, 0xff, sizeof(filled));
	return memcmp(number, &filled, sizeof(filled)) == 0;
}

static void fftw_guard_look(const struct fftw_guard_array *array)
{
	for (size_t i = 0; i < array->count; i++) {
		const bench_real number = array->memory[i];
		if (array->role[i] == 0 && !fftw_guard_is_filled(&array->memory[i]))
			fftw_guard_fail(array, i, "is between the elements, and was written");
		if (array->role[i] & FFTW_GUARD_OUTPUT && number != number)
			fftw_guard_fail(array, i, "is not a number");
	}
}

/* Split arrays and real-to-real transforms stay on the CPU. */
static void fftw_guard_visit(const bench_problem *p, void (*apply)(const struct fftw_guard_array *))
{
	if (p->split || p->kind == PROBLEM_R2R)
		return;
	for (int output = p->in_place ? 1 : 0; output < 2; output++) {
		struct fftw_guard_array array = fftw_guard_open(p, output);
		apply(&array);
		free(array.role);
	}
}

static size_t fftw_guard_size(const bench_problem *p, bool output)
{
	const size_t own = fftw_guard_count(p, output), other = fftw_guard_count(p, !output);
	return (p->in_place && other > own ? other : own) * sizeof(bench_real);
}

static void fftw_guard_execute(bench_problem *p)
{
	char *array[] = {p->inphys, p->outphys}, *before[2] = {NULL, NULL};
	const int first = p->in_place ? 1 : 0;
	for (int output = first; output < 2; output++) {
		const size_t size = fftw_guard_size(p, output);
		before[output] = malloc(size + 1);
		BENCH_ASSERT(before[output] != NULL);
		memcpy(before[output], array[output], size);
	}
	doit(1, p);
	for (int output = first; output < 2; output++) {
		rerun_restore(array[output], before[output], fftw_guard_size(p, output));
		free(before[output]);
	}
}

static void fftw_guard_begin(bench_problem *p)
{
	fftw_guard_visit(p, fftw_guard_fill);
	if (getenv("FFTW_GUARD_TWICE") != NULL && !p->split && p->kind != PROBLEM_R2R)
		fftw_guard_execute(p);
}

void after_problem_ccopy_from(bench_problem *p, bench_real *ri, bench_real *ii)
{
	UNUSED(ri);
	UNUSED(ii);
	fftw_guard_begin(p);
}

void after_problem_ccopy_to(bench_problem *p, bench_real *ro, bench_real *io)
{
	UNUSED(ro);
	UNUSED(io);
	fftw_guard_visit(p, fftw_guard_look);
}

void after_problem_hccopy_from(bench_problem *p, bench_real *ri, bench_real *ii)
{
	UNUSED(ri);
	UNUSED(ii);
	fftw_guard_begin(p);
}

void after_problem_hccopy_to(bench_problem *p, bench_real *ro, bench_real *io)
{
	UNUSED(ro);
	UNUSED(io);
	fftw_guard_visit(p, fftw_guard_look);
}

void after_problem_rcopy_from(bench_problem *p, bench_real *ri)
{
	UNUSED(ri);
	fftw_guard_begin(p);
}

void after_problem_rcopy_to(bench_problem *p, bench_real *ro)
{
	UNUSED(ro);
	fftw_guard_visit(p, fftw_guard_look);
}
