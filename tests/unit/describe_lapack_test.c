/* describe_lapack_test.c - LAPACK arguments as struct call: legality, workspace, overlap */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "policy/call/lapack_letters.h"
#include "shim/describe/describe_lapack.h"

static double array[8192];
static double *const a = array, *const b = array + 1000, *const u = array + 2000,
		     *const vt = array + 3000, *const w = array + 4000, *const work = array + 5000;
static int32_t integers[256], info;

static struct call start(enum family family, enum element element)
{
	return (struct call){.family = family, .element = element};
}

/* Integers by reference, of 32 bits. */
#define I(value) (&(const int32_t){value})

static struct call gesv(int n, int nrhs, int lda, int ldb, void *to)
{
	struct call call = start(FAMILY_GESV, ELEMENT_D);
	describe_f77_GESV(&call, false, I(n), I(nrhs), a, I(lda), integers, to, I(ldb), &info);
	return call;
}

Test(describe_lapack, a_solver)
{
	const struct call call = gesv(10, 3, 12, 11, b);
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect(call.lapack.m == 10 && call.lapack.n == 10 && call.lapack.nrhs == 3);
	cr_expect(call.lapack.lda == 12 && call.lapack.ldb == 11 && !call.lapack.wide);
	cr_expect(call.lapack.a == a && call.lapack.b == b && call.lapack.ipiv == integers);
	cr_expect_eq(call.size_bytes, (100 + 30) * 8);
	cr_expect_eq(call.input_bytes, (100 + 30) * 8);
	cr_expect_eq(call.output_bytes, (100 + 30) * 8 + 10 * 4 + 4);
	cr_expect_float_eq(call.work_flops, 2000 / 3. + 600, 1e-9);
}

Test(describe_lapack, illegal_empty_and_overlapping_solvers)
{
	cr_expect_eq(gesv(-1, 3, 12, 12, b).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesv(10, -3, 12, 12, b).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesv(10, 3, 9, 12, b).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesv(10, 3, 12, 9, b).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesv(0, 3, 0, 1, b).defect, REASON_ILLEGAL_ARGUMENT, "lda is at least 1");
	cr_expect_eq(gesv(0, 3, 1, 1, b).defect, REASON_QUICK_RETURN);
	cr_expect_eq(gesv(10, 0, 12, 12, b).defect, REASON_QUICK_RETURN);
	cr_expect_eq(gesv(10, 3, 12, 12, a + 5).defect, REASON_OVERLAP);
	cr_expect_eq(gesv(10, 1, 12, 12, integers).defect, REASON_OVERLAP);
	cr_expect_eq(gesv(10, -3, 12, 12, b).size_bytes, 0);
}

Test(describe_lapack, wide_integers)
{
	static const int64_t m = 20, n = 1, lda = INT64_C(1) << 32;
	struct call call = start(FAMILY_GETRF, ELEMENT_C);
	describe_f77_GETRF(&call, true, &m, &n, a, &lda, integers, &info);
	cr_expect(call.defect == REASON_NONE && call.lapack.wide && call.lapack.lda == lda);
	cr_expect_eq(call.output_bytes, 20 * 8 + 8 + 8);
}

static enum reason getri(int n, int lwork)
{
	struct call call = start(FAMILY_GETRI, ELEMENT_Z);
	describe_f77_GETRI(&call, false, I(n), a, I(n > 0 ? n : 1), integers, work, I(lwork),
	                   &info);
	return call.defect;
}

Test(describe_lapack, queries_and_short_workspace)
{
	cr_expect_eq(getri(10, 10), REASON_NONE);
	cr_expect_eq(getri(10, 9), REASON_SHORT_WORKSPACE);
	cr_expect_eq(getri(10, -2), REASON_SHORT_WORKSPACE);
	cr_expect_eq(getri(10, -1), REASON_WORKSPACE_QUERY);
	cr_expect_eq(getri(-1, -1), REASON_ILLEGAL_ARGUMENT, "the arguments are judged first");
	cr_expect_eq(getri(0, 1), REASON_QUICK_RETURN);
	cr_expect_eq(getri(0, 0), REASON_SHORT_WORKSPACE, "1 is the least length");
}

static struct call trtri(const char *letters)
{
	struct call call = start(FAMILY_TRTRI, ELEMENT_S);
	describe_f77_TRTRI(&call, false, letters, letters + 1, I(10), a, I(10), &info);
	return call;
}

