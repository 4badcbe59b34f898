/* lapack_operand_test.c - operands of LAPACK calls by family and job, their overlap, flops */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/call/lapack_flops.h"
#include "policy/call/lapack_operand.h"

static double memory[4096];
static int32_t integers[64];

static struct call start(enum family family, enum element element, int64_t m, int64_t n)
{
	struct call call = {.family = family, .element = element};
	call.lapack.m = m;
	call.lapack.n = n;
	call.lapack.lda = m;
	call.lapack.a = memory;
	call.lapack.info = integers + 63;
	return call;
}

/* The operand of this name; fails the test where there is none. */
static struct lapack_operand get(const struct call *call, enum lapack_name name)
{
	struct lapack_operands operands;
	lapack_operand_list(call, &operands);
	const struct lapack_operand *found = lapack_operand_find(&operands, name);
	cr_assert(found != NULL, "operand %d", (int)name);
	return *found;
}

static bool has(const struct call *call, enum lapack_name name)
{
	struct lapack_operands operands;
	lapack_operand_list(call, &operands);
	return lapack_operand_find(&operands, name) != NULL;
}

static bool has_shape(const struct lapack_operand *operand, int64_t rows, int64_t columns)
{
	return operand->rows == rows && operand->columns == columns;
}

/* Each family lists info, and what its row names has the fields of the call. */
Test(lapack_operand, every_family)
{
	for (int family = FAMILY_GETRF; family_is_lapack((enum family)family); family++) {
		struct call call = start((enum family)family, ELEMENT_D, 4, 4);
		call.lapack.k = 2;
		cr_expect(has(&call, LAPACK_A), "%s", family_name((enum family)family));
		cr_expect(get(&call, LAPACK_INFO).written == LAPACK_WHOLE);
		cr_expect(lapack_flops_count(&call) >= 0);
		cr_expect(strlen(family_letters((enum family)family)) <= 4);
		cr_expect(family_prefix((enum family)family, ELEMENT_S) != NULL ||
		          family_prefix((enum family)family, ELEMENT_C) != NULL);
		cr_expect_null(family_prefix((enum family)family, ELEMENT_L));
	}
	cr_expect_null(family_prefix(FAMILY_SYEVD, ELEMENT_Z));
	cr_expect_null(family_prefix(FAMILY_HEEVD, ELEMENT_D));
	cr_expect_str_eq(family_prefix(FAMILY_UNGQR, ELEMENT_Z), "z");
}

Test(lapack_operand, families_stand_between_batches_and_transforms)
{
	for (int family = 0; family < FAMILY_COUNT; family++) {
		const enum family_kind kind = family_find_kind((enum family)family);
		cr_expect_eq(family_is_lapack((enum family)family), kind == FAMILY_KIND_LAPACK);
		cr_expect_eq(family_is_fft((enum family)family), kind == FAMILY_KIND_TRANSFORM);
		cr_expect_eq(family_is_blas((enum family)family),
		             kind != FAMILY_KIND_LAPACK && kind != FAMILY_KIND_TRANSFORM);
	}
}

Test(lapack_operand, factors_in_place)
{
	struct call call = start(FAMILY_GETRF, ELEMENT_Z, 5, 3);
	call.lapack.ipiv = integers;
	const struct lapack_operand a = get(&call, LAPACK_A), pivots = get(&call, LAPACK_IPIV);
	cr_expect(has_shape(&a, 5, 3) && a.read == LAPACK_WHOLE && a.written == LAPACK_WHOLE);
	cr_expect(has_shape(&pivots, 3, 1) && pivots.read == LAPACK_NOTHING);
	cr_expect_eq(lapack_operand_bytes(&call, &a), 15 * 16);
	cr_expect_eq(lapack_operand_bytes(&call, &pivots), 12);
	call.lapack.wide = true;
	cr_expect_eq(lapack_operand_bytes(&call, &pivots), 24);
}

