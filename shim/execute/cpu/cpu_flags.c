/* cpu_flags.c - flags of results that are not finite: elements computed again, or concluded */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_flags.h"

#include <stdlib.h>
#include <string.h>

#include "policy/call/operand.h"
#include "policy/plan/region.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/cpu/cpu_finish.h"

/* What numbers hold; several may be or-ed. */
enum { FLAGS_INFINITE = 1, FLAGS_NOT_A_NUMBER = 2, FLAGS_SPECIALS = 3 };

/* Elements that are computed again at most. */
enum { FLAGS_TRIALS = 256, FLAGS_ALL = FP_INVALID | FP_OVERFLOW };

/* By bits: comparing a signalling number would raise a flag. */
static unsigned cpu_flags_look_at(const char *number, uint64_t size_bytes)
{
	const bool single = size_bytes == sizeof(float);
	const uint64_t infinity = single ? UINT64_C(0xff) << 23 : UINT64_C(0x7ff) << 52;
	const uint64_t sign = UINT64_C(1) << (single ? 31 : 63);
	uint64_t bits = 0;
	memcpy(&bits, number, size_bytes);
	bits &= ~sign;
	return bits < infinity ? 0 : bits == infinity ? FLAGS_INFINITE : FLAGS_NOT_A_NUMBER;
}

static unsigned cpu_flags_look(enum element element, const void *base, int64_t index)
{
	const uint64_t size_bytes = element_size_bytes(element);
	const char *place = (const char *)base + index * (int64_t)size_bytes;
	if (!element_is_complex(element))
		return cpu_flags_look_at(place, size_bytes);
	return cpu_flags_look_at(place, size_bytes / 2) |
	       cpu_flags_look_at(place + size_bytes / 2, size_bytes / 2);
}

/* -- products: elements computed again -- */

struct flags_search {
	const struct call *call;
	const void *caller;
	struct matrix c;
	/* What a row of op(A) or a column of op(B) holds, once one of its elements was tried. */
	unsigned char *row, *column;
	unsigned found; /* flags */
	int trials;
};

/* count elements, stride apart. */
static unsigned char cpu_flags_look_along(enum element element, const void *base, int64_t count,
                                          int64_t stride)
{
	unsigned found = 0;
	for (int64_t i = 0; i < count; i++)
		found |= cpu_flags_look(element, base, i * stride);
	return (unsigned char)found;
}

/* A problem of one element: what its row of op(A) and its column of op(B) hold. */
static void cpu_flags_note_sources(struct flags_search *search, const struct blas_call *blas,
                                   int64_t i, int64_t j)
{
	const enum element element = search->call->element;
	const bool plain_a = blas->transa == TRANSPOSE_N, plain_b = blas->transb == TRANSPOSE_N;
	search->row[i] |= cpu_flags_look_along(element, blas->a, blas->k, plain_a ? blas->lda : 1);
	if (blas->b != NULL)
		search->column[j] |=
			cpu_flags_look_along(element, blas->b, blas->k, plain_b ? 1 : blas->ldb);
}

/* The call with its result at place for element (i, j), and without the old result. */
static struct call cpu_flags_redirect(const struct flags_search *search, int64_t i, int64_t j,
                                      const void *place)
{
	const uint64_t size_bytes = element_size_bytes(search->call->element);
	struct call call = *search->call;
	const uintptr_t first = (uintptr_t)place -
	                        ((uint64_t)i + (uint64_t)j * (uint64_t)call.blas.ldc) * size_bytes;
	call.blas.c = (void *)first;
	call.blas.beta[0] = call.blas.beta[1] = 0;
	return call;
}

/* Flags that the CPU library raises for the element. */
static unsigned cpu_flags_compute(const struct call *call, const void *caller,
                                  struct panel_span row, struct panel_span column)
{
	struct fp_environment before;
	struct fp_environment *outer = fp_environment_keep(NULL);
	fp_environment_enter(&before);
	cpu_finish_region(call, caller, row, column);
	const unsigned raised = fp_environment_read_raised();
	fp_environment_leave(&before);
	fp_environment_keep(outer);
	return raised;
}

/* asks: the flags that may be the cause of such a result. */
static void cpu_flags_try(struct flags_search *search, int64_t i, int64_t j, unsigned asks)
{
	double place[2] = {0, 0};
	struct region_problem problems[REGION_PROBLEMS];
	const struct call call = cpu_flags_redirect(search, i, j, place);
	const struct panel_span row = {.begin = i, .count = 1}, column = {.begin = j, .count = 1};
	search->found |= cpu_flags_compute(&call, search->caller, row, column) & asks;
	search->trials--;
	const int count = region_cut(call.family, &call.blas, row, column, call.element, problems);
	for (int p = 0; p < count; p++)
		if (family_is_product(problems[p].family))
			cpu_flags_note_sources(search, &problems[p].blas, i, j);
}