Test(describe_lapack, letters)
{
	struct call call = trtri("lu");
	char text[LAPACK_LETTERS_BYTES];
	cr_expect(call.lapack.uplo == UPLO_LOWER && call.lapack.diag == DIAG_UNIT);
	lapack_letters_write(&call, text);
	cr_expect_str_eq(text, "LU");
	call = trtri("UN");
	cr_expect(call.lapack.uplo == UPLO_UPPER && call.lapack.diag == DIAG_NON_UNIT);
	call = trtri("xN");
	cr_expect_eq(call.defect, REASON_ILLEGAL_ARGUMENT);
	lapack_letters_write(&call, text);
	cr_expect_str_eq(text, "?N");
}

static enum reason getrs(const char *trans)
{
	struct call call = start(FAMILY_GETRS, ELEMENT_D);
	describe_f77_GETRS(&call, false, trans, I(10), I(2), a, I(10), integers, b, I(10), &info);
	return call.defect;
}

static enum reason ormqr(enum element element, const char *side, const char *trans, int k, int lda)
{
	struct call call =
		start(element_is_complex(element) ? FAMILY_UNMQR : FAMILY_ORMQR, element);
	describe_f77_ORMQR(&call, false, side, trans, I(12), I(8), I(k), a, I(lda), w, b, I(12),
	                   work, I(12), &info);
	return call.defect;
}