Test(lapack_operand, triangles)
{
	struct call call = start(FAMILY_TRTRI, ELEMENT_S, 4, 4);
	call.lapack.uplo = UPLO_LOWER;
	cr_expect(get(&call, LAPACK_A).written == LAPACK_LOWER);
	call.lapack.diag = DIAG_UNIT;
	cr_expect(get(&call, LAPACK_A).read == LAPACK_STRICT_LOWER);
	call.lapack.uplo = UPLO_UPPER;
	cr_expect(get(&call, LAPACK_A).written == LAPACK_STRICT_UPPER);
}

Test(lapack_operand, eigenvectors_overwrite_all_of_a_or_nothing)
{
	struct call call = start(FAMILY_SYEVD, ELEMENT_D, 4, 4);
	call.lapack.jobs[0] = 'V';
	call.lapack.w = memory + 100;
	struct lapack_operand a = get(&call, LAPACK_A);
	cr_expect(a.read == LAPACK_UPPER && a.written == LAPACK_WHOLE && !a.spent);
	call.lapack.jobs[0] = 'N';
	a = get(&call, LAPACK_A);
	cr_expect(a.read == LAPACK_UPPER && a.written == LAPACK_NOTHING && a.spent);
	cr_expect(get(&call, LAPACK_W).rows == 4);
}

Test(lapack_operand, a_range_of_eigenvectors)
{
	struct call call = start(FAMILY_HEEVR, ELEMENT_C, 6, 6);
	call.lapack.jobs[0] = 'V';
	call.lapack.range = 'I';
	call.lapack.il = 2;
	call.lapack.iu = 4;
	call.lapack.u = memory + 100;
	call.lapack.ldu = 6;
	call.lapack.isuppz = integers;
	call.lapack.found = integers + 40;
	struct lapack_operand z = get(&call, LAPACK_U), support = get(&call, LAPACK_ISUPPZ);
	cr_expect(has_shape(&z, 6, 3) && z.written == LAPACK_WHOLE);
	cr_expect(has_shape(&support, 6, 1) && get(&call, LAPACK_A).spent);
	cr_expect(get(&call, LAPACK_FOUND).written == LAPACK_WHOLE);
	call.lapack.range = 'V';
	z = get(&call, LAPACK_U);
	cr_expect(has_shape(&z, 6, 6));
	call.lapack.jobs[0] = 'N';
	cr_expect_not(has(&call, LAPACK_U) || has(&call, LAPACK_ISUPPZ));
}

Test(lapack_operand, reflectors)
{
	struct call call = start(FAMILY_ORGQR, ELEMENT_D, 6, 4);
	call.lapack.k = 2;
	call.lapack.tau = memory + 100;
	const struct lapack_operand q = get(&call, LAPACK_A);
	cr_expect(has_shape(&q, 6, 4) && q.read_columns == 2 && q.read_rows == 6);
	cr_expect(q.read == LAPACK_STRICT_LOWER && q.written == LAPACK_WHOLE);
	call.family = FAMILY_ORMQR;
	call.lapack.side = SIDE_RIGHT;
	call.lapack.b = memory + 200;
	call.lapack.ldb = 6;
	const struct lapack_operand a = get(&call, LAPACK_A), c = get(&call, LAPACK_B);
	cr_expect(has_shape(&a, 4, 2) && a.written == LAPACK_NOTHING && !a.spent);
	cr_expect(has_shape(&c, 6, 4) && c.read == LAPACK_WHOLE);
}

Test(lapack_operand, least_squares_read_as_many_rows_as_the_matrix_has)
{
	struct call call = start(FAMILY_GELS, ELEMENT_D, 6, 4);
	call.lapack.nrhs = 3;
	call.lapack.b = memory + 200;
	call.lapack.ldb = 6;
	struct lapack_operand b = get(&call, LAPACK_B);
	cr_expect(has_shape(&b, 6, 3) && b.read_rows == 6 && b.written == LAPACK_WHOLE);
	call.lapack.trans = TRANSPOSE_T;
	b = get(&call, LAPACK_B);
	cr_expect(has_shape(&b, 6, 3) && b.read_rows == 4);
}

