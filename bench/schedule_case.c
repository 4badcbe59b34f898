/* schedule_case.c - the calls whose schedules are timed, and the bars that they have to keep */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/schedule_case.h"

#define CASE_GEMM(m, n, k) "routine=gemm", "element=D", "m=" #m, "n=" #n, "k=" #k
#define CASE_SYRK(n, k) "routine=syrk", "element=D", "uplo=L", "m=" #n, "n=" #n, "k=" #k
#define CASE_SQUARE(routine, m, n) "routine=" routine, "element=D", "side=L", "uplo=L", "m=" #m, "n=" #n, "k=" #m
#define CASE_RIGHT(routine, m, n) "routine=" routine, "element=D", "side=R", "uplo=U", "m=" #m, "n=" #n, "k=" #n
#define CASE_FFT(n, howmany) "routine=fft", "element=Z", "n=" #n, "howmany=" #howmany

const struct schedule_case schedule_cases[] = {
	{"dgemm 2k", 1.29, false, true, {CASE_GEMM(2000, 2000, 2000)}},
	{"dgemm 4k", 1.18, false, true, {CASE_GEMM(4000, 4000, 4000)}},
	{"dgemm 8k", 1.33, false, true, {CASE_GEMM(8000, 8000, 8000)}},
	{"dgemm 10k", 1.17, false, true, {CASE_GEMM(10000, 10000, 10000)}},
	{"dgemm 20k", 1.08, false, false, {CASE_GEMM(20000, 20000, 20000)}},
	{"dgemm 40k", 1.05, false, false, {CASE_GEMM(40000, 40000, 40000)}},
	{"dgemm 200k x 2k x 2k", 1.04, false, false, {CASE_GEMM(200000, 2000, 2000)}},
	{"dgemm 2k x 200k x 2k", 1.04, false, false, {CASE_GEMM(2000, 200000, 2000)}},
	{"dgemm 20k x 20k x 512", 1.04, false, false, {CASE_GEMM(20000, 20000, 512)}},
	{"dgemm 2k x 2k x 200k", 1.04, false, false, {CASE_GEMM(2000, 2000, 200000)}},
	{"dgemm 8k, beta", 1.33, false, false, {CASE_GEMM(8000, 8000, 8000), "beta=1"}},
	{"dgemm 10k, beta", 1.17, false, true, {CASE_GEMM(10000, 10000, 10000), "beta=1"}},
	{"dgemm 10k, TN", 1.17, false, false, {CASE_GEMM(10000, 10000, 10000), "transa=T"}},
	{"dgemm 10k, NT", 1.17, false, false, {CASE_GEMM(10000, 10000, 10000), "transb=T"}},
	{"dgemm 10k, TT", 1.17, false, false, {CASE_GEMM(10000, 10000, 10000), "transa=T", "transb=T"}},
	{"dgemm 9999 x 7777 x 5555", 0, false, true, {CASE_GEMM(9999, 7777, 5555)}},
	{"dgemm 20k, 64 MB", 0, false, false, {CASE_GEMM(20000, 20000, 20000), "memory_mb=64"}},
	{"dgemm 20k, 512 MB", 0, false, false, {CASE_GEMM(20000, 20000, 20000), "memory_mb=512"}},
	{"dgemm 20k, 2 GB", 0, false, false, {CASE_GEMM(20000, 20000, 20000), "memory_mb=2000"}},
	{"dgemm 10k x 10k x 40k, 64 MB", 0, false, false, {CASE_GEMM(10000, 10000, 40000), "memory_mb=64"}},
	{"dgemm 10k x 10k x 40k, 512 MB", 0, false, true, {CASE_GEMM(10000, 10000, 40000), "memory_mb=512"}},
	{"dgemm 10k x 10k x 40k, 2 GB", 0, false, false, {CASE_GEMM(10000, 10000, 40000), "memory_mb=2000"}},
	{"dsyrk 10k", 1.288, true, true, {CASE_SYRK(10000, 10000)}},
	{"dsyrk 20k", 1.106, true, false, {CASE_SYRK(20000, 20000)}},
	{"dsymm 10k", 1.199, true, true, {CASE_SQUARE("symm", 10000, 10000)}},
	{"dsymm 20k", 1.076, true, false, {CASE_SQUARE("symm", 20000, 20000)}},
	{"dtrsm 10k", 1.219, true, true, {CASE_SQUARE("trsm", 10000, 10000)}},
	{"dtrsm 20k", 1.127, true, false, {CASE_SQUARE("trsm", 20000, 20000)}},
	{"dtrmm 10k", 1.249, true, true, {CASE_SQUARE("trmm", 10000, 10000)}},
	{"dtrmm 20k", 1.122, true, false, {CASE_SQUARE("trmm", 20000, 20000)}},
	{"dsymm 10k, right, beta", 0, false, false, {CASE_RIGHT("symm", 10000, 10000), "beta=1"}},
	{"dtrsm 10k, right", 0, false, false, {CASE_RIGHT("trsm", 10000, 10000)}},
	{"dtrmm 10k x 2k, right, T", 0, false, false, {CASE_RIGHT("trmm", 10000, 2000), "transa=T"}},
	{"dtrsm 10k x 500", 0, false, false, {CASE_SQUARE("trsm", 10000, 500)}},
	{"dsyrk 10k, T", 0, false, false, {CASE_SYRK(10000, 10000), "transa=T"}},
	{"dsyrk 20k, 512 MB", 0, false, false, {CASE_SYRK(20000, 20000), "memory_mb=512"}},
	{"dsymm 20k, 512 MB", 0, false, false, {CASE_SQUARE("symm", 20000, 20000), "memory_mb=512"}},
	{"dtrsm 20k, 512 MB", 0, false, false, {CASE_SQUARE("trsm", 20000, 20000), "memory_mb=512"}},
	{"dtrmm 20k, 512 MB", 0, false, false, {CASE_SQUARE("trmm", 20000, 20000), "memory_mb=512"}},
	{"dsyr2k 10k", 0, false, false, {"routine=syr2k", "element=D", "uplo=L", "m=10000", "n=10000", "k=10000"}},
	{"zgemm 5k", 0, false, false, {"routine=gemm", "element=Z", "m=5000", "n=5000", "k=5000"}},
	{"fft 2^20 x 1000", 1.10, false, false, {CASE_FFT(1048576, 1000)}},
	{"fft 2^20 x 100, in place", 1.10, false, true, {CASE_FFT(1048576, 100), "in_place=1"}},
	{"fft 2^10 x 10^6", 1.10, false, true, {CASE_FFT(1024, 1000000)}},
	{"fft 2^10 x 10^5, in place", 1.10, false, false, {CASE_FFT(1024, 100000), "in_place=1"}},
};

const size_t schedule_case_count = sizeof schedule_cases / sizeof schedule_cases[0];
