/* gpu_check_fft.c - one transform between canaries, and the sums it must equal */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "shim/execute/gpu/gpu_fft.h"

enum { CANARY = 0x5b, CANARY_BYTES = 64 };

/* The full complex array that the transform stands for, tight, batch outermost. */
struct signal {
	int64_t count, howmany;
	long double complex *value;
};

/* What one side of the transform looks like in memory; index 0 may lie inside (negative strides). */
struct fft_side {
	int64_t n[FFT_RANK_MAX], stride[FFT_RANK_MAX], distance, first, length;
	bool real;
	char *memory, *base;
	size_t memory_bytes, element_bytes;
};

static void signal_transform_axis(struct signal *signal, int64_t n, int64_t step, int sign)
{
	long double complex *line = malloc((size_t)n * sizeof *line), *root = malloc((size_t)n * sizeof *root);
	const long double pi = acosl(-1);
	for (int64_t i = 0; i < n; i++)
		root[i] = cexpl(CMPLXL(0, (long double)sign * 2 * pi * (long double)i / (long double)n));
	for (int64_t start = 0; start < signal->count * signal->howmany; start++) {
		if (start / step % n != 0)
			continue;
		for (int64_t k = 0; k < n; k++) {
			line[k] = 0;
			for (int64_t i = 0, r = 0; i < n; i++, r = (r + k) % n)
				line[k] += signal->value[start + i * step] * root[r];
		}
		for (int64_t k = 0; k < n; k++)
			signal->value[start + k * step] = line[k];
	}
	free(line);
	free(root);
}

static void signal_transform(struct signal *signal, const struct gpu_check_fft *w, int sign)
{
	int64_t step = 1;
	for (int axis = w->rank - 1; axis >= 0; axis--) {
		signal_transform_axis(signal, w->n[axis], step, sign);
		step *= w->n[axis];
	}
}

static struct signal signal_make(const struct gpu_check_fft *w, bool real)
{
	struct signal signal = {.count = 1, .howmany = w->howmany};
	for (int i = 0; i < w->rank; i++)
		signal.count *= w->n[i];
	signal.value = malloc((size_t)(signal.count * signal.howmany) * sizeof *signal.value);
	for (int64_t i = 0; i < signal.count * signal.howmany; i++)
		signal.value[i] = (float)gpu_check_random() + (real ? 0 : (float)gpu_check_random() * I);
	return signal;
}

/* Row-major strides for the order, in elements. padded: rows of a real in-place transform. */
static void side_lay_out(struct fft_side *side, const struct gpu_check_fft *w, bool pad)
{
	const int64_t factor = w->order == ORDER_STRIDED ? 2 : w->order == ORDER_INTERLEAVED ? w->howmany : 1;
	int64_t step = factor, span = 0;
	for (int axis = w->rank - 1; axis >= 0; axis--) {
		int64_t length = side->n[axis];
		if (axis == w->rank - 1 && pad)
			length = side->real ? 2 * (w->n[axis] / 2 + 1) : length;
		else if (axis == w->rank - 1 && w->order == ORDER_PADDED)
			length += side->real ? 2 : 1;
		side->stride[axis] = step;
		step *= length;
	}
	side->distance =
		w->order == ORDER_INTERLEAVED ? 1 : step + (w->order == ORDER_STRIDED ? (side->real ? 6 : 3) : 0);
	span = side->distance * (w->howmany - 1);
	for (int axis = 0; axis < w->rank; axis++)
		span += side->stride[axis] * (side->n[axis] - 1);
	side->length = span + 1;
	side->first = 0;
	if (w->order == ORDER_REVERSED) {
		side->first = side->stride[0] * (side->n[0] - 1);
		side->stride[0] = -side->stride[0];
	}
}

static struct fft_side side_make(const struct gpu_check_fft *w, bool output)
{
	struct fft_side side = {.real = w->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C)};
	const bool halved = w->family != FAMILY_FFT_C2C && !side.real;
	for (int i = 0; i < w->rank; i++)
		side.n[i] = w->n[i];
	if (halved)
		side.n[w->rank - 1] = w->n[w->rank - 1] / 2 + 1;
	side.element_bytes = element_size_bytes(w->element) / (side.real ? 2 : 1);
	side_lay_out(&side, w, w->in_place && w->family != FAMILY_FFT_C2C);
	return side;
}

static void side_allocate(struct fft_side *side, size_t least_bytes, int offset_bytes)
{
	const size_t own_bytes = (size_t)side->length * side->element_bytes;
	side->memory_bytes =
		(own_bytes > least_bytes ? own_bytes : least_bytes) + (size_t)2 * CANARY_BYTES + (size_t)offset_bytes;
	side->memory = malloc(side->memory_bytes);
	memset(side->memory, CANARY, side->memory_bytes);
	side->base = side->memory + CANARY_BYTES + offset_bytes + (size_t)side->first * side->element_bytes;
}

/* The element's place in the program's memory and in the signal, for the visitor of all elements of a side. */
typedef void side_visitor(void *context, int64_t place, int64_t index);

static void side_visit(const struct fft_side *side, const struct gpu_check_fft *w, side_visitor *visit, void *context)
{
	const int64_t n1 = w->rank > 1 ? side->n[1] : 1, n2 = w->rank > 2 ? side->n[2] : 1;
	const int64_t f1 = w->rank > 1 ? w->n[1] : 1, f2 = w->rank > 2 ? w->n[2] : 1;
	for (int64_t h = 0; h < w->howmany; h++)
		for (int64_t i = 0; i < side->n[0]; i++)
			for (int64_t j = 0; j < n1; j++)
				for (int64_t k = 0; k < n2; k++)
					visit(context,
					      h * side->distance + i * side->stride[0] + j * side->stride[1] +
					              k * side->stride[2],
					      ((h * w->n[0] + i) * f1 + j) * f2 + k);
}

