/* fft_share_test.c - how a batch of transforms is divided between a device and the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/fft/fft_share.h"

static double complex_array[64];
static void *const far_away = (void *)((uintptr_t)1 << 46);
static struct fft_problem problem;

/* A transform of one dimension in two loops; out NULL: in place. */
static struct fft_call make(enum family family, struct fft_dim dim, struct fft_dim inner,
                            struct fft_dim outer, void *out)
{
	problem = (struct fft_problem){.family = family,
	                               .element = ELEMENT_Z,
	                               .rank = 1,
	                               .dims = {dim},
	                               .loops = 2,
	                               .loop = {outer, inner},
	                               .howmany = outer.n * inner.n,
	                               .sign = -1,
	                               .in_place = out == NULL};
	return (struct fft_call){
		.problem = &problem, .in = complex_array, .out = out == NULL ? complex_array : out};
}

static const struct fft_dim once = {1, 0, 0};

static struct fft_call tight(int64_t n, int64_t howmany, void *out)
{
	return make(FAMILY_FFT_C2C, (struct fft_dim){n, 1, 1}, once,
	            (struct fft_dim){howmany, n, n}, out);
}

static bool is_whole(const struct fft_share *share, int64_t howmany)
{
	return share->cut.count == howmany && share->device >= 1 && share->device < howmany &&
	       share->slice >= 1 && (howmany - share->device) % share->slice == 0 &&
	       share->rest == howmany % share->slice;
}

/* Parts add up to the call, and no side is left without a turn. */
static void check_share(int64_t howmany, double wanted, void *out)
{
	const struct fft_call call = tight(100, howmany, out);
	struct fft_share share;
	const double fine = howmany < 100 ? 1.0 / (double)howmany : 0.01;
	cr_assert(fft_share_cut(&call, wanted, &share) && is_whole(&share, howmany));
	cr_expect_float_eq(share.cpu_share, 1 - (double)share.device / (double)howmany, 1e-12);
	cr_expect_float_eq(share.cpu_share, wanted, fine + 1e-12);
}

Test(fft_share, parts_are_near_to_what_is_wanted)
{
	static const double wanted[] = {0.01, 0.37, 0.5, 0.99};
	static const int64_t howmany[] = {2, 3, 7, 99, 100, 199, 200, 4001, 1000000};
	for (size_t i = 0; i < sizeof howmany / sizeof howmany[0]; i++)
		for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
			check_share(howmany[i], wanted[k], far_away);
			check_share(howmany[i], wanted[k], NULL);
		}
}

Test(fft_share, slices_do_not_depend_on_the_share)
{
	const struct fft_call call = tight(100, 1234, far_away);
	struct fft_share one, most;
	cr_assert(fft_share_cut(&call, 0.01, &one) && fft_share_cut(&call, 0.99, &most));
	cr_expect(one.slice == most.slice && one.rest == most.rest && one.slice == 12);
	cr_expect_eq(one.device, 1222);
}

Test(fft_share, places_and_counts)
{
	const struct fft_call call =
		make(FAMILY_FFT_R2C, (struct fft_dim){10, 1, 1}, (struct fft_dim){4, 10, 6},
	             (struct fft_dim){50, 40, 24}, far_away);
	struct fft_share share;
	cr_assert(fft_share_cut(&call, 0.5, &share));
	cr_assert_eq(share.cut.count, 200, "loops that continue each other are one");
	const struct fft_problem half = fft_share_count(&share, 100);
	cr_expect_eq(half.howmany, 100);
	const struct fft_call part = fft_share_place(&share, &call, &half, 7);
	cr_expect_eq((char *)part.in - (char *)call.in, INT64_C(7) * 10 * 8);
	cr_expect_eq((char *)part.out - (char *)call.out, INT64_C(7) * 6 * 16);
	cr_expect_eq(part.problem, &half);
}

/* One transform, one turn, and arrays that overlap in part. */
Test(fft_share, what_cannot_be_cut)
{
	struct fft_share share;
	struct fft_call call = tight(8, 1, far_away);
	cr_expect_not(fft_share_cut(&call, 0.5, &share));
	call = tight(100, 20, complex_array + 6);
	cr_expect_not(fft_share_cut(&call, 0.5, &share));
	call.problem = NULL;
	cr_expect_not(fft_share_cut(&call, 0.5, &share));
	/* In place, and the rows of the output are shorter. */
	call = make(FAMILY_FFT_C2C, (struct fft_dim){80, 1, 1}, once, (struct fft_dim){20, 90, 80},
	            NULL);
	cr_expect_not(fft_share_cut(&call, 0.5, &share));
}

/* Results that lie in one another, and inputs that the CPU would overwrite. */
Test(fft_share, turns_that_share_elements)
{
	static const struct {
		enum family family;
		int64_t in, out;
		bool shared;
	} rows[] = {{FAMILY_FFT_C2C, 80, 79, false}, {FAMILY_FFT_C2C, 80, 0, false},
	            {FAMILY_FFT_C2C, 80, 80, true},  {FAMILY_FFT_C2C, 3, 80, true},
	            {FAMILY_FFT_C2R, 3, 80, false},  {FAMILY_FFT_C2R, 40, 80, false},
	            {FAMILY_FFT_C2R, 41, 80, true},  {FAMILY_FFT_R2C, 3, 41, true},
	            {FAMILY_FFT_R2C, 80, 40, false}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct fft_share share;
		const struct fft_call call =
			make(rows[i].family, (struct fft_dim){80, 1, 1}, once,
		             (struct fft_dim){200, rows[i].in, rows[i].out}, far_away);
		cr_expect_eq(fft_share_cut(&call, 0.5, &share), rows[i].shared, "row %zu", i);
	}
}

/* Negative strides, and transforms that lie in one another without an element in common. */
Test(fft_share, strides_of_all_kinds)
{
	struct fft_share share;
	struct fft_call call = make(FAMILY_FFT_C2C, (struct fft_dim){80, -1, 1}, once,
	                            (struct fft_dim){20, -90, -80}, far_away);
	cr_assert(fft_share_cut(&call, 0.5, &share));
	cr_expect(share.cut.input_bytes == INT64_C(-90) * 16 &&
	          share.cut.output_bytes == INT64_C(-80) * 16);
	call = make(FAMILY_FFT_C2C, (struct fft_dim){8, 1000, 1000}, once,
	            (struct fft_dim){1000, 1, 1}, NULL);
	cr_assert(fft_share_cut(&call, 0.5, &share), "interleaved, in place");
	cr_expect_eq(share.slice, share.cut.least, "short runs are slow: %ld", (long)share.slice);
	cr_expect_gt(share.cut.least, 10);
}