static bool cpu_flags_is_stored(const struct call *call, int64_t i, int64_t j)
{
	if (!operand_is_triangle(call->family))
		return true;
	return call->blas.uplo == UPLO_UPPER ? i <= j : i >= j;
}

/* A NaN that an operand hands on is explained, an infinity also by one of them. */
static void cpu_flags_visit(struct flags_search *search, int64_t i, int64_t j)
{
	const unsigned special =
		cpu_flags_look(search->call->element, search->c.base, i + j * search->c.ld);
	const unsigned handed_on = search->row[i] | search->column[j];
	unsigned asks = 0;
	if ((special & FLAGS_NOT_A_NUMBER) != 0 && (handed_on & FLAGS_NOT_A_NUMBER) == 0)
		asks |= FP_INVALID | FP_OVERFLOW;
	if ((special & FLAGS_INFINITE) != 0 && handed_on == 0)
		asks |= FP_OVERFLOW;
	if ((asks & ~search->found) != 0)
		cpu_flags_try(search, i, j, asks);
}

/* The first real number from first on that is special; count where there is none. */
static int64_t cpu_flags_find_double(const void *numbers, int64_t first, int64_t count)
{
	const uint64_t infinity = UINT64_C(0x7ff) << 52;
	for (int64_t i = first; i < count; i++) {
		uint64_t bits;
		memcpy(&bits, (const char *)numbers + (uint64_t)i * sizeof bits, sizeof bits);
		if ((bits & infinity) == infinity)
			return i;
	}
	return count;
}

static int64_t cpu_flags_find_float(const void *numbers, int64_t first, int64_t count)
{
	const uint32_t infinity = UINT32_C(0xff) << 23;
	for (int64_t i = first; i < count; i++) {
		uint32_t bits;
		memcpy(&bits, (const char *)numbers + (uint64_t)i * sizeof bits, sizeof bits);
		if ((bits & infinity) == infinity)
			return i;
	}
	return count;
}

static void cpu_flags_search_column(struct flags_search *search, int64_t j)
{
	const enum element element = search->call->element;
	const uint64_t size_bytes = element_size_bytes(element);
	const int64_t parts = element_is_complex(element) ? 2 : 1, count = search->c.rows * parts;
	const char *column =
		(const char *)search->c.base + (uint64_t)(j * search->c.ld) * size_bytes;
	const bool single = size_bytes / (uint64_t)parts == sizeof(float);
	for (int64_t at = 0; search->found != FLAGS_ALL && search->trials > 0; at++) {
		at = single ? cpu_flags_find_float(column, at, count)
		            : cpu_flags_find_double(column, at, count);
		if (at == count)
			return;
		if (cpu_flags_is_stored(search->call, at / parts, j))
			cpu_flags_visit(search, at / parts, j);
	}
}

static void cpu_flags_search(struct flags_search *search)
{
	for (int64_t j = 0; j < search->c.columns; j++)
		cpu_flags_search_column(search, j);
}

static unsigned cpu_flags_find_product(const struct call *call, const void *caller)
{
	struct flags_search search = {.call = call, .caller = caller, .trials = FLAGS_TRIALS};
	if (!operand_find(call->family, &call->blas, OPERAND_C, &search.c))
		return 0;
	search.row = calloc((size_t)search.c.rows + 1, sizeof *search.row);
	search.column = calloc((size_t)search.c.columns + 1, sizeof *search.column);
	if (search.row != NULL && search.column != NULL)
		cpu_flags_search(&search);
	free(search.row);
	free(search.column);
	return search.found;
}

/* -- triangular matrices: the right-hand sides are lost -- */

static unsigned cpu_flags_look_whole(enum element element, const struct matrix *matrix)
{
	unsigned found = 0;
	for (int64_t j = 0; j < matrix->columns && found != FLAGS_SPECIALS; j++)
		for (int64_t i = 0; i < matrix->rows; i++)
			found |= cpu_flags_look(element, matrix->base, i + j * matrix->ld);
	return found;
}

static bool cpu_flags_is_zero(enum element element, const struct matrix *matrix, int64_t index)
{
	static const char zero[16];
	const uint64_t size_bytes = element_size_bytes(element);
	const uint64_t number_bytes = element_is_complex(element) ? size_bytes / 2 : size_bytes;
	char value[16];
	memcpy(value, (const char *)matrix->base + (uint64_t)index * size_bytes, size_bytes);
	for (uint64_t end = number_bytes; end <= size_bytes; end += number_bytes)
		value[end - 1] &= 0x7f; /* of either sign */
	return memcmp(value, zero, size_bytes) == 0;
}

