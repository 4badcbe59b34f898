/* random.h - numbers that depend on their index alone, made by several threads */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_RANDOM_H
#define GPUSHIM_MEASURE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64 bits that depend on seed and index alone. */
static inline uint64_t random_bits(uint64_t seed, uint64_t index)
{
	uint64_t x =
		(index + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0xd1342543de82ef95);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/* Between -0.5 and 0.5. */
static inline double random_number(uint64_t seed, uint64_t index)
{
	return (double)(random_bits(seed, index) >> 11) * 0x1p-53 - 0.5;
}

/*
 * array[i] := random_number(seed, first + i) for count numbers, float where is_single, else double.
 */
void random_fill(void *array, size_t count, bool is_single, uint64_t seed, uint64_t first);

/*
 * A fingerprint of an array of numbers: sums of all of them with signs drawn by index, and the sum
 * of squares.
 */
enum { RANDOM_SUMS = 4 };
struct random_print {
	double sum[RANDOM_SUMS], squares;
};

/*
 * The fingerprint of a matrix of rows x columns numbers, ld apart; of its lower triangle only where
 * is_lower.
 */
struct random_print random_take_print(const void *array, int64_t rows, int64_t columns, int64_t ld,
                                      bool is_single, bool is_lower);

/*
 * The largest difference of the sums, relative to the length of the second array as a vector. NaN
 * where a number is not finite.
 */
double random_distance(const struct random_print *one, const struct random_print *other);

/*
 * Runs work(context, begin, end) on parts of 0..count, on as many threads as there are processors,
 * at most 16.
 */
void random_share(int64_t count, void (*work)(void *context, int64_t begin, int64_t end),
                  void *context);

#endif
