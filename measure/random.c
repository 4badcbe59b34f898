/* random.c - numbers that depend on their index alone, made by several threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/random.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 16 };

struct share {
	void (*work)(void *context, int64_t begin, int64_t end);
	void *context;
	int64_t begin, end;
};

static void *random_share_run(void *argument)
{
	const struct share *share = argument;
	share->work(share->context, share->begin, share->end);
	return NULL;
}

void random_share(int64_t count, void (*work)(void *context, int64_t begin, int64_t end),
                  void *context)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const int threads = processors < 1             ? 1
	                    : processors > THREADS_MAX ? THREADS_MAX
	                                               : (int)processors;
	struct share share[THREADS_MAX];
	pthread_t thread[THREADS_MAX];
	for (int i = 0; i < threads; i++) {
		share[i] = (struct share){work, context, count * i / threads,
		                          count * (i + 1) / threads};
		if (pthread_create(&thread[i], NULL, random_share_run, &share[i]) != 0) {
			fprintf(stderr, "bench: no thread\n");
			exit(1);
		}
	}
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

struct fill {
	void *array;
	bool is_single;
	uint64_t seed, first;
};

static void random_fill_part(void *context, int64_t begin, int64_t end)
{
	const struct fill *fill = context;
	float *single = fill->array;
	double *two = fill->array;
	for (int64_t i = begin; i < end; i++) {
		const double number = random_number(fill->seed, fill->first + (uint64_t)i);
		if (fill->is_single)
			single[i] = (float)number;
		else
			two[i] = number;
	}
}

void random_fill(void *array, size_t count, bool is_single, uint64_t seed, uint64_t first)
{
	struct fill fill = {array, is_single, seed, first};
	random_share((int64_t)count, random_fill_part, &fill);
}

struct random_sums {
	const void *array;
	int64_t rows, ld;
	bool is_single, is_lower;
	pthread_mutex_t lock;
	struct random_print total;
};

static double random_print_load(const struct random_sums *print, int64_t at)
{
	return print->is_single ? (double)((const float *)print->array)[at]
	                        : ((const double *)print->array)[at];
}

static void random_print_part(void *context, int64_t begin, int64_t end)
{
	struct random_sums *print = context;
	struct random_print part = {.squares = 0};
	for (int64_t column = begin; column < end; column++)
		for (int64_t row = print->is_lower ? column : 0; row < print->rows; row++) {
			const double number = random_print_load(print, column * print->ld + row);
			const uint64_t bits =
				random_bits(1, (uint64_t)(column * print->rows + row));
			for (int i = 0; i < RANDOM_SUMS; i++)
				part.sum[i] += (bits >> i & 1) != 0 ? number : -number;
			part.squares += number * number;
		}
	pthread_mutex_lock(&print->lock);
	for (int i = 0; i < RANDOM_SUMS; i++)
		print->total.sum[i] += part.sum[i];
	print->total.squares += part.squares;
	pthread_mutex_unlock(&print->lock);
}

struct random_print random_take_print(const void *array, int64_t rows, int64_t columns, int64_t ld,
                                      bool is_single, bool is_lower)
{
	struct random_sums print = {
		array, rows, ld, is_single, is_lower, PTHREAD_MUTEX_INITIALIZER, {.squares = 0}};
	random_share(columns, random_print_part, &print);
	return print.total;
}

double random_distance(const struct random_print *one, const struct random_print *other)
{
	double most = fabs(one->squares - other->squares) / (one->squares + other->squares);
	for (int i = 0; i < RANDOM_SUMS; i++) {
		const double apart = fabs(one->sum[i] - other->sum[i]) / sqrt(other->squares);
		most = apart > most ? apart : most;
	}
	/* The sum of squares is not finite where one number is not. */
	return isfinite(one->squares) && isfinite(other->squares) ? most : NAN;
}
