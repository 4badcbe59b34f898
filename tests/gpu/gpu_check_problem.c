/* gpu_check_problem.c - one transform of any layout between canaries, and the expected sums */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "gpu_check_blas.h"
#include "shim/execute/gpu/fft/gpu_fft.h"

enum { CANARY = 0x5b, CANARY_BYTES = 64, AXES_MAX = FFT_LOOPS_MAX + FFT_RANK_MAX };

/* The full complex array of the transform, tight: the loops outermost, then the dimensions. */
struct signal {
	int axes;
	int64_t n[AXES_MAX], count, total; /* count: of one transform */
	long double complex *value;
};

/*
 * The layout of one side of the transform in memory, with the axes of the signal. base is element
 * 0.
 */
struct fft_side {
	int64_t n[AXES_MAX], stride[AXES_MAX], first,
		last; /* offsets of the elements farthest before and after element 0 */
	bool real;
	char *memory, *base;
	int64_t element_bytes;
	size_t memory_bytes;
};

static void signal_transform_axis(struct signal *signal, int64_t n, int64_t step, int sign)
{
	long double complex *line = malloc((size_t)n * sizeof *line),
			    *root = malloc((size_t)n * sizeof *root);
	const long double pi = acosl(-1);
	for (int64_t i = 0; i < n; i++)
		root[i] = cexpl(
			CMPLXL(0, (long double)sign * 2 * pi * (long double)i / (long double)n));
	for (int64_t start = 0; start < signal->total; start++) {
		if (start / step % n != 0)
			continue;
		for (int64_t k = 0; k < n; k++) {
			line[k] = 0;
			for (int64_t i = 0, r = 0; i < n; i++, r = r + k < n ? r + k : r + k - n)
				line[k] += signal->value[start + i * step] * root[r];
		}
		for (int64_t k = 0; k < n; k++)
			signal->value[start + k * step] = line[k];
	}
	free(line);
	free(root);
}

static void signal_transform(struct signal *signal, const struct fft_problem *p, int sign)
{
	int64_t step = 1;
	for (int i = p->rank - 1; i >= 0; i--) {
		signal_transform_axis(signal, p->dims[i].n, step, sign);
		step *= p->dims[i].n;
	}
}

static struct signal signal_make(const struct fft_problem *p)
{
	const bool real = p->family != FAMILY_FFT_C2C;
	struct signal signal = {.axes = p->loops + p->rank, .count = 1, .total = 1};
	for (int i = 0; i < p->loops; i++)
		signal.total *= signal.n[i] = p->loop[i].n;
	for (int i = 0; i < p->rank; i++)
		signal.count *= signal.n[p->loops + i] = p->dims[i].n;
	signal.total *= signal.count;
	signal.value = malloc((size_t)signal.total * sizeof *signal.value);
	for (int64_t i = 0; i < signal.total; i++)
		signal.value[i] =
			(float)gpu_check_random() + (real ? 0 : (float)gpu_check_random() * I);
	return signal;
}

static struct fft_side side_make(const struct fft_problem *p, bool output)
{
	struct fft_side side = {.real = p->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C)};
	for (int i = 0; i < p->loops + p->rank; i++) {
		const struct fft_dim *dim = i < p->loops ? &p->loop[i] : &p->dims[i - p->loops];
		const bool halved =
			i == p->loops + p->rank - 1 && p->family != FAMILY_FFT_C2C && !side.real;
		side.n[i] = halved ? dim->n / 2 + 1 : dim->n;
		side.stride[i] = output ? dim->output_stride : dim->input_stride;
		*(side.stride[i] < 0 ? &side.first : &side.last) +=
			side.stride[i] * (side.n[i] - 1);
	}
	side.element_bytes = (int64_t)element_size_bytes(p->element) / (side.real ? 2 : 1);
	return side;
}

/* Allocates memory for both sides where they share it. */
static void side_allocate(struct fft_side *side, const struct fft_side *other, int offset_bytes)
{
	int64_t before = -side->first * side->element_bytes,
		after = (side->last + 1) * side->element_bytes;
	if (-other->first * other->element_bytes > before)
		before = -other->first * other->element_bytes;
	if ((other->last + 1) * other->element_bytes > after)
		after = (other->last + 1) * other->element_bytes;
	side->memory_bytes =
		(size_t)(before + after) + (size_t)2 * CANARY_BYTES + (size_t)offset_bytes;
	side->memory = malloc(side->memory_bytes);
	memset(side->memory, CANARY, side->memory_bytes);
	side->base = side->memory + CANARY_BYTES + offset_bytes + before;
}

