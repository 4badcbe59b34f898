/* describe_fftw_test.c - FFTW planner arguments as the policy's structures */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "shim/describe/describe_fftw.h"

static double in[64], out[64];

static struct fft_request request_of(enum family family, void *to, int sign)
{
	struct fft_request request = {.problem = {.family = family, .element = ELEMENT_Z}};
	describe_fftw_arrays(&request, in, to, sign, 64);
	return request;
}

static struct fft_request basic(enum family family, void *to, int sign, int rank, const int *n)
{
	struct fft_request request = request_of(family, to, sign);
	describe_fftw_basic(&request, rank, n, false);
	return request;
}

#define INTS(...) ((const int[]){__VA_ARGS__})

Test(describe_fftw, basic_transform_is_tight)
{
	const struct fft_request r = basic(FAMILY_FFT_C2C, out, -1, 3, INTS(2, 3, 4));
	cr_assert(r.defect == REASON_NONE && !r.problem.in_place && r.problem.loops == 0 &&
	          r.problem.howmany == 1);
	cr_assert_eq(r.problem.dims[0].input_stride, 12);
	cr_assert_eq(r.problem.dims[1].input_stride, 4);
	cr_assert_eq(r.problem.dims[2].output_stride, 1);
	cr_assert_eq(r.size_bytes, 2 * 24 * 16);
}

Test(describe_fftw, in_place_counts_once_and_pads)
{
	struct fft_request r = basic(FAMILY_FFT_R2C, in, 0, 2, INTS(3, 5));
	cr_assert(r.defect == REASON_NONE && r.problem.in_place);
	cr_assert_eq(r.problem.dims[0].input_stride, 6,
	             "rows of 5 reals are padded to 2 (5 / 2 + 1)");
	cr_assert_eq(r.problem.dims[0].output_stride, 3);
	cr_assert_eq(r.size_bytes, 3 * 3 * 16);
	cr_assert(r.input_bytes == 15 * 8 && r.output_bytes == 9 * 16);
	r = basic(FAMILY_FFT_R2C, out, 0, 2, INTS(3, 5));
	cr_assert_eq(r.problem.dims[0].input_stride, 5, "out of place they are not");
	r = basic(FAMILY_FFT_R2R, in, 0, 2, INTS(3, 5));
	cr_assert_eq(r.problem.dims[0].input_stride, 5, "nor where both sides are real");
	cr_assert_eq(r.size_bytes, 15 * 8);
}

Test(describe_fftw, many_with_embeds)
{
	struct fft_request r = request_of(FAMILY_FFT_C2R, out, 0);
	describe_fftw_many(
		&r, &(struct fft_many){2, INTS(3, 4), 5, INTS(7, 9), 2, 100, NULL, 3, 50, false});
	cr_assert(r.defect == REASON_NONE && r.problem.loops == 1 && r.problem.howmany == 5);
	cr_assert(r.problem.loop[0].n == 5 && r.problem.loop[0].input_stride == 100);
	cr_assert_eq(r.problem.dims[0].input_stride, 18, "9 elements of stride 2");
	cr_assert_eq(r.problem.dims[1].input_stride, 2);
	cr_assert_eq(r.problem.dims[0].output_stride, 12, "4 reals of stride 3");
	cr_assert(r.input_bytes == 5 * 3 * 3 * 16 && r.output_bytes == 5 * 12 * 8);
}

/* Fortran's first dimension is C's last one, in the sizes and in the embeds. */
Test(describe_fftw, fortran_order)
{
	struct fft_request r = request_of(FAMILY_FFT_R2C, out, 0);
	describe_fftw_many(
		&r, &(struct fft_many){2, INTS(4, 3), 1, INTS(9, 7), 2, 100, NULL, 3, 50, true});
	cr_assert(r.problem.dims[0].n == 3 && r.problem.dims[1].n == 4);
	cr_assert_eq(r.problem.dims[0].input_stride, 18);
	cr_assert_eq(r.problem.dims[0].output_stride, 9, "3 complex numbers of stride 3");
	r = request_of(FAMILY_FFT_C2C, out, 1);
	const struct fft_axes axes = {2, INTS(4, 3), INTS(5, 1), INTS(3, 1),
	                              1, INTS(6),    INTS(70),   INTS(80)};
	describe_fftw_axes(&r, &axes);
	cr_assert(r.problem.dims[0].n == 4 && r.problem.dims[0].input_stride == 5,
	          "the guru form is not reversed");
	cr_assert(r.problem.loop[0].output_stride == 80 && r.problem.howmany == 6);
}

