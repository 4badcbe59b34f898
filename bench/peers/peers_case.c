/* peers_case.c - the cases of bench/peers: routine, sizes, and the bound of their time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_case.h"

#include <math.h>

#define GEMM(letter, m, n, k, beta) PEERS_GEMM, ELEMENT_##letter, m, n, k, beta, 0, {0}, 0, false
#define FFT(letter, rank, x, y, z, batch, in_place)                                                \
	PEERS_FFT, ELEMENT_##letter, 0, 0, 0, 0, rank, {x, y, z}, batch, in_place

#define SYRK(letter, n, k) PEERS_SYRK, ELEMENT_##letter, n, n, k, 0, 0, {0}, 0, false
#define TRSM(letter, m, n) PEERS_TRSM, ELEMENT_##letter, m, n, m, 0, 0, {0}, 0, false
#define SQUARE(letter, n) GEMM(letter, n, n, n, 0)

static const struct peers_case real_cases[] = {
	{"goals", "dgemm 10000", SQUARE(D, 10000)},
	{"goals", "fft z2z 512^3", FFT(Z, 3, 512, 512, 512, 1, false)},
	{"goals", "fft z2z 2^26", FFT(Z, 1, 1 << 26, 1, 1, 1, false)},
	{"goals", "fft z2z 512^3 in place", FFT(Z, 3, 512, 512, 512, 1, true)},
	{"products", "dgemm 4000", SQUARE(D, 4000)},
	{"products", "dgemm 2000", SQUARE(D, 2000)},
	{"products", "dgemm 20000", SQUARE(D, 20000)},
	{"products", "sgemm 8000", SQUARE(S, 8000)},
	{"products", "zgemm 8000", SQUARE(Z, 8000)},
	{"products", "dgemm 10000 beta 1", GEMM(D, 10000, 10000, 10000, 1)},
	{"others", "dsyrk 10000", SYRK(D, 10000, 10000)},
	{"others", "dtrsm 10000", TRSM(D, 10000, 10000)},
	{"others", "fft z2z 4096 x 16384", FFT(Z, 1, 4096, 1, 1, 16384, false)},
	{"others", "fft c2c 2^26 in place", FFT(C, 1, 1 << 26, 1, 1, 1, true)},
	{"others", "dgemm 200000x2000x2000", GEMM(D, 200000, 2000, 2000, 0)},
	{"others", "dgemm 2000x2000x200000", GEMM(D, 2000, 2000, 200000, 0)},
	{"others", "dgemm 20000x20000x512", GEMM(D, 20000, 20000, 512, 0)},
	{"break-even", "dgemm 256", SQUARE(D, 256)},
	{"break-even", "dgemm 512", SQUARE(D, 512)},
	{"break-even", "dgemm 1000", SQUARE(D, 1000)},
	{"break-even", "dgemm 1500", SQUARE(D, 1500)},
	{"break-even", "dgemm 384", SQUARE(D, 384)},
	{"break-even", "dgemm 768", SQUARE(D, 768)},
	{"break-even", "sgemm 256", SQUARE(S, 256)},
	{"break-even", "sgemm 512", SQUARE(S, 512)},
	{"break-even", "sgemm 1000", SQUARE(S, 1000)},
	{"break-even", "sgemm 1500", SQUARE(S, 1500)},
	{"break-even", "zgemm 256", SQUARE(Z, 256)},
	{"break-even", "zgemm 512", SQUARE(Z, 512)},
	{"break-even", "zgemm 1000", SQUARE(Z, 1000)},
	{"break-even", "fft z2z 2^14", FFT(Z, 1, 1 << 14, 1, 1, 1, false)},
	{"break-even", "fft z2z 2^18", FFT(Z, 1, 1 << 18, 1, 1, 1, false)},
	{"break-even", "fft z2z 128^3", FFT(Z, 3, 128, 128, 128, 1, false)},
};

static const struct peers_case quick_cases[] = {
	{"goals", "dgemm 96", SQUARE(D, 96)},
	{"goals", "fft z2z 16^3", FFT(Z, 3, 16, 16, 16, 1, false)},
	{"products", "sgemm 200x40x30 beta 1", GEMM(S, 200, 40, 30, 1)},
	{"products", "zgemm 50", SQUARE(Z, 50)},
	{"products", "cgemm 50", SQUARE(C, 50)},
	{"others", "dsyrk 90", SYRK(D, 90, 60)},
	{"others", "strsm 70", TRSM(S, 70, 50)},
	{"others", "fft z2z 16^3 in place", FFT(Z, 3, 16, 16, 16, 1, true)},
	{"break-even", "fft c2c 64 x 32", FFT(C, 1, 64, 1, 1, 32, false)},
};

const struct peers_case *peers_case_list(bool quick, size_t *count)
{
	*count = quick ? sizeof quick_cases / sizeof quick_cases[0]
	               : sizeof real_cases / sizeof real_cases[0];
	return quick ? quick_cases : real_cases;
}

bool peers_case_is_single(const struct peers_case *run)
{
	return run->element == ELEMENT_S || run->element == ELEMENT_C;
}

size_t peers_case_element_bytes(const struct peers_case *run)
{
	return element_size_bytes(run->element);
}

static int64_t peers_case_points_of(const struct peers_case *run)
{
	int64_t points = 1;
	for (int i = 0; i < run->rank; i++)
		points *= run->length[i];
	return points;
}

int64_t peers_case_elements(const struct peers_case *run, int operand)
{
	const int64_t points = peers_case_points_of(run) * run->batch;
	const int64_t of[][PEERS_OPERANDS] = {
		[PEERS_GEMM] = {run->m * run->k, run->k * run->n, run->m * run->n},
		[PEERS_SYRK] = {run->n * run->k, 0, run->n * run->n},
		[PEERS_TRSM] = {run->m * run->m, 0, run->m * run->n},
		[PEERS_FFT] = {points, 0, run->in_place ? 0 : points},
	};
	return of[run->routine][operand];
}

double peers_case_bytes(const struct peers_case *run)
{
	double elements = 0;
	for (int i = 0; i < PEERS_OPERANDS; i++)
		elements += (double)peers_case_elements(run, i);
	return elements * (double)peers_case_element_bytes(run);
}

double peers_case_up_bytes(const struct peers_case *run)
{
	const double m = (double)run->m, n = (double)run->n, k = (double)run->k;
	const double of[] = {
		[PEERS_GEMM] = m * k + k * n,
		[PEERS_SYRK] = n * k,
		[PEERS_TRSM] = m * (m + 1) / 2 + m * n,
		[PEERS_FFT] = (double)(peers_case_points_of(run) * run->batch),
	};
	return of[run->routine] * (double)peers_case_element_bytes(run);
}

double peers_case_down_bytes(const struct peers_case *run)
{
	const double m = (double)run->m, n = (double)run->n;
	const double of[] = {
		[PEERS_GEMM] = m * n,
		[PEERS_SYRK] = n * (n + 1) / 2,
		[PEERS_TRSM] = m * n,
		[PEERS_FFT] = (double)(peers_case_points_of(run) * run->batch),
	};
	return of[run->routine] * (double)peers_case_element_bytes(run);
}

double peers_case_flops(const struct peers_case *run)
{
	const double m = (double)run->m, n = (double)run->n, k = (double)run->k,
		     points = (double)peers_case_points_of(run);
	const double of[] = {
		[PEERS_GEMM] = 2 * m * n * k,
		[PEERS_SYRK] = n * (n + 1) * k,
		[PEERS_TRSM] = m * m * n,
		[PEERS_FFT] = 5 * points * log2(points) * run->batch,
	};
	return of[run->routine] *
	       (run->routine != PEERS_FFT && element_is_complex(run->element) ? 4 : 1);
}

double peers_case_bound_ns(const struct peers_case *run, const struct machine *machine)
{
	const double up = peers_case_up_bytes(run) / (machine->link_up_pinned_bytes > 0
	                                                      ? machine->link_up_pinned_bytes
	                                                      : machine->link_up_bytes);
	const double down = peers_case_down_bytes(run) / (machine->link_down_pinned_bytes > 0
	                                                          ? machine->link_down_pinned_bytes
	                                                          : machine->link_down_bytes);
	const double rate = machine->gpu_gemm_flops[run->element];
	if (run->routine == PEERS_FFT)
		return 1e9 * (run->batch == 1 ? up + down : fmax(up, down));
	return 1e9 * fmax(fmax(up, down), rate > 0 ? peers_case_flops(run) / rate : 0);
}