/* Called for each element of a side: its position in the program's memory and in the signal. */
typedef void side_visitor(void *context, int64_t place, int64_t index);

static void side_visit(const struct fft_side *side, const struct signal *signal,
                       side_visitor *visit, void *context)
{
	for (int64_t index = 0; index < signal->total; index++) {
		int64_t rest = index, place = 0;
		bool inside = true;
		for (int i = signal->axes - 1; i >= 0; i--) {
			inside = inside && rest % signal->n[i] < side->n[i];
			place += rest % signal->n[i] * side->stride[i];
			rest /= signal->n[i];
		}
		if (inside)
			visit(context, place, index);
	}
}

struct exchange {
	const struct fft_problem *problem;
	struct fft_side *side;
	char *base;
	struct signal *signal;
	double worst;
};

static void exchange_store(void *context, int64_t place, int64_t index)
{
	const struct exchange *x = context;
	gpu_check_store(x->base, place, x->problem->element, x->side->real,
	                (double complex)x->signal->value[index]);
}

/*
 * Compares the element, and restores its value before the call, so that only stray writes remain
 * different.
 */
static void exchange_compare(void *context, int64_t place, int64_t index)
{
	struct exchange *x = context;
	const double complex got =
		gpu_check_load(x->side->base, place, x->problem->element, x->side->real);
	const double error = (double)cabsl(x->signal->value[index] - (long double complex)got);
	x->worst = error <= x->worst ? x->worst : error;
	memcpy(x->side->base + place * x->side->element_bytes,
	       x->base + place * x->side->element_bytes, (size_t)x->side->element_bytes);
}

/* A failed call may have left any value where results would be. */
static void exchange_forgive(void *context, int64_t place, int64_t index)
{
	const struct exchange *x = context;
	(void)index;
	memcpy(x->side->base + place * x->side->element_bytes,
	       x->base + place * x->side->element_bytes, (size_t)x->side->element_bytes);
}

/* The input must be unchanged, because the CPU repeats the call. */
static void exchange_find_loss(void *context, int64_t place, int64_t index)
{
	struct exchange *x = context;
	(void)index;
	x->worst += memcmp(x->side->base + place * x->side->element_bytes,
	                   x->base + place * x->side->element_bytes,
	                   (size_t)x->side->element_bytes) != 0;
}

static void side_judge_failure(const struct fft_problem *p, struct fft_side *in,
                               struct fft_side *out, char *before, struct signal *signal)
{
	if (p->in_place) {
		struct exchange x = {p, in, before + (in->base - in->memory), signal, 0};
		side_visit(in, signal, exchange_find_loss, &x);
		EXPECT(x.worst == 0, "family %d: %g elements of the input were lost",
		       (int)p->family, x.worst);
	}
	side_visit(out, signal, exchange_forgive,
	           &(struct exchange){p, out, before + (out->base - out->memory), signal, 0});
}

/*
 * before: a copy of the output memory. On success the elements are compared and the rest must be
 * unchanged, but for the elements of `lost`, unless it is NULL.
 */
static void side_judge(bool finished, const struct fft_problem *p, struct fft_side *out,
                       struct fft_side *lost, char *before, struct signal *signal)
{
	struct exchange x = {p, out, before + (out->base - out->memory), signal, 0};
	const double unit = p->element == ELEMENT_C ? 0x1p-22 : 0x1p-51,
		     count = (double)signal->count;
	char sizes[256] = "";
	for (int i = 0; i < signal->axes; i++)
		snprintf(sizes + strlen(sizes), sizeof sizes - strlen(sizes), "%s%ld",
		         i == p->loops ? " of " : " ", (long)signal->n[i]);
	if (finished) {
		side_visit(out, signal, exchange_compare, &x);
		const double allowed = unit * (8 + 4 * log2(count)) * sqrt(count) * 4 *
		                       (p->family == FAMILY_FFT_C2R ? sqrt(count) : 1);
		EXPECT(x.worst <= allowed,
		       "family %d element %d%s, in place %d: error %g, allowed %g", (int)p->family,
		       (int)p->element, sizes, (int)p->in_place, x.worst, allowed);
	}
	x.side = lost;
	if (lost != NULL)
		side_visit(lost, signal, exchange_forgive, &x);
	EXPECT(memcmp(out->memory, before, out->memory_bytes) == 0,
	       "family %d%s: something beside the result was written (%s)", (int)p->family, sizes,
	       finished ? "a right call" : "a failed one");
}