Test(describe_fftw, guru_in_both_widths)
{
	struct fft_request r = request_of(FAMILY_FFT_C2C, out, 1);
	describe_fftw_guru(&r, &(struct fft_guru){1, INTS(8, -2, 3), 1, INTS(4, 100, 200), false});
	cr_assert(r.defect == REASON_NONE && r.problem.dims[0].input_stride == -2);
	cr_assert_eq(r.problem.loop[0].output_stride, 200);
	const int64_t dim[6] = {8, (int64_t)1 << 40, 1, 4, 2, 2};
	describe_fftw_guru(&r, &(struct fft_guru){1, dim, 0, NULL, true});
	cr_assert(r.defect == REASON_NONE && r.problem.dims[0].input_stride == (int64_t)1 << 40);
	cr_assert(r.problem.loops == 0 && r.problem.howmany == 1);
	describe_fftw_guru(&r, &(struct fft_guru){1, dim, 2, dim, true});
	cr_assert(r.defect == REASON_NONE && r.problem.loops == 2 && r.problem.howmany == 32,
	          "two loops");
	cr_assert_eq(r.size_bytes, 2 * 8 * 32 * 16);
}

static void expect_defect(const struct fft_request *r, enum reason reason, const char *what)
{
	struct call call;
	describe_fftw_call(&call, r, r->in, r->out, in);
	cr_assert_eq(r->defect, reason, "%s: %s", what, reason_name(r->defect));
	cr_assert_eq(call.defect, reason, "%s", what);
}

Test(describe_fftw, what_has_no_form)
{
	struct fft_request r = basic(FAMILY_FFT_C2C, out, -1, 4, INTS(2, 3, 2, 2));
	expect_defect(&r, REASON_UNSUPPORTED_RANK, "rank 4");
	cr_assert_eq(r.size_bytes, 24 * 16 * 2, "its points are counted all the same");
	cr_assert(r.problem.rank == 4 && r.problem.dims[1].n == 3, "and shown");
	r = basic(FAMILY_FFT_C2C, out, -1, 9, INTS(1, 1, 1, 1, 1, 1, 1, 1, 2));
	expect_defect(&r, REASON_UNSUPPORTED_RANK, "rank 9");
	cr_assert(r.problem.rank == FFT_RANK_MAX && r.size_bytes == 2 * 2 * 16);
	r = basic(FAMILY_FFT_R2R, out, 0, 1, INTS(8));
	expect_defect(&r, REASON_REAL_TO_REAL, "real to real");
	r = (struct fft_request){.problem = {.family = FAMILY_FFT_C2C, .element = ELEMENT_L}};
	describe_fftw_arrays(&r, in, out, -1, 64);
	describe_fftw_basic(&r, 1, INTS(8), false);
	expect_defect(&r, REASON_UNSUPPORTED_PRECISION, "long double");
	cr_assert_eq(r.size_bytes, 2 * 8 * 32);
	r = (struct fft_request){.problem = {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z}};
	describe_fftw_split(&r, in, out, 64);
	describe_fftw_guru(&r, &(struct fft_guru){1, INTS(8, 1, 1), 0, NULL, false});
	expect_defect(&r, REASON_SPLIT_ARRAYS, "split");
	r = basic(FAMILY_FFT_C2C, out, -1, 3, INTS(2000000, 2000000, 2000000));
	expect_defect(&r, REASON_UNSUPPORTED_LAYOUT, "more than 63 bits");
}

Test(describe_fftw, what_has_nothing_to_transform)
{
	struct fft_request r = basic(FAMILY_FFT_C2C, out, -1, 0, NULL);
	expect_defect(&r, REASON_NO_TRANSFORM, "rank 0");
	cr_assert_eq(r.size_bytes, 32, "one element is copied");
	r = basic(FAMILY_FFT_R2C, out, 0, 2, INTS(1, 1));
	expect_defect(&r, REASON_NO_TRANSFORM, "lengths 1");
	r = request_of(FAMILY_FFT_C2C, out, -1);
	describe_fftw_many(&r, &(struct fft_many){1, INTS(8), 0, NULL, 1, 8, NULL, 1, 8, false});
	expect_defect(&r, REASON_NO_TRANSFORM, "an empty loop");
	cr_assert(r.size_bytes == 0 && r.problem.howmany == 0);
	r = basic(FAMILY_FFT_C2C, out, -1, 1, INTS(-3));
	cr_assert_neq(r.defect, REASON_NONE, "a negative length");
}

