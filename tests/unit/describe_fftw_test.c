/* describe_fftw_test.c - FFTW planner arguments in the words of the policy */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/describe/describe_fftw.h"

static double in[64], out[64];

static struct fft_request request_of(enum family family)
{
	return (struct fft_request){.problem = {.family = family, .element = ELEMENT_Z}};
}

Test(describe_fftw, basic_transform_is_tight)
{
	struct fft_request r = request_of(FAMILY_FFT_C2C);
	describe_fft_basic(&r, 3, (const int[]){2, 3, 4}, in, out, -1, 64);
	cr_assert(r.supported && !r.problem.in_place && r.problem.loop.n == 1);
	cr_assert_eq(r.problem.dims[0].input_stride, 12);
	cr_assert_eq(r.problem.dims[1].input_stride, 4);
	cr_assert_eq(r.problem.dims[2].output_stride, 1);
	cr_assert_eq(r.size_bytes, 2 * 24 * 16);
}

Test(describe_fftw, in_place_counts_once_and_pads)
{
	struct fft_request r = request_of(FAMILY_FFT_R2C);
	describe_fft_basic(&r, 2, (const int[]){3, 5}, in, in, 0, 64);
	cr_assert(r.supported && r.problem.in_place);
	cr_assert_eq(r.problem.dims[0].input_stride, 6, "rows of 5 reals are padded to 2 (5 / 2 + 1)");
	cr_assert_eq(r.problem.dims[0].output_stride, 3);
	cr_assert_eq(r.size_bytes, 3 * 3 * 16);
	r = request_of(FAMILY_FFT_R2C);
	describe_fft_basic(&r, 2, (const int[]){3, 5}, in, out, 0, 64);
	cr_assert_eq(r.problem.dims[0].input_stride, 5, "out of place they are not");
}

Test(describe_fftw, many_with_embeds)
{
	struct fft_request r = request_of(FAMILY_FFT_C2R);
	describe_fft_many(&r, 2, (const int[]){3, 4}, 5, in, (const int[]){7, 9}, 2, 100, out, NULL, 3, 50, 0, 64);
	cr_assert(r.supported && r.problem.loop.n == 5);
	cr_assert_eq(r.problem.loop.input_stride, 100);
	cr_assert_eq(r.problem.dims[0].input_stride, 18, "9 elements of stride 2");
	cr_assert_eq(r.problem.dims[1].input_stride, 2);
	cr_assert_eq(r.problem.dims[0].output_stride, 12, "4 reals of stride 3");
}

Test(describe_fftw, guru_in_both_widths)
{
	struct fft_request r = request_of(FAMILY_FFT_C2C);
	describe_fft_guru(&r, false, 1, (const int[]){8, -2, 3}, 1, (const int[]){4, 100, 200}, in, out, 1, 64);
	cr_assert(r.supported && r.problem.dims[0].input_stride == -2 && r.problem.loop.output_stride == 200);
	const int64_t dim[6] = {8, (int64_t)1 << 40, 1, 4, 2, 2};
	describe_fft_guru(&r, true, 1, dim, 0, NULL, in, out, 1, 64);
	cr_assert(r.supported && r.problem.dims[0].input_stride == (int64_t)1 << 40 && r.problem.loop.n == 1);
	describe_fft_guru(&r, true, 1, dim, 2, dim, in, out, 1, 64);
	cr_assert_not(r.supported, "two loops");
}

Test(describe_fftw, what_has_no_form)
{
	struct fft_request r = request_of(FAMILY_FFT_C2C);
	describe_fft_basic(&r, 4, (const int[]){2, 2, 2, 2}, in, out, -1, 64);
	cr_assert_not(r.supported, "rank 4");
	cr_assert_eq(r.size_bytes, 16 * 16 * 2, "its points are counted all the same");
	struct call call;
	describe_fft_call(&call, &r, in, out, in);
	cr_assert_eq(call.defect, REASON_UNSUPPORTED_LAYOUT);
	cr_assert_null(call.fft.problem);
	describe_fft_basic(&r, 0, NULL, in, out, -1, 64);
	cr_assert_not(r.supported, "rank 0");
	describe_fft_basic(&r, 1, (const int[]){0}, in, out, -1, 64);
	cr_assert_not(r.supported, "length 0");
	describe_fft_basic(&r, 1, (const int[]){8}, in, out, 2, 64);
	cr_assert_not(r.supported, "no such sign");
	describe_fft_many(&r, 1, (const int[]){8}, 0, in, NULL, 1, 8, out, NULL, 1, 8, -1, 64);
	cr_assert_not(r.supported, "an empty loop");
}

Test(describe_fftw, work)
{
	struct fft_request r = request_of(FAMILY_FFT_C2C);
	struct call call;
	describe_fft_many(&r, 1, (const int[]){1024}, 3, in, NULL, 1, 1024, out, NULL, 1, 1024, -1, 64);
	describe_fft_call(&call, &r, in, out, in);
	cr_assert_float_eq(call.work_flops, 5.0 * 1024 * 10 * 3, 1e-3, "5 N log2 N each");
	r.problem.dims[0].n = 1000003;
	describe_fft_call(&call, &r, in, out, in);
	cr_assert_float_eq(call.work_flops / (5.0 * 1000003 * 19.931572897412 * 3), 1, 1e-9);
	cr_assert(call.fft.in == in && call.fft.out == out);
}
