/* fft_extent.c - the farthest elements of each side, from the signs of the strides */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/fft_extent.h"

static bool fft_extent_is_real(const struct fft_problem *problem, bool output)
{
	return problem->family == (output ? FAMILY_FFT_C2R : FAMILY_FFT_R2C);
}

uint64_t fft_extent_element_bytes(const struct fft_problem *problem, bool output)
{
	return element_size_bytes(problem->element) / (fft_extent_is_real(problem, output) ? 2 : 1);
}

static bool fft_extent_add(struct fft_extent *extent, int64_t n, int64_t stride)
{
	int64_t reach;
	if (__builtin_mul_overflow(n - 1, stride, &reach))
		return false;
	return !__builtin_add_overflow(*(reach < 0 ? &extent->begin : &extent->end), reach,
	                               reach < 0 ? &extent->begin : &extent->end);
}

bool fft_extent_find(const struct fft_problem *problem, bool output, int without,
                     struct fft_extent *extent)
{
	const int64_t element_bytes = (int64_t)fft_extent_element_bytes(problem, output);
	const bool halved =
		problem->family != FAMILY_FFT_C2C && !fft_extent_is_real(problem, output);
	bool known = true;
	*extent = (struct fft_extent){0, 1};
	for (int i = 0; i < problem->rank; i++) {
		const struct fft_dim *dim = &problem->dims[i];
		const int64_t n = halved && i == problem->rank - 1 ? dim->n / 2 + 1 : dim->n;
		known = known &&
		        fft_extent_add(extent, n, output ? dim->output_stride : dim->input_stride);
	}
	for (int i = 0; i < problem->loops; i++) {
		const struct fft_dim *loop = &problem->loop[i];
		if (i != without)
			known = known &&
			        fft_extent_add(extent, loop->n,
			                       output ? loop->output_stride : loop->input_stride);
	}
	return known && !__builtin_mul_overflow(extent->begin, element_bytes, &extent->begin) &&
	       !__builtin_mul_overflow(extent->end, element_bytes, &extent->end);
}

bool fft_extent_overlap(const struct fft_call *call)
{
	struct fft_extent in, out;
	if (!fft_extent_find(call->problem, false, FFT_EXTENT_ALL, &in) ||
	    !fft_extent_find(call->problem, true, FFT_EXTENT_ALL, &out))
		return true;
	const uintptr_t input = (uintptr_t)call->in, output = (uintptr_t)call->out;
	return input + (uintptr_t)in.begin < output + (uintptr_t)out.end &&
	       output + (uintptr_t)out.begin < input + (uintptr_t)in.end;
}

static bool fft_extent_has_equal_strides(const struct fft_problem *problem)
{
	for (int i = 0; i < problem->rank; i++)
		if (problem->dims[i].input_stride != problem->dims[i].output_stride)
			return false;
	for (int i = 0; i < problem->loops; i++)
		if (problem->loop[i].input_stride != problem->loop[i].output_stride)
			return false;
	return problem->family == FAMILY_FFT_C2C;
}

/* Where both sides are the same elements in the same order each turn reads what it writes. */
bool fft_extent_is_apart(const struct fft_call *call, const struct fft_problem *problem, int loop)
{
	const struct fft_dim *axis = &problem->loop[loop];
	struct fft_extent in, out;
	int64_t in_bytes, out_bytes;
	if (call->in != call->out)
		return false;
	if (fft_extent_has_equal_strides(problem))
		return true;
	if (!fft_extent_find(problem, false, loop, &in) ||
	    !fft_extent_find(problem, true, loop, &out) ||
	    __builtin_mul_overflow(axis->input_stride,
	                           (int64_t)fft_extent_element_bytes(problem, false), &in_bytes) ||
	    __builtin_mul_overflow(axis->output_stride,
	                           (int64_t)fft_extent_element_bytes(problem, true), &out_bytes))
		return false;
	const int64_t begin = in.begin < out.begin ? in.begin : out.begin;
	const int64_t end = in.end > out.end ? in.end : out.end;
	return in_bytes == out_bytes && end - begin <= (in_bytes < 0 ? -in_bytes : in_bytes);
}
