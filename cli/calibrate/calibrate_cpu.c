/* calibrate_cpu.c - rates of the CPU's BLAS and FFTW by size, for one number of threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "measure/device.h"
#include "measure/measure_fftw.h"
#include "measure/measure_lapack.h"
#include "measure/spread.h"
#include "policy/decide/lapack_cost.h"

enum { CPU_TIMES = 11, CPU_TIMES_LEAST = 2, CPU_SAMPLES_MAX = 64, CPU_MANY_THREADS = 16 };

/*
 * A sample repeats the call until it lasts cpu_sample_seconds. The first call is a sample too if it
 * lasts cpu_long_seconds.
 */
static const double cpu_sample_seconds = 200e-6, cpu_long_seconds = 20e-3;

const struct calibrate_row calibrate_cpu_rows[CALIBRATE_ROWS] = {
	{FAMILY_GEMM, ELEMENT_S, FFT_MEASURED, 0.1, "sgemm"},
	{FAMILY_GEMM, ELEMENT_D, FFT_MEASURED, 0.15, "dgemm"},
	{FAMILY_GEMM, ELEMENT_C, FFT_MEASURED, 0.1, "cgemm"},
	{FAMILY_GEMM, ELEMENT_Z, FFT_MEASURED, 0.11, "zgemm"},
	{FAMILY_SYMM, ELEMENT_D, FFT_MEASURED, 0.04, "dsymm"},
	{FAMILY_SYRK, ELEMENT_D, FFT_MEASURED, 0.04, "dsyrk"},
	{FAMILY_TRMM, ELEMENT_D, FFT_MEASURED, 0.04, "dtrmm"},
	{FAMILY_TRSM, ELEMENT_D, FFT_MEASURED, 0.04, "dtrsm"},
	{FAMILY_GETRF, ELEMENT_D, FFT_MEASURED, 0.04, "dgetrf"},
	{FAMILY_POTRF, ELEMENT_D, FFT_MEASURED, 0.03, "dpotrf"},
	{FAMILY_GEQRF, ELEMENT_D, FFT_MEASURED, 0, "dgeqrf"},
	{FAMILY_SYEVD, ELEMENT_D, FFT_MEASURED, 0.06, "dsyevd"},
	{FAMILY_GESDD, ELEMENT_D, FFT_MEASURED, 0.07, "dgesdd"},
	{FAMILY_GEEV, ELEMENT_D, FFT_MEASURED, 0, "dgeev"},
	{FAMILY_FFT_C2C, ELEMENT_C, FFT_MEASURED, 0.05, "fftwf c2c"},
	{FAMILY_FFT_C2C, ELEMENT_C, FFT_ESTIMATED, 0.04, "fftwf c2c estimate"},
	{FAMILY_FFT_C2C, ELEMENT_Z, FFT_MEASURED, 0.05, "fftw c2c"},
	{FAMILY_FFT_C2C, ELEMENT_Z, FFT_ESTIMATED, 0.04, "fftw c2c estimate"},
};

/* Each library reads its own variable when it is loaded. */
static void calibrate_cpu_set_threads(int threads)
{
	static const char *const variable[] = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
	                                       "OMP_NUM_THREADS",      "MKL_NUM_THREADS",
	                                       "BLIS_NUM_THREADS",     "NVPL_BLAS_NUM_THREADS",
	                                       "ARMPL_NUM_THREADS",    "FLEXIBLAS_NUM_THREADS"};
	char digits[16];
	snprintf(digits, sizeof digits, "%d", threads);
	for (size_t i = 0; i < sizeof variable / sizeof variable[0]; i++)
		setenv(variable[i], digits, 1);
	setenv("OMP_DYNAMIC", "FALSE", 1);
	setenv("MKL_DYNAMIC", "FALSE", 1);
}

double calibrate_count_flops(enum family family, enum element element, double n)
{
	double flops = 2 * n * n * n;
	if (family_is_lapack(family))
		return lapack_cost_count_flops(family, element, n);
	if (family == FAMILY_SYRK)
		flops = n * (n + 1) * n;
	else if (family == FAMILY_TRMM || family == FAMILY_TRSM)
		flops = n * n * n;
	return element_is_complex(element) ? 4 * flops : flops;
}

/* The libraries of the CPU. has_lapack: some library has LAPACK's routines. */
struct cpu_libraries {
	struct measure_blas blas;
	struct measure_lapack lapack;
	bool has_blas, has_lapack;
};

/* A call of a square routine of BLAS or LAPACK. */
struct cpu_square {
	const struct cpu_libraries *libraries;
	const struct calibrate_row *row;
	int64_t order;
	double budget_s;
};

static double calibrate_cpu_call(const struct cpu_square *square)
{
	const struct calibrate_row *row = square->row;
	if (family_is_lapack(row->family))
		return measure_lapack_call(&square->libraries->lapack, row->family, square->order);
	return measure_blas_call(&square->libraries->blas, row->family, row->element,
	                         square->order);
}