Test(describe_fftw, eight_loops_have_a_form)
{
	int loops[9 * 3];
	struct fft_request r = request_of(FAMILY_FFT_C2C, out, -1);
	for (int l = 0; l < 9; l++)
		loops[3 * l] = 2, loops[3 * l + 1] = loops[3 * l + 2] = 8 << l;
	describe_fftw_guru(&r, &(struct fft_guru){1, INTS(8, 1, 1), 8, loops, false});
	cr_assert(r.defect == REASON_NONE && r.problem.howmany == 256);
	describe_fftw_guru(&r, &(struct fft_guru){1, INTS(8, 1, 1), 9, loops, false});
	expect_defect(&r, REASON_UNSUPPORTED_LAYOUT, "nine loops");
	cr_assert(r.problem.loops == FFT_LOOPS_MAX && r.problem.howmany == 512);
}

Test(describe_fftw, what_is_not_forward_is_backward)
{
	const struct fft_request zero = basic(FAMILY_FFT_C2C, out, 0, 1, INTS(8)),
				 two = basic(FAMILY_FFT_C2C, out, 2, 1, INTS(8)),
				 forward = basic(FAMILY_FFT_C2C, out, -1, 1, INTS(8)),
				 real = basic(FAMILY_FFT_R2C, out, 0, 1, INTS(8));
	cr_assert(zero.defect == REASON_NONE && zero.problem.sign == 1);
	cr_assert(two.defect == REASON_NONE && two.problem.sign == 1);
	cr_assert(forward.problem.sign == -1 && real.problem.sign == 0);
}

Test(describe_fftw, unknown_plans)
{
	struct fft_request r = {.problem = {.family = FAMILY_FFT_R2C, .element = ELEMENT_C},
	                        .in = in};
	struct call call;
	describe_fftw_unknown(&r);
	expect_defect(&r, REASON_UNKNOWN_PLAN, "unknown");
	describe_fftw_call(&call, &r, NULL, NULL, in);
	cr_assert(call.family == FAMILY_FFT_R2C && call.element == ELEMENT_C &&
	          call.fft.problem == NULL);
}

Test(describe_fftw, work)
{
	struct fft_request r = request_of(FAMILY_FFT_C2C, out, -1);
	struct call call;
	describe_fftw_many(
		&r, &(struct fft_many){1, INTS(1024), 3, NULL, 1, 1024, NULL, 1, 1024, false});
	describe_fftw_call(&call, &r, in, out, in);
	cr_assert_float_eq(call.work_flops, 5.0 * 1024 * 10 * 3, 1e-3, "5 N log2 N each");
	r.problem.dims[0].n = 1000003;
	describe_fftw_call(&call, &r, in, out, in);
	cr_assert_float_eq(call.work_flops / (5.0 * 1000003 * 19.931572897412 * 3), 1, 1e-9);
	cr_assert(call.fft.in == in && call.fft.out == out);
}

/* FFTW_MEASURE is 0, FFTW_PATIENT 32, FFTW_ESTIMATE 64 (fftw3.h). */
Test(describe_fftw, rigour_follows_the_flags)
{
	static const struct {
		unsigned flags;
		enum fft_rigour rigour;
	} cases[] = {{0, FFT_MEASURED},
	             {32, FFT_MEASURED},
	             {64, FFT_ESTIMATED},
	             {1 | 64, FFT_ESTIMATED}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fft_request r = request_of(FAMILY_FFT_C2C, out, -1);
		struct call call = {.symbol = 0};
		describe_fftw_arrays(&r, in, out, -1, cases[i].flags);
		describe_fftw_basic(&r, 1, INTS(16), false);
		describe_fftw_call(&call, &r, in, out, NULL);
		cr_assert_eq(call.fft.rigour, cases[i].rigour, "flags %u", cases[i].flags);
	}
}