static void expect_singular(enum family family, const char *jobs, int64_t left, int64_t right)
{
	struct call call = start(family, ELEMENT_D, 6, 4);
	struct lapack_operands operands;
	memcpy(call.lapack.jobs, jobs, 2);
	call.lapack.u = memory + 100;
	call.lapack.vt = memory + 200;
	call.lapack.ldu = 6;
	call.lapack.ldvt = 4;
	lapack_operand_list(&call, &operands);
	const struct lapack_operand *u = lapack_operand_find(&operands, LAPACK_U),
				    *vt = lapack_operand_find(&operands, LAPACK_VT);
	cr_expect_eq(u == NULL ? 0 : u->columns, left, "%.2s", jobs);
	cr_expect_eq(vt == NULL ? 0 : vt->rows, right, "%.2s", jobs);
}

Test(lapack_operand, singular_vectors_by_job)
{
	expect_singular(FAMILY_GESDD, "N", 0, 0);
	expect_singular(FAMILY_GESDD, "S", 4, 4);
	expect_singular(FAMILY_GESDD, "A", 6, 4);
	expect_singular(FAMILY_GESVD, "AN", 6, 0);
	expect_singular(FAMILY_GESVD, "NS", 0, 4);
}

Test(lapack_operand, overlap)
{
	struct call call = start(FAMILY_GESV, ELEMENT_D, 4, 4);
	struct lapack_operands operands;
	call.lapack.nrhs = 2;
	call.lapack.lda = call.lapack.ldb = 8;
	call.lapack.b = memory + 4; /* the rows below A */
	call.lapack.ipiv = integers;
	lapack_operand_list(&call, &operands);
	cr_expect_not(lapack_operand_overlap(&call, &operands));
	call.lapack.b = memory + 3;
	lapack_operand_list(&call, &operands);
	cr_expect(lapack_operand_overlap(&call, &operands));
	call.lapack.b = memory + 4;
	call.lapack.ipiv = memory + 9; /* inside of A, as integers */
	lapack_operand_list(&call, &operands);
	cr_expect(lapack_operand_overlap(&call, &operands));
	call.lapack.ipiv = integers;
	call.lapack.info = integers + 3;
	lapack_operand_list(&call, &operands);
	cr_expect(lapack_operand_overlap(&call, &operands));
}

Test(lapack_operand, inputs_may_overlap_each_other_but_no_work_array)
{
	struct call call = start(FAMILY_GETRI, ELEMENT_D, 4, 4);
	struct lapack_operands operands;
	call.lapack.ipiv = integers;
	call.lapack.work = memory + 16;
	call.lapack.lwork = 4;
	lapack_operand_list(&call, &operands);
	cr_expect_not(lapack_operand_overlap(&call, &operands));
	call.lapack.work = memory + 15;
	lapack_operand_list(&call, &operands);
	cr_expect(lapack_operand_overlap(&call, &operands));
	cr_expect(lapack_operand_is_work(lapack_operand_find(&operands, LAPACK_WORK)));
}

static double flops(enum family family, const struct lapack_call *lapack)
{
	const struct call call = {.family = family, .element = ELEMENT_D, .lapack = *lapack};
	return lapack_flops_count(&call);
}

