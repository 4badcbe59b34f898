/* schedule_cases.c - the calls whose schedules are timed, and the hosts that copy for them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_cases.h"

#include <stdio.h>

#define GEMM(m, n, k) "routine=gemm", "element=D", "m=" #m, "n=" #n, "k=" #k
#define SYRK(n, k) "routine=syrk", "element=D", "uplo=L", "m=" #n, "n=" #n, "k=" #k
#define LEFT(routine, m, n)                                                                        \
	"routine=" routine, "element=D", "side=L", "uplo=L", "m=" #m, "n=" #n, "k=" #m
#define RIGHT(routine, m, n)                                                                       \
	"routine=" routine, "element=D", "side=R", "uplo=U", "m=" #m, "n=" #n, "k=" #n
#define LU(n) "routine=getrf", "element=D", "m=" #n, "n=" #n
#define CHOLESKY(n) "routine=potrf", "element=D", "uplo=L", "m=" #n, "n=" #n
#define FFT(n, howmany) "routine=fft", "element=Z", "n=" #n, "howmany=" #howmany

static const struct schedule_case cases[] = {
	{"dgemm 2k", 1.24, CASE_QUICK, {GEMM(2000, 2000, 2000)}},
	{"dgemm 4k", 1.13, CASE_QUICK, {GEMM(4000, 4000, 4000)}},
	{"dgemm 8k", 1.27, CASE_QUICK, {GEMM(8000, 8000, 8000)}},
	{"dgemm 10k", 1.14, CASE_QUICK, {GEMM(10000, 10000, 10000)}},
	{"dgemm 20k", 1.06, 0, {GEMM(20000, 20000, 20000)}},
	{"dgemm 40k", 1.03, 0, {GEMM(40000, 40000, 40000)}},
	{"dgemm 200k x 2k x 2k", 1.04, 0, {GEMM(200000, 2000, 2000)}},
	{"dgemm 2k x 200k x 2k", 1.04, 0, {GEMM(2000, 200000, 2000)}},
	{"dgemm 20k x 20k x 512", 1.04, 0, {GEMM(20000, 20000, 512)}},
	{"dgemm 2k x 2k x 200k", 1.04, 0, {GEMM(2000, 2000, 200000)}},
	{"dgemm 8k, beta", 1.27, 0, {GEMM(8000, 8000, 8000), "beta=1"}},
	{"dgemm 10k, beta", 1.14, CASE_QUICK, {GEMM(10000, 10000, 10000), "beta=1"}},
	{"dgemm 10k, TN", 1.14, 0, {GEMM(10000, 10000, 10000), "transa=T"}},
	{"dgemm 10k, NT", 1.14, 0, {GEMM(10000, 10000, 10000), "transb=T"}},
	{"dgemm 10k, TT", 1.14, 0, {GEMM(10000, 10000, 10000), "transa=T", "transb=T"}},
	{"dgemm 9999 x 7777 x 5555", 0, CASE_QUICK, {GEMM(9999, 7777, 5555)}},
	{"dgemm 20k, 64 MB", 0, 0, {GEMM(20000, 20000, 20000), "memory_mb=64"}},
	{"dgemm 20k, 512 MB", 0, 0, {GEMM(20000, 20000, 20000), "memory_mb=512"}},
	{"dgemm 20k, 2 GB", 0, 0, {GEMM(20000, 20000, 20000), "memory_mb=2000"}},
	{"dgemm 10k x 10k x 40k, 64 MB", 0, 0, {GEMM(10000, 10000, 40000), "memory_mb=64"}},
	{"dgemm 10k x 10k x 40k, 512 MB",
         0,
         CASE_QUICK,
         {GEMM(10000, 10000, 40000), "memory_mb=512"}},
	{"dgemm 10k x 10k x 40k, 2 GB", 0, 0, {GEMM(10000, 10000, 40000), "memory_mb=2000"}},
	{"dsyrk 10k", 1.288, CASE_SEARCHED | CASE_QUICK, {SYRK(10000, 10000)}},
	{"dsyrk 20k", 1.106, CASE_SEARCHED, {SYRK(20000, 20000)}},
	{"dsymm 10k", 1.199, CASE_SEARCHED | CASE_QUICK, {LEFT("symm", 10000, 10000)}},
	{"dsymm 20k", 1.076, CASE_SEARCHED, {LEFT("symm", 20000, 20000)}},
	{"dtrsm 10k", 1.219, CASE_SEARCHED | CASE_QUICK, {LEFT("trsm", 10000, 10000)}},
	{"dtrsm 20k", 1.127, CASE_SEARCHED, {LEFT("trsm", 20000, 20000)}},
	{"dtrmm 10k", 1.249, CASE_SEARCHED | CASE_QUICK, {LEFT("trmm", 10000, 10000)}},
	{"dtrmm 20k", 1.122, CASE_SEARCHED, {LEFT("trmm", 20000, 20000)}},
	{"dsymm 10k, right, beta", 0, 0, {RIGHT("symm", 10000, 10000), "beta=1"}},
	{"dtrsm 10k, right", 0, 0, {RIGHT("trsm", 10000, 10000)}},
	{"dtrmm 10k x 2k, right, T", 0, 0, {RIGHT("trmm", 10000, 2000), "transa=T"}},
	{"dtrsm 10k x 500", 0, 0, {LEFT("trsm", 10000, 500)}},
	{"dsyrk 10k, T", 0, 0, {SYRK(10000, 10000), "transa=T"}},
	{"dsyrk 20k, 512 MB", 0, 0, {SYRK(20000, 20000), "memory_mb=512"}},
	{"dsymm 20k, 512 MB", 0, 0, {LEFT("symm", 20000, 20000), "memory_mb=512"}},
	{"dtrsm 20k, 512 MB", 0, 0, {LEFT("trsm", 20000, 20000), "memory_mb=512"}},
	{"dtrmm 20k, 512 MB", 0, 0, {LEFT("trmm", 20000, 20000), "memory_mb=512"}},
	{"dsyr2k 10k",
         0,
         0,
         {"routine=syr2k", "element=D", "uplo=L", "m=10000", "n=10000", "k=10000"}},
	{"zgemm 5k", 0, 0, {"routine=gemm", "element=Z", "m=5000", "n=5000", "k=5000"}},
	{"dgetrf 2k", 1.3, CASE_QUICK | CASE_WHOLE, {LU(2000)}},
	{"dgetrf 5k", 1.3, CASE_QUICK | CASE_WHOLE, {LU(5000)}},
	{"dgetrf 10k", 1.3, CASE_QUICK | CASE_WHOLE, {LU(10000)}},
	{"dgetrf 20k", 1.3, CASE_QUICK | CASE_WHOLE, {LU(20000)}},
	{"dgetrf 40k", 1.3, CASE_QUICK | CASE_WHOLE, {LU(40000)}},
	{"dgetrf 40k, 1 GB", 2.0, CASE_QUICK, {LU(40000), "memory_mb=1000"}},
	{"dpotrf 2k", 1.3, CASE_QUICK | CASE_WHOLE, {CHOLESKY(2000)}},
	{"dpotrf 5k", 1.3, CASE_QUICK | CASE_WHOLE, {CHOLESKY(5000)}},
	{"dpotrf 10k", 1.3, CASE_QUICK | CASE_WHOLE, {CHOLESKY(10000)}},
	{"dpotrf 20k", 1.3, CASE_QUICK | CASE_WHOLE, {CHOLESKY(20000)}},
	{"dpotrf 40k", 1.3, CASE_QUICK | CASE_WHOLE, {CHOLESKY(40000)}},
	{"dpotrf 40k, 1 GB", 2.0, CASE_QUICK, {CHOLESKY(40000), "memory_mb=1000"}},
	{"fft 2^20 x 1000", 1.10, 0, {FFT(1048576, 1000)}},
	{"fft 2^20 x 100, in place", 1.10, CASE_QUICK, {FFT(1048576, 100), "in_place=1"}},
	{"fft 2^10 x 10^6", 1.10, CASE_QUICK, {FFT(1024, 1000000)}},
	{"fft 2^10 x 10^5, in place", 1.10, 0, {FFT(1024, 100000), "in_place=1"}},
};

/* -- hosts whose copies take time -- */

