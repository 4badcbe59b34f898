/* gpu_check.h - shared by the tests of the GPU room: expectations, a session, random numbers */
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

/* On a false condition counts a failure, and prints its place and the formatted message. */
#define EXPECT(condition, ...)                                                                     \
	gpu_check_expect((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)
void gpu_check_expect(bool holds, const char *file, int line, const char *text, const char *format,
                      ...) __attribute__((format(printf, 5, 6)));

/* Prints one line. Returns the exit status: 0 if every expectation held. */
int gpu_check_end(const char *name);

/*
 * Default options, warmup = wait, cuda_path from EPOCHLY_GPU_CUDA_PATH. Passes them to the session
 * and returns them.
 */
struct options *gpu_check_configure(uint64_t memory_limit);

/*
 * Configures and starts the session. Ends the program as skipped where there is no GPU. Returns the
 * device.
 */
int gpu_check_start(uint64_t memory_limit);
int gpu_check_start_configured(void);

struct situation gpu_check_situation(void);

/*
 * Whether the CUDA in use is the simulated one; how often one of its functions was called (0 on a
 * real one).
 */
bool gpu_check_is_simulated(void);
unsigned long gpu_check_count(const char *function);

/*
 * Finds a function of the CUDA runtime in use, as a program would. NULL where there is none of that
 * name.
 */
void (*gpu_check_function(const char *name))(void);

/* Between -1 and 1; the same sequence in each run. */
double gpu_check_random(void);

/*
 * Element number `index` of an array that need not be aligned. Real elements have no imaginary
 * part.
 */
double complex gpu_check_load(const void *array, int64_t index, enum element element, bool real);
void gpu_check_store(void *array, int64_t index, enum element element, bool real,
                     double complex value);

/*
 * A gemm of these sizes on memory of its own, run once and compared with sums in long double.
 * Returns the reason.
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

/* C = A B of order n, with columns that follow one another. */
struct call gpu_check_square(enum element element, int64_t n, const void *a, const void *b,
                             void *c);

/*
 * Runs a transform once on memory of its own and compares it with sums in long double. Returns the
 * reason. key may be NULL.
 */
enum reason gpu_check_run_problem(const struct fft_problem *problem, int offset_bytes, void *key,
                                  int device);

/* The same with the arrays in one of the orders of enum gpu_check_order. */
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

/*
 * Whether FFTW is installed, which calls need that are shared (gpu_check_set_share). A transform of
 * such calls: as gpu_fft_run_shared has it.
 */
bool gpu_check_has_fftw(void);
enum reason gpu_check_call_fft(const struct call *call, int device, bool *finished);

#endif
