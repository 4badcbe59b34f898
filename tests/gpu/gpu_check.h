/* gpu_check.h - what the tests of the GPU room share: expectations, a started session, random numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CHECK_H
#define GPUSHIM_TESTS_GPU_GPU_CHECK_H

#include <complex.h>
#include <stdint.h>
#include <stdio.h>

#include "policy/call/call.h"
#include "policy/decide/decide.h"
#include "policy/options/options.h"
#include "tests/driver/c11_complex.h"

enum { GPU_CHECK_SKIPPED = 77 };

/* Counts a failure and prints where it was and the words that follow. */
#define EXPECT(condition, ...)                                                                     \
	gpu_check_expect((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)
void gpu_check_expect(bool holds, const char *file, int line, const char *text, const char *format,
                      ...) __attribute__((format(printf, 5, 6)));

/* The exit status: 0 if every expectation held. Prints one line. */
int gpu_check_end(const char *name);

/* Default options, warmup = wait, cuda_path from EPOCHLY_GPU_CUDA_PATH; the session knows them. */
struct options *gpu_check_configure(uint64_t memory_limit);

/*
 * Configures and wakes the session. Ends the program as skipped where there is no GPU. The device.
 */
int gpu_check_start(uint64_t memory_limit);
int gpu_check_start_configured(void);

struct situation gpu_check_situation(void);

/*
 * Whether the CUDA in use is the simulated one, and how often one of its functions was called (0 on
 * a real one).
 */
bool gpu_check_is_simulated(void);
unsigned long gpu_check_count(const char *function);

/*
 * A function of the CUDA runtime in use, as a program would find it; NULL where it has none of that
 * name.
 */
void (*gpu_check_function(const char *name))(void);

/* The same sequence in each run. Between -1 and 1. */
double gpu_check_random(void);

/*
 * Element number index of an array that need not be aligned; real elements have no imaginary part.
 */
double complex gpu_check_load(const void *array, int64_t index, enum element element, bool real);
void gpu_check_store(void *array, int64_t index, enum element element, bool real,
                     double complex value);

/*
 * A gemm of these sizes on memory of its own, run once and compared with sums in long double; the
 * reason.
 */
struct gpu_check_gemm {
	enum element element;
	enum transpose transa, transb;
	int64_t m, n, k, gap; /* gap: rows between the columns of each matrix */
	double complex alpha, beta;
	int offset_bytes; /* of each matrix from an aligned address */
	bool same;        /* B is A */
};
enum reason gpu_check_run_gemm(const struct gpu_check_gemm *wanted, int device);

/*
 * A transform on memory of its own, run once and compared with sums in long double; the reason. key
 * may be NULL.
 */
enum reason gpu_check_run_problem(const struct fft_problem *problem, int offset_bytes, void *key,
                                  int device);

/* The same with arrays in one of a few orders. */
struct gpu_check_fft {
	enum family family;
	enum element element;
	int rank;
	int64_t n[FFT_RANK_MAX], howmany;
	int sign;
	bool in_place;
	enum gpu_check_order {
		ORDER_TIGHT,
		ORDER_STRIDED,
		ORDER_INTERLEAVED,
		ORDER_PADDED,
		ORDER_REVERSED
	} order;
	int offset_bytes;
	void *key;
};
enum reason gpu_check_run_fft(const struct gpu_check_fft *wanted, int device);

#endif
