/* sim_gemm.c - a cache-blocked matrix product for the four elements, from one template */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_gemm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * A block of A (BLOCK_M x BLOCK_K) fits into the second-level cache, a block of B into the third.
 */
enum {
	BLOCK_M = 96,
	BLOCK_K = 256,
	BLOCK_N = 1024,
	TILE_N = 4,
	VECTOR_BYTES = 32,
	TILE_VECTORS = 2
};

#if defined(__x86_64__)
#define WIDE_TARGET __attribute__((target("avx2,fma")))
#define wide_is_supported() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define WIDE_TARGET
#define wide_is_supported() 0
#endif

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t round_up(size_t value, size_t step)
{
	return (value + step - 1) / step * step;
}

/*
 * Rounds to `digits` explicit mantissa bits (0: all), to nearest with ties away. NaN and infinity
 * are unchanged.
 */
static float round_single(float value, int digits)
{
	uint32_t bits, unit = 1u << (23 - digits);
	if (digits == 0)
		return value;
	memcpy(&bits, &value, sizeof bits);
	if ((bits & 0x7f800000u) != 0x7f800000u)
		bits = (bits + unit / 2) & ~(unit - 1);
	memcpy(&value, &bits, sizeof bits);
	return value;
}

static double round_double(double value, int digits)
{
	const uint64_t exponent = UINT64_C(0x7ff) << 52, unit = UINT64_C(1) << (52 - digits);
	uint64_t bits;
	if (digits == 0)
		return value;
	memcpy(&bits, &value, sizeof bits);
	if ((bits & exponent) != exponent)
		bits = (bits + unit / 2) & ~(unit - 1);
	memcpy(&value, &bits, sizeof bits);
	return value;
}

#define REAL float
#define PARTS 1
#define NAME(x) x##_s
#define ROUND(value, digits) round_single(value, digits)
#include "sim_gemm_template.h"

#define REAL double
#define PARTS 1
#define NAME(x) x##_d
#define ROUND(value, digits) round_double(value, digits)
#include "sim_gemm_template.h"

#define REAL float
#define PARTS 2
#define NAME(x) x##_c
#define ROUND(value, digits) round_single(value, digits)
#include "sim_gemm_template.h"

#define REAL double
#define PARTS 2
#define NAME(x) x##_z
#define ROUND(value, digits) round_double(value, digits)
#include "sim_gemm_template.h"

bool sim_gemm_compute(const struct sim_gemm *gemm)
{
	switch (gemm->element) {
	case 'S': return gemm_s(gemm);
	case 'D': return gemm_d(gemm);
	case 'C': return gemm_c(gemm);
	default: return gemm_z(gemm);
	}
}