/* The output of c2r is count times the real signal whose spectrum is the input. */
static void signal_finish(struct signal *signal, const struct fft_problem *p,
                          const struct signal *source)
{
	if (p->family != FAMILY_FFT_C2R) {
		signal_transform(signal, p, p->family == FAMILY_FFT_C2C ? p->sign : -1);
		return;
	}
	for (int64_t i = 0; i < signal->total; i++)
		signal->value[i] = source->value[i] * (long double)signal->count;
}

static struct signal signal_copy(const struct signal *signal)
{
	struct signal copy = *signal;
	const size_t size_bytes = (size_t)signal->total * sizeof *signal->value;
	copy.value = malloc(size_bytes);
	memcpy(copy.value, signal->value, size_bytes);
	return copy;
}

static void *bytes_copy(const void *bytes, size_t size_bytes)
{
	return memcpy(malloc(size_bytes), bytes, size_bytes);
}

/* Index of the element at the negative frequencies of the outer dimensions, where z stays. */
static int64_t signal_mirror(const struct signal *signal, const struct fft_problem *p,
                             int64_t index)
{
	int64_t step = 1, mirror = index;
	for (int i = signal->axes - 1; i >= p->loops; i--) {
		const int64_t n = signal->n[i], at = index / step % n;
		if (i != signal->axes - 1)
			mirror += ((n - at) % n - at) * step;
		step *= n;
	}
	return mirror;
}

/*
 * Adds to a c2r input what FFTW ignores: at the first and the middle element of the last dimension
 * numbers whose mirror images over the outer dimensions are their negative conjugates.
 */
static void signal_add_ignored(struct signal *signal, const struct fft_problem *p)
{
	const int64_t n = signal->n[signal->axes - 1];
	for (int64_t i = 0; i < signal->total; i++) {
		const int64_t z = i % n, mirror = signal_mirror(signal, p, i);
		if ((z != 0 && 2 * z != n) || mirror < i)
			continue;
		const long double complex added =
			(long double)gpu_check_random() + (long double)gpu_check_random() * I;
		signal->value[i] += added;
		signal->value[mirror] -= conjl(added);
	}
}

/* Allocates the memory of both sides and fills the input with the signal. */
static void sides_prepare(const struct fft_problem *p, struct fft_side *in, struct fft_side *out,
                          int offset_bytes, struct signal *signal)
{
	*in = side_make(p, false);
	*out = side_make(p, true);
	side_allocate(in, p->in_place ? out : in, offset_bytes);
	if (p->in_place) {
		out->memory = in->memory;
		out->memory_bytes = in->memory_bytes;
		out->base = in->base;
	} else {
		side_allocate(out, out, offset_bytes);
	}
	side_visit(in, signal, exchange_store, &(struct exchange){p, in, in->base, signal, 0});
}

enum reason gpu_check_run_problem(const struct fft_problem *p, int offset_bytes, void *key,
                                  int device)
{
	struct signal source = signal_make(p), signal = signal_copy(&source);
	struct fft_side in, out;
	if (p->family == FAMILY_FFT_C2R)
		signal_transform(&signal, p, -1);
	if (p->family == FAMILY_FFT_C2R)
		signal_add_ignored(&signal, p);
	sides_prepare(p, &in, &out, offset_bytes, &signal);
	char *in_before = bytes_copy(in.memory, in.memory_bytes),
	     *before = bytes_copy(out.memory, out.memory_bytes);
	const struct call call = {
		.family = p->family,
		.element = p->element,
		.fft = {p, in.base, out.base, .plan_key = key == NULL ? &signal : key}};
	signal_finish(&signal, p, &source);
	bool finished;
	const enum reason reason = gpu_check_call_fft(&call, device, &finished);
	if (key == NULL)
		gpu_fft_forget(&signal);
	if (!finished)
		side_judge_failure(p, &in, &out, before, &signal);
	/* FFTW, which computes a part of a shared call, overwrites the input of real results. */
	const bool loses = p->family == FAMILY_FFT_C2R && gpu_check_find_done() > 0;
	side_judge(finished, p, &out, loses && p->in_place ? &in : NULL, before, &signal);
	if (!p->in_place) {
		EXPECT(loses || memcmp(in.memory, in_before, in.memory_bytes) == 0,
		       "the input was written");
		free(out.memory);
	}
	free(in.memory);
	free(in_before);
	free(before);
	free(source.value);
	free(signal.value);
	return reason;
}