struct exchange {
	const struct gpu_check_fft *wanted;
	struct fft_side *side;
	char *base;
	struct signal *signal;
	double worst;
};

static void exchange_store(void *context, int64_t place, int64_t index)
{
	const struct exchange *x = context;
	gpu_check_store(x->base, place, x->wanted->element, x->side->real, (double complex)x->signal->value[index]);
}

/* Compares, and puts what stood there before back, so that only stray writes remain visible. */
static void exchange_compare(void *context, int64_t place, int64_t index)
{
	struct exchange *x = context;
	const double complex got = gpu_check_load(x->side->base, place, x->wanted->element, x->side->real);
	const double error = (double)cabsl(x->signal->value[index] - (long double complex)got);
	x->worst = error <= x->worst ? x->worst : error;
	memcpy(x->side->base + place * (int64_t)x->side->element_bytes,
	       x->base + place * (int64_t)x->side->element_bytes, x->side->element_bytes);
}

static struct fft_problem side_make_problem(const struct gpu_check_fft *w, const struct fft_side *in,
                                            const struct fft_side *out)
{
	struct fft_problem problem = {.family = w->family,
	                              .element = w->element,
	                              .rank = w->rank,
	                              .sign = w->sign,
	                              .in_place = w->in_place,
	                              .loop = {w->howmany, in->distance, out->distance}};
	for (int i = 0; i < w->rank; i++)
		problem.dims[i] = (struct fft_dim){w->n[i], in->stride[i], out->stride[i]};
	return problem;
}

/* before: a copy of the output memory. On success the elements are compared, the rest must be untouched. */
static void side_judge(enum reason reason, const struct gpu_check_fft *w, struct fft_side *out, char *before,
                       struct signal *signal)
{
	struct exchange x = {w, out, before + (out->base - out->memory), signal, 0};
	const double unit = w->element == ELEMENT_C ? 0x1p-22 : 0x1p-51;
	if (reason == REASON_NONE) {
		side_visit(out, w, exchange_compare, &x);
		const double allowed = unit * (8 + 4 * log2((double)signal->count)) * sqrt((double)signal->count) * 4 *
		                       (w->family == FAMILY_FFT_C2R ? sqrt((double)signal->count) : 1);
		EXPECT(x.worst <= allowed, "%s %c rank %d %ld %ld %ld x %ld order %d place %d: error %g, allowed %g",
		       w->family == FAMILY_FFT_C2C   ? "c2c"
		       : w->family == FAMILY_FFT_R2C ? "r2c"
		                                     : "c2r",
		       "sdcz"[w->element], w -> rank, (long)w -> n[0], (long)w -> n[1], (long)w -> n[2],
		       (long)w -> howmany, w -> order, w -> in_place, x.worst, allowed);
	}
	EXPECT(memcmp(out->memory, before, out->memory_bytes) == 0,
	       "family %d order %d: something beside the result was "
	       "written (%s)",
	       w->family, w->order, reason_name(reason));
}

/* The output of c2r is count times the real signal whose spectrum is the input. */
static void signal_finish(struct signal *signal, const struct gpu_check_fft *w, const struct signal *source)
{
	if (w->family != FAMILY_FFT_C2R) {
		signal_transform(signal, w, w->family == FAMILY_FFT_C2C ? w->sign : -1);
		return;
	}
	for (int64_t i = 0; i < signal->count * signal->howmany; i++)
		signal->value[i] = source->value[i] * (long double)signal->count;
}

static struct signal signal_copy(const struct signal *signal)
{
	struct signal copy = *signal;
	const size_t size_bytes = (size_t)(signal->count * signal->howmany) * sizeof *signal->value;
	copy.value = malloc(size_bytes);
	memcpy(copy.value, signal->value, size_bytes);
	return copy;
}

static void *bytes_copy(const void *bytes, size_t size_bytes)
{
	return memcpy(malloc(size_bytes), bytes, size_bytes);
}

enum reason gpu_check_run_fft(const struct gpu_check_fft *w, int device)
{
	struct signal source = signal_make(w, w->family != FAMILY_FFT_C2C), signal = signal_copy(&source);
	struct fft_side in = side_make(w, false), out = side_make(w, true);
	side_allocate(&in, w->in_place ? (size_t)out.length * out.element_bytes : 0, w->offset_bytes);
	if (w->in_place) {
		out.memory = in.memory;
		out.memory_bytes = in.memory_bytes;
		out.base = in.memory + CANARY_BYTES + w->offset_bytes + (size_t)out.first * out.element_bytes;
	} else {
		side_allocate(&out, 0, w->offset_bytes);
	}
	if (w->family == FAMILY_FFT_C2R)
		signal_transform(&signal, w, -1);
	side_visit(&in, w, exchange_store, &(struct exchange){w, &in, in.base, &signal, 0});
	char *in_before = bytes_copy(in.memory, in.memory_bytes), *before = bytes_copy(out.memory, out.memory_bytes);
	const struct fft_problem problem = side_make_problem(w, &in, &out);
	const struct call call = {.family = w->family,
	                          .element = w->element,
	                          .fft = {&problem, in.base, out.base, w->key == NULL ? &signal : w->key}};
	signal_finish(&signal, w, &source);
	const enum reason reason = gpu_fft_run(&call, device);
	if (w->key == NULL)
		gpu_fft_forget(&signal);
	side_judge(reason, w, &out, before, &signal);
	if (!w->in_place) {
		EXPECT(memcmp(in.memory, in_before, in.memory_bytes) == 0, "the input was written");
		free(out.memory);
	}
	free(in.memory);
	free(in_before);
	free(before);
	free(source.value);
	free(signal.value);
	return reason;
}