Test(describe_lapack, transpositions_by_element)
{
	cr_expect(getrs("N") == REASON_NONE && getrs("t") == REASON_NONE);
	cr_expect(getrs("C") == REASON_NONE && getrs("R") == REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(ormqr(ELEMENT_D, "L", "T", 8, 12), REASON_NONE);
	cr_expect_eq(ormqr(ELEMENT_D, "L", "C", 8, 12), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(ormqr(ELEMENT_Z, "L", "C", 8, 12), REASON_NONE);
	cr_expect_eq(ormqr(ELEMENT_Z, "L", "T", 8, 12), REASON_ILLEGAL_ARGUMENT);
}

Test(describe_lapack, reflectors_have_the_order_of_their_side)
{
	cr_expect_eq(ormqr(ELEMENT_D, "L", "N", 12, 12), REASON_NONE);
	cr_expect_eq(ormqr(ELEMENT_D, "L", "N", 12, 11), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(ormqr(ELEMENT_D, "R", "N", 8, 8), REASON_NONE);
	cr_expect_eq(ormqr(ELEMENT_D, "R", "N", 9, 9), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(ormqr(ELEMENT_D, "L", "N", 0, 12), REASON_QUICK_RETURN);
	struct call call = start(FAMILY_ORGQR, ELEMENT_D);
	describe_f77_ORGQR(&call, false, I(6), I(8), I(4), a, I(6), w, work, I(8), &info);
	cr_expect_eq(call.defect, REASON_ILLEGAL_ARGUMENT, "more columns than rows");
}

static struct call syevd(const char *job, int n, int lwork, int liwork)
{
	struct call call = start(FAMILY_SYEVD, ELEMENT_D);
	describe_f77_SYEVD(&call, false, job, "U", I(n), a, I(n), w, work, I(lwork), integers,
	                   I(liwork), &info);
	return call;
}

Test(describe_lapack, workspace_of_eigenvectors)
{
	cr_expect_eq(syevd("V", 10, 261, 53).defect, REASON_NONE);
	cr_expect_eq(syevd("V", 10, 260, 53).defect, REASON_SHORT_WORKSPACE);
	cr_expect_eq(syevd("V", 10, 261, 52).defect, REASON_SHORT_WORKSPACE);
	cr_expect_eq(syevd("N", 10, 21, 1).defect, REASON_NONE);
	cr_expect_eq(syevd("N", 10, 20, 1).defect, REASON_SHORT_WORKSPACE);
	cr_expect_eq(syevd("V", 1, 1, 1).defect, REASON_NONE);
	cr_expect_eq(syevd("V", 10, 261, -1).defect, REASON_WORKSPACE_QUERY);
	cr_expect_eq(syevd("W", 10, 261, 53).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(syevd("V", 10, 261, 53).output_bytes, 100 * 8 + 10 * 8 + 4);
	cr_expect_eq(syevd("N", 10, 261, 53).output_bytes, 10 * 8 + 4);
}

static struct call syevr(const char *range, double vl, double vu, int il, int iu, int ldz)
{
	struct call call = start(FAMILY_SYEVR, ELEMENT_D);
	static const double abstol = 0;
	describe_f77_SYEVR(&call, false, "V", range, "L", I(10), a, I(10), &vl, &vu, I(il), I(iu),
	                   &abstol, integers + 100, w, u, I(ldz), integers, work, I(260),
	                   integers + 128, I(100), &info);
	return call;
}

Test(describe_lapack, ranges_of_eigenvalues)
{
	struct call call = syevr("I", 0, 0, 2, 4, 10);
	cr_assert_eq(call.defect, REASON_NONE);
	cr_expect(call.lapack.il == 2 && call.lapack.iu == 4 && call.lapack.range == 'I');
	cr_expect_eq(call.size_bytes, (100 + 30) * 8);
	cr_expect_eq(syevr("I", 0, 0, 0, 4, 10).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(syevr("I", 0, 0, 4, 3, 10).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(syevr("I", 0, 0, 4, 11, 10).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(syevr("A", 0, 0, 0, 0, 10).defect, REASON_NONE, "il and iu are not read");
	cr_expect_eq(syevr("A", 0, 0, 0, 0, 9).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(syevr("V", 1, 1, 0, 0, 10).defect, REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(syevr("V", -1, 1, 0, 0, 10).defect, REASON_NONE);
	cr_expect_eq(syevr("V", NAN, 1, 0, 0, 10).defect, REASON_CPU_ONLY_JOB);
	cr_expect_eq(syevr("V", -INFINITY, 1, 0, 0, 10).defect, REASON_CPU_ONLY_JOB);
}

static enum reason sygv(int itype, int ldb)
{
	struct call call = start(FAMILY_SYGV, ELEMENT_D);
	describe_f77_SYGV(&call, false, I(itype), "N", "U", I(10), a, I(10), b, I(ldb), w, work,
	                  I(29), &info);
	return call.defect;
}

Test(describe_lapack, generalised_problems)
{
	cr_expect(sygv(1, 10) == REASON_NONE && sygv(3, 10) == REASON_NONE);
	cr_expect(sygv(0, 10) == REASON_ILLEGAL_ARGUMENT && sygv(4, 10) == REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(sygv(1, 9), REASON_ILLEGAL_ARGUMENT);
}

static enum reason gesdd(const char *job, int m, int n, int ldu, int ldvt, int lwork)
{
	struct call call = start(FAMILY_GESDD, ELEMENT_D);
	describe_f77_GESDD(&call, false, job, I(m), I(n), a, I(m > 0 ? m : 1), w, u, I(ldu), vt,
	                   I(ldvt), work, I(lwork), integers, &info);
	return call.defect;
}

Test(describe_lapack, singular_values)
{
	cr_expect_eq(gesdd("N", 12, 8, 1, 1, 80), REASON_NONE);
	cr_expect_eq(gesdd("N", 12, 8, 1, 1, 79), REASON_SHORT_WORKSPACE);
	cr_expect_eq(gesdd("S", 12, 8, 12, 8, 248), REASON_NONE);
	cr_expect_eq(gesdd("S", 12, 8, 12, 8, 247), REASON_SHORT_WORKSPACE);
	cr_expect_eq(gesdd("A", 12, 8, 12, 8, 248), REASON_NONE);
	cr_expect_eq(gesdd("S", 16, 8, 16, 8, 312), REASON_NONE, "a longer matrix");
	cr_expect_eq(gesdd("S", 16, 8, 16, 8, 311), REASON_SHORT_WORKSPACE);
	cr_expect_eq(gesdd("N", 16, 8, 1, 1, 64), REASON_NONE);
	cr_expect_eq(gesdd("N", 16, 8, 1, 1, 63), REASON_SHORT_WORKSPACE);
	cr_expect_eq(gesdd("S", 12, 8, 11, 8, 999), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesdd("S", 8, 12, 8, 8, 999), REASON_NONE);
	cr_expect_eq(gesdd("A", 8, 12, 8, 11, 999), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesdd("O", 12, 8, 1, 8, 999), REASON_CPU_ONLY_JOB);
	cr_expect_eq(gesdd("O", 12, 8, 1, 7, 999), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesdd("O", 8, 12, 7, 1, 999), REASON_ILLEGAL_ARGUMENT);
	cr_expect_eq(gesdd("V", 12, 8, 12, 8, 999), REASON_ILLEGAL_ARGUMENT);
}

/* What LAPACK asks for, where there is nothing to compute. */
Test(describe_lapack, a_workspace_of_one)
{
	cr_expect_eq(gesdd("A", 0, 8, 1, 8, 1), REASON_QUICK_RETURN);
	cr_expect_eq(gesdd("S", 8, 0, 8, 1, 1), REASON_QUICK_RETURN);
	cr_expect_eq(gesdd("S", 8, 0, 8, 1, 0), REASON_SHORT_WORKSPACE);
	cr_expect_eq(gesdd("S", 8, 1, 8, 1, 1), REASON_SHORT_WORKSPACE);
	struct call call = start(FAMILY_GEQRF, ELEMENT_D);
	describe_f77_GEQRF(&call, false, I(0), I(8), a, I(1), w, work, I(1), &info);
	cr_expect_eq(call.defect, REASON_QUICK_RETURN, "LAPACK 3.12 asks for 1");
	describe_f77_GEQRF(&call, false, I(8), I(8), a, I(8), w, work, I(1), &info);
	cr_expect_eq(call.defect, REASON_SHORT_WORKSPACE);
	static const double none = 0;
	call = start(FAMILY_SYEVR, ELEMENT_D);
	describe_f77_SYEVR(&call, false, "V", "A", "L", I(1), a, I(1), &none, &none, I(0), I(0),
	                   &none, integers + 100, w, u, I(1), integers, work, I(1), integers + 128,
	                   I(1), &info);
	cr_expect_eq(call.defect, REASON_QUICK_RETURN, "LAPACK 3.12 asks for 1");
}

static enum reason gesvd(const char *jobs)
{
	struct call call = start(FAMILY_GESVD, ELEMENT_C);
	describe_f77_GESVD_C(&call, false, jobs, jobs + 1, I(12), I(8), a, I(12), w, u, I(12), vt,
	                     I(8), work, I(28), w + 100, &info);
	return call.defect;
}

Test(describe_lapack, singular_values_by_two_jobs)
{
	cr_expect(gesvd("AS") == REASON_NONE && gesvd("NN") == REASON_NONE);
	cr_expect(gesvd("ON") == REASON_CPU_ONLY_JOB && gesvd("SO") == REASON_CPU_ONLY_JOB);
	cr_expect_eq(gesvd("OO"), REASON_ILLEGAL_ARGUMENT);
}

static struct call geev(const char *jobs, int lwork)
{
	struct call call = start(FAMILY_GEEV, ELEMENT_D);
	describe_f77_GEEV(&call, false, jobs, jobs + 1, I(8), a, I(8), w, w + 20, u, I(8), vt, I(8),
	                  work, I(lwork), &info);
	return call;
}

Test(describe_lapack, general_eigenvalues)
{
	cr_expect_eq(geev("NV", 32).defect, REASON_NONE);
	cr_expect_eq(geev("NV", 31).defect, REASON_SHORT_WORKSPACE);
	cr_expect_eq(geev("NN", 24).defect, REASON_NONE);
	cr_expect_eq(geev("VN", 32).defect, REASON_CPU_ONLY_JOB);
	cr_expect_eq(geev("NV", 32).output_bytes, 64 * 8 + 2 * 8 * 8 + 4);
}

static enum reason gels(const char *trans, int m, int n, int lwork)
{
	struct call call = start(FAMILY_GELS, ELEMENT_D);
	describe_f77_GELS(&call, false, trans, I(m), I(n), I(3), a, I(m), b, I(m > n ? m : n), work,
	                  I(lwork), &info);
	return call.defect;
}

Test(describe_lapack, least_squares)
{
	cr_expect_eq(gels("N", 12, 8, 16), REASON_NONE);
	cr_expect_eq(gels("N", 12, 8, 15), REASON_SHORT_WORKSPACE);
	cr_expect_eq(gels("T", 12, 8, 16), REASON_NONE);
	cr_expect_eq(gels("N", 8, 12, 16), REASON_CPU_ONLY_JOB);
	cr_expect_eq(gels("T", 8, 12, 16), REASON_CPU_ONLY_JOB);
	cr_expect_eq(gels("C", 12, 8, 16), REASON_ILLEGAL_ARGUMENT);
}

/* Lengths that are no arguments are those of the documentation, so that overlap is found. */
Test(describe_lapack, work_arrays_without_a_length)
{
	struct call call = start(FAMILY_HEEV, ELEMENT_Z);
	describe_f77_HEEV(&call, false, "V", "U", I(10), a, I(10), w, work, I(19), work + 38,
	                  &info);
	cr_expect(call.defect == REASON_NONE && call.lapack.lrwork == 28);
	describe_f77_HEEV(&call, false, "V", "U", I(10), a, I(10), w, work, I(19), w - 27, &info);
	cr_expect_eq(call.defect, REASON_OVERLAP);
}