/*
 * A host with an L3 of 32 MiB: its words, after the name of what is special about it. The first
 * hosts have eight threads that copy, beside the calling one; on the others the engine chooses
 * their number by the cores.
 */
enum { HOST_WORDS = 4 };
static const struct schedule_host_row {
	const char *name, *words[HOST_WORDS];
} hosts[] = {
	{"8 x 10 GB/s", {"l3_mb=32", "threads=9", "cores=16", "copy_gbytes_s=10"}},
	{"8 x 8 GB/s", {"l3_mb=32", "threads=9", "cores=16", "copy_gbytes_s=8"}},
	{"8 x 16 GB/s", {"l3_mb=32", "threads=9", "cores=16", "copy_gbytes_s=16"}},
	{"32 cores, 10 GB/s", {"l3_mb=32", "cores=32", "copy_gbytes_s=10"}},
	{"8 cores, 10 GB/s", {"l3_mb=32", "cores=8", "copy_gbytes_s=10"}},
	{"4 cores, 10 GB/s", {"l3_mb=32", "cores=4", "copy_gbytes_s=10"}},
};
enum { HOSTS = sizeof hosts / sizeof hosts[0] };

/* bar: by host, as in schedule_case. */
static const struct schedule_hosted {
	const char *name;
	double bar[HOSTS];
	const char *words[CASE_WORDS - HOST_WORDS];
} hosted[] = {
	{"dgemm 2k", {1.47, 1.50, 1.44, 1.45, 1.56, 2.70}, {GEMM(2000, 2000, 2000)}},
	{"dgemm 4k", {1.30, 1.38, 1.29, 1.30, 1.49, 2.70}, {GEMM(4000, 4000, 4000)}},
	{"dgemm 10k", {1.25, 1.32, 1.26, 1.26, 1.36, 2.33}, {GEMM(10000, 10000, 10000)}},
	{"dgemm 10k, beta",
         {1.25, 1.35, 1.26, 1.26, 1.43, 2.51},
         {GEMM(10000, 10000, 10000), "beta=1"}},
	{"dgemm 20k", {1.10, 1.11, 1.11, 1.11, 1.11, 1.34}, {GEMM(20000, 20000, 20000)}},
	{"dsyrk 10k", {1.33, 1.33, 1.33, 1.33, 1.38, 2.41}, {SYRK(10000, 10000)}},
	{"dtrsm 10k", {1.31, 1.43, 1.28, 1.29, 1.60, 3.04}, {LEFT("trsm", 10000, 10000)}},
	{"fft 2^26", {1.15, 1.16, 1.15, 1.16, 1.16, 1.87}, {FFT(67108864, 1)}},
	{"fft 512^3", {1.15, 1.15, 1.15, 1.15, 1.15, 1.87}, {FFT(512, 1), "rank=3"}},
	{"fft 512^3, in place",
         {1.28, 1.41, 1.15, 1.16, 1.52, 2.77},
         {FFT(512, 1), "rank=3", "in_place=1"}},
	{"fft 2^20 x 1000", {1.23, 1.46, 1.14, 1.15, 1.75, 3.46}, {FFT(1048576, 1000)}},
	{"load 2 MiB", {1.667, 1.91, 1.65, 1.58, 2.04, 2.76}, {"routine=load", "m=2048"}},
	{"load 4 MiB", {1.667, 1.57, 1.51, 1.44, 1.88, 2.33}, {"routine=load", "m=4096"}},
	{"load 8 MiB", {1.667, 1.52, 1.34, 1.34, 1.61, 2.18}, {"routine=load", "m=8192"}},
	{"load 16 MiB", {1.667, 1.32, 1.23, 1.22, 1.41, 2.06}, {"routine=load", "m=16384"}},
	{"load 32 MiB", {1.667, 1.27, 1.21, 1.21, 1.28, 2.02}, {"routine=load", "m=32768"}},
	{"store 2 MiB", {1.667, 1.88, 1.61, 1.61, 1.97, 2.84}, {"routine=store", "m=2048"}},
	{"store 4 MiB", {1.667, 1.68, 1.41, 1.41, 1.81, 2.74}, {"routine=store", "m=4096"}},
	{"store 8 MiB", {1.667, 1.43, 1.28, 1.28, 1.52, 2.41}, {"routine=store", "m=8192"}},
	{"store 16 MiB", {1.667, 1.29, 1.22, 1.22, 1.33, 2.15}, {"routine=store", "m=16384"}},
	{"store 32 MiB", {1.667, 1.22, 1.19, 1.19, 1.28, 2.00}, {"routine=store", "m=32768"}},
};
enum { CASES = sizeof cases / sizeof cases[0], HOSTED = sizeof hosted / sizeof hosted[0] };

static void cases_join(const struct schedule_hosted *call, int host, struct schedule_case *one)
{
	int count = 0;
	*one = (struct schedule_case){.bar = call->bar[host], .kinds = host == 0 ? CASE_QUICK : 0};
	snprintf(one->name, sizeof one->name, "%s, %s", call->name, hosts[host].name);
	while (count < CASE_WORDS - HOST_WORDS && call->words[count] != NULL) {
		one->words[count] = call->words[count];
		count++;
	}
	for (int i = 0; i < HOST_WORDS && hosts[host].words[i] != NULL; i++)
		one->words[count++] = hosts[host].words[i];
}

bool schedule_cases_read(size_t number, struct schedule_case *one)
{
	if (number < CASES) {
		*one = cases[number];
		return true;
	}
	const size_t rest = number - CASES;
	if (rest >= (size_t)HOSTED * HOSTS)
		return false;
	cases_join(&hosted[rest % HOSTED], (int)(rest / HOSTED), one);
	return true;
}