static double calibrate_cpu_sample(const struct cpu_square *square, int calls)
{
	double seconds = 0;
	for (int i = 0; i < calls; i++)
		seconds += calibrate_cpu_call(square);
	return seconds / calls;
}

/* Seconds of one call, in some samples. The first call is not counted, unless it was long. */
static struct spread calibrate_cpu_time(const void *what)
{
	const struct cpu_square *square = what;
	const double begin = device_seconds();
	double seconds[CPU_TIMES];
	const double first = calibrate_cpu_call(square);
	const int calls =
		(int)fmin(fmax(cpu_sample_seconds / fmax(first, 1e-9), 1), CPU_SAMPLES_MAX);
	size_t count = 0;
	if (first > cpu_long_seconds)
		seconds[count++] = first;
	while (count < CPU_TIMES && (count < CPU_TIMES_LEAST ||
	                             device_seconds() - begin + first * calls < square->budget_s))
		seconds[count++] = calibrate_cpu_sample(square, calls);
	return spread_of(seconds, count);
}

/*
 * The largest order. Many threads reach their full rate only in larger products; eigenvalues and
 * singular values need seconds and much memory there.
 */
static int64_t calibrate_cpu_most(const struct calibrate *calibrate,
                                  const struct calibrate_part *part,
                                  const struct calibrate_row *row)
{
	if (calibrate->quick)
		return 64;
	return part->threads >= CPU_MANY_THREADS && row->family != FAMILY_SYEVD &&
	                       row->family != FAMILY_GESDD
	               ? 4096
	               : 2048;
}

/* Moves the end of the time on by what repetitions took, so that the sizes stay the same. */
static struct spread calibrate_cpu_repeat(const struct calibrate *calibrate,
                                          struct spread (*measure)(const void *what),
                                          const void *what, double *end)
{
	const double begin = device_seconds();
	const int before = calibrate->board->repeats;
	const struct spread seconds = calibrate_repeat(calibrate, measure, what);
	const int repeats = calibrate->board->repeats - before;
	*end += (device_seconds() - begin) * repeats / (repeats + 1);
	return seconds;
}

/*
 * From small to large orders, as far as the time allows: twice the order takes eight times as long.
 * gemm and LAPACK, whose rates rise the longest, are measured at more orders.
 */
static void calibrate_cpu_multiply(const struct calibrate *calibrate,
                                   const struct cpu_libraries *libraries,
                                   const struct calibrate_row *row, double budget_s, int64_t most,
                                   struct machine_curve *curve)
{
	double end = device_seconds() + budget_s;
	const int64_t step = row->family == FAMILY_GEMM || family_is_lapack(row->family) ? 2 : 4;
	struct spread seconds = {.median = 0};
	for (int64_t order = 32; order <= most; order *= step) {
		const double left_s = end - device_seconds(), n = (double)order;
		if (CPU_TIMES_LEAST * seconds.median * pow((double)step, 3) > left_s)
			return;
		const struct cpu_square square = {libraries, row, order, left_s / 4};
		seconds = calibrate_cpu_repeat(calibrate, calibrate_cpu_time, &square, &end);
		calibrate_add_point(calibrate, curve, n,
		                    calibrate_count_flops(row->family, row->element, n) /
		                            seconds.median,
		                    seconds.varies);
	}
}

static struct machine_curve calibrate_cpu_begin_curve(const struct calibrate_part *part,
                                                      const struct calibrate_row *row)
{
	return (struct machine_curve){.side = MACHINE_CPU,
	                              .family = row->family,
	                              .element = row->element,
	                              .rigour = row->rigour,
	                              .threads = part->threads};
}

static void calibrate_cpu_blas_row(const struct calibrate *calibrate,
                                   const struct calibrate_part *part,
                                   struct cpu_libraries *libraries, const struct calibrate_row *row,
                                   struct machine *machine)
{
	struct machine_curve curve = calibrate_cpu_begin_curve(part, row);
	const int64_t most = calibrate_cpu_most(calibrate, part, row);
	if (!measure_blas_has(&libraries->blas, row->family, row->element) ||
	    !measure_blas_take(&libraries->blas, row->element, most))
		return;
	calibrate_cpu_multiply(calibrate, libraries, row, part->budget_s * row->share, most,
	                       &curve);
	measure_blas_free(&libraries->blas);
	const double rate = calibrate_add_curve(machine, &curve);
	if (row->family == FAMILY_GEMM && rate > 0)
		machine->cpu_gemm_flops[row->element] = rate;
}

static void calibrate_cpu_lapack_row(const struct calibrate *calibrate,
                                     const struct calibrate_part *part,
                                     struct cpu_libraries *libraries,
                                     const struct calibrate_row *row, struct machine *machine)
{
	struct machine_curve curve = calibrate_cpu_begin_curve(part, row);
	const int64_t most = calibrate_cpu_most(calibrate, part, row);
	if (!measure_lapack_has(&libraries->lapack, row->family) ||
	    !measure_lapack_take(&libraries->lapack, row->family, most))
		return;
	calibrate_cpu_multiply(calibrate, libraries, row, part->budget_s * row->share, most,
	                       &curve);
	measure_lapack_free(&libraries->lapack);
	calibrate_add_curve(machine, &curve);
}