/* What the triangle of A holds. *zero: a zero on the diagonal. */
static unsigned cpu_flags_look_triangle(const struct call *call, bool *zero)
{
	struct matrix a;
	unsigned found = 0;
	*zero = false;
	if (!operand_find(call->family, &call->blas, OPERAND_A, &a))
		return 0;
	for (int64_t j = 0; j < a.columns; j++) {
		const bool upper = call->blas.uplo == UPLO_UPPER;
		const int64_t begin = upper ? 0 : j + 1, end = upper ? j : a.rows;
		for (int64_t i = begin; i < end; i++)
			found |= cpu_flags_look(call->element, a.base, i + j * a.ld);
		if (call->blas.diag == DIAG_UNIT)
			continue;
		found |= cpu_flags_look(call->element, a.base, j + j * a.ld);
		*zero = *zero || cpu_flags_is_zero(call->element, &a, j + j * a.ld);
	}
	return found;
}

/*
 * From what the operands and the results hold. whole: no operand is lost. If one is, a NaN alone
 * counts as handed on by it, and an infinity as overflow.
 */
static unsigned cpu_flags_conclude(unsigned operands, bool whole, unsigned results)
{
	const unsigned invalid = (results & FLAGS_NOT_A_NUMBER) != 0 ? FP_INVALID : 0;
	if (operands != 0)
		return (operands & FLAGS_INFINITE) != 0 ? invalid : 0;
	return whole || (results & FLAGS_INFINITE) != 0 ? FP_OVERFLOW | invalid : 0;
}

static unsigned cpu_flags_look_scalar(const double value[2])
{
	return cpu_flags_look_at((const char *)&value[0], sizeof value[0]) |
	       cpu_flags_look_at((const char *)&value[1], sizeof value[1]);
}

static unsigned cpu_flags_find_triangle(const struct call *call)
{
	bool zero;
	struct matrix c;
	if (!operand_find(call->family, &call->blas, OPERAND_C, &c))
		return 0;
	const unsigned results = cpu_flags_look_whole(call->element, &c);
	const unsigned operands = cpu_flags_look_triangle(call, &zero);
	if (zero && call->family == FAMILY_TRSM)
		return FP_ZERO | ((results & FLAGS_NOT_A_NUMBER) != 0 ? FP_INVALID : 0);
	return cpu_flags_conclude(operands | cpu_flags_look_scalar(call->blas.alpha), false,
	                          results);
}

/* -- transforms -- */

/* One side: its dimensions and loops, in numbers of element. */
struct flags_side {
	enum element element;
	int axes;
	int64_t n[FFT_RANK_MAX + FFT_LOOPS_MAX], stride[FFT_RANK_MAX + FFT_LOOPS_MAX];
	const void *base;
};

static struct flags_side cpu_flags_make_side(const struct fft_call *fft, bool output)
{
	const struct fft_problem *p = fft->problem;
	const bool real = p->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C);
	const bool halved = !real && p->family != FAMILY_FFT_C2C;
	struct flags_side side = {.element = p->element, .base = output ? fft->out : fft->in};
	if (real)
		side.element = p->element == ELEMENT_C ? ELEMENT_S : ELEMENT_D;
	for (int d = 0; d < p->rank + p->loops; d++) {
		const struct fft_dim *dim = d < p->rank ? &p->dims[d] : &p->loop[d - p->rank];
		side.n[d] = halved && d == p->rank - 1 ? dim->n / 2 + 1 : dim->n;
		side.stride[d] = output ? dim->output_stride : dim->input_stride;
	}
	side.axes = p->rank + p->loops;
	return side;
}

static unsigned cpu_flags_look_side(const struct flags_side *side)
{
	int64_t at[FFT_RANK_MAX + FFT_LOOPS_MAX] = {0}, index = 0;
	unsigned found = 0;
	int axis = 0;
	while (axis < side->axes && found != FLAGS_SPECIALS) {
		found |= cpu_flags_look(side->element, side->base, index);
		for (axis = 0; axis < side->axes; axis++) {
			index += side->stride[axis];
			if (++at[axis] < side->n[axis])
				break;
			index -= side->n[axis] * side->stride[axis];
			at[axis] = 0;
		}
	}
	return found;
}

static unsigned cpu_flags_find_transform(const struct fft_call *fft)
{
	const struct flags_side in = cpu_flags_make_side(fft, false),
				out = cpu_flags_make_side(fft, true);
	const bool whole = fft->in != fft->out;
	const unsigned operands = whole ? cpu_flags_look_side(&in) : 0;
	return cpu_flags_conclude(operands, whole, cpu_flags_look_side(&out));
}

unsigned cpu_flags_find(const struct call *call, const void *caller)
{
	if (family_is_fft(call->family))
		return cpu_flags_find_transform(&call->fft);
	if (family_is_in_place(call->family))
		return cpu_flags_find_triangle(call);
	return family_is_batch(call->family) || family_is_lapack(call->family)
	               ? 0
	               : cpu_flags_find_product(call, caller);
}