#define EXPECT_FLOPS(family, expected, ...)                                                        \
	cr_expect_float_eq(flops(FAMILY_##family, &(struct lapack_call){__VA_ARGS__}), expected,   \
	                   1e-6 * (expected), #family)

/* The formulas of LAPACK Working Note 41 and of Golub and Van Loan, evaluated by hand. */
Test(lapack_operand, flops)
{
	EXPECT_FLOPS(GETRF, 10 * 36 - 72, .m = 10, .n = 6);
	EXPECT_FLOPS(GETRF, 10 * 36 - 72, .m = 6, .n = 10);
	EXPECT_FLOPS(GETRS, 2 * 36 * 5, .m = 6, .n = 6, .nrhs = 5);
	EXPECT_FLOPS(GESV, 144 + 360, .m = 6, .n = 6, .nrhs = 5);
	EXPECT_FLOPS(GETRI, 288, .m = 6, .n = 6);
	EXPECT_FLOPS(POTRF, 72, .m = 6, .n = 6);
	EXPECT_FLOPS(POSV, 72 + 360, .m = 6, .n = 6, .nrhs = 5);
	EXPECT_FLOPS(POTRI, 144, .m = 6, .n = 6);
	EXPECT_FLOPS(SYEVD, 288, .m = 6, .n = 6, .jobs = "N");
	EXPECT_FLOPS(SYEVD, 14 * 72, .m = 6, .n = 6, .jobs = "V");
	EXPECT_FLOPS(SYEVR, 288 + 10 * 36 * 2 / 3., .m = 6, .n = 6, .jobs = "V", .range = 'I',
	             .il = 3, .iu = 4);
	EXPECT_FLOPS(SYGVD, 14 * 72 + 7 * 72, .m = 6, .n = 6, .jobs = "V");
	EXPECT_FLOPS(GEQRF, 2 * 10 * 36 - 144, .m = 10, .n = 6);
	EXPECT_FLOPS(ORGQR, 4 * 10 * 36 - 2 * 16 * 36 + 288, .m = 10, .n = 6, .k = 6);
	EXPECT_FLOPS(ORMQR, 4 * 10 * 5 * 6 - 2 * 5 * 36, .m = 10, .n = 5, .k = 6);
	EXPECT_FLOPS(ORMQR, 4 * 5 * 10 * 6 - 2 * 5 * 36, .m = 5, .n = 10, .k = 6,
	             .side = SIDE_RIGHT);
	EXPECT_FLOPS(GESDD, 4 * 216 - 288, .m = 6, .n = 6, .jobs = "N");
	EXPECT_FLOPS(GESDD, 4 * 216 - 288 + 20 * 72, .m = 6, .n = 6, .jobs = "S");
	EXPECT_FLOPS(GESVD, 4 * 216 - 288 + 20 * 72, .m = 6, .n = 6, .jobs = "SS");
	EXPECT_FLOPS(GEEV, 10 * 216, .m = 6, .n = 6, .jobs = "NN");
	EXPECT_FLOPS(GEEV, 25 * 216, .m = 6, .n = 6, .jobs = "NV");
	const struct call complex = {
		.family = FAMILY_POTRF, .element = ELEMENT_Z, .lapack = {.m = 6, .n = 6}};
	cr_expect_float_eq(lapack_flops_count(&complex), 4 * 72, 0);
}

/* A wide and a tall matrix with the same jobs on the matching sides take the same work. */
Test(lapack_operand, singular_flops_are_those_of_the_transpose)
{
	const struct lapack_call tall = {.m = 10, .n = 6, .jobs = {'A', 'N'}},
				 wide = {.m = 6, .n = 10, .jobs = {'N', 'A'}};
	cr_expect_float_eq(flops(FAMILY_GESVD, &tall), flops(FAMILY_GESVD, &wide), 1e-6);
}

Test(lapack_operand, sizes_of_any_call)
{
	struct call call = start(FAMILY_GETRS, ELEMENT_D, 4, 4);
	call.lapack.nrhs = 3;
	struct call_sizes sizes = call_find_sizes(&call);
	cr_expect(sizes.m == 4 && sizes.n == 4 && sizes.k == 0 && sizes.nrhs == 3);
	call.family = FAMILY_FFT_C2C;
	sizes = call_find_sizes(&call);
	cr_expect(sizes.m == 0 && sizes.n == 0);
}