struct cpu_transform {
	const struct measure_fftw *fftw;
	const struct calibrate_row *row;
	int points;
	double budget_s;
};

static struct spread calibrate_cpu_transform(const void *what)
{
	const struct cpu_transform *transform = what;
	return measure_fftw_spread(transform->fftw, transform->row->element, transform->row->rigour,
	                           1, &transform->points, CPU_TIMES, transform->budget_s);
}

static void calibrate_cpu_fft_row(const struct calibrate *calibrate,
                                  const struct calibrate_part *part,
                                  const struct measure_fftw *fftw, const struct calibrate_row *row,
                                  struct machine *machine)
{
	struct machine_curve curve = calibrate_cpu_begin_curve(part, row);
	double end = device_seconds() + part->budget_s * row->share;
	const int most = calibrate->quick ? 1 << 12 : 1 << 22;
	struct spread seconds = {.median = 0};
	for (int n = 1 << 10; n <= most; n *= 4) {
		const double left_s = end - device_seconds(), points = n;
		/* Four times the points, and planning and a first execution come on top. */
		if (12 * seconds.median > left_s || left_s <= 0)
			break;
		const struct cpu_transform transform = {fftw, row, n, left_s / 4};
		seconds =
			calibrate_cpu_repeat(calibrate, calibrate_cpu_transform, &transform, &end);
		if (seconds.median > 0)
			calibrate_add_point(calibrate, &curve, points,
			                    5 * points * log2(points) / seconds.median,
			                    seconds.varies);
	}
	const double rate = calibrate_add_curve(machine, &curve);
	if (rate > 0 && row->rigour == FFT_ESTIMATED)
		machine->cpu_fft_estimate_flops[row->element] = rate;
	else if (rate > 0)
		machine->cpu_fft_flops[row->element] = rate;
}

static void calibrate_cpu_fft(const struct calibrate *calibrate, const struct calibrate_part *part,
                              const struct calibrate_row *row, struct machine *machine)
{
	char words[MEASURE_SENTENCE_BYTES];
	struct measure_fftw fftw;
	if (measure_fftw_open(&fftw, row->element, part->threads, words)) {
		snprintf(machine->cpu_fftw, sizeof machine->cpu_fftw, "%.*s",
		         MACHINE_NAME_BYTES - 1, fftw.path);
		calibrate_cpu_fft_row(calibrate, part, &fftw, row, machine);
		return;
	}
	snprintf(calibrate->board->sentences[1], MEASURE_SENTENCE_BYTES,
	         "FFTW is not measured%s: %.300s; transforms on the CPU are assumed",
	         part->threads > 1 ? " with threads" : "", words);
}

/* Opens the libraries, and writes down which they are, or a sentence for each that is missing. */
static void calibrate_cpu_open(const struct calibrate *calibrate, struct cpu_libraries *libraries,
                               struct machine *machine)
{
	char words[MEASURE_SENTENCE_BYTES];
	struct calibrate_board *board = calibrate->board;
	libraries->has_blas = measure_blas_open(&libraries->blas, calibrate->blas, words);
	if (!libraries->has_blas) {
		snprintf(board->sentences[0], MEASURE_SENTENCE_BYTES,
		         "the CPU's BLAS is not measured: %.300s; its rates are assumed", words);
		return;
	}
	snprintf(machine->cpu_blas, sizeof machine->cpu_blas, "%.*s", MACHINE_NAME_BYTES - 1,
	         libraries->blas.path);
	libraries->has_lapack = measure_lapack_open(&libraries->lapack, &libraries->blas, words);
	if (libraries->has_lapack)
		snprintf(machine->cpu_lapack, sizeof machine->cpu_lapack, "%.*s",
		         MACHINE_NAME_BYTES - 1, libraries->lapack.path);
	else
		snprintf(board->sentences[2], MEASURE_SENTENCE_BYTES,
		         "LAPACK is not measured: %.300s; its rates follow from those of gemm",
		         words);
}

bool calibrate_cpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine)
{
	struct cpu_libraries libraries = {.has_blas = false};
	double done = 0;
	calibrate_cpu_set_threads(part->threads);
	calibrate_cpu_open(calibrate, &libraries, machine);
	for (int i = 0; i < CALIBRATE_ROWS; i++) {
		const struct calibrate_row *row = &calibrate_cpu_rows[i];
		if (!(row->share > 0))
			continue;
		calibrate_tell(calibrate, done, row->name);
		if (family_is_fft(row->family))
			calibrate_cpu_fft(calibrate, part, row, machine);
		else if (family_is_lapack(row->family) && libraries.has_lapack)
			calibrate_cpu_lapack_row(calibrate, part, &libraries, row, machine);
		else if (!family_is_lapack(row->family) && libraries.has_blas)
			calibrate_cpu_blas_row(calibrate, part, &libraries, row, machine);
		done += row->share;
	}
	return true;
}
