/* calibrate_cpu.c - rates of the CPU's BLAS and FFTW by size, for one number of threads */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "measure/device.h"
#include "measure/measure_fftw.h"
#include "measure/spread.h"

enum { CPU_TIMES = 11, CPU_TIMES_LEAST = 2, CPU_SAMPLES_MAX = 64, CPU_MANY_THREADS = 16 };

/*
 * A sample repeats the call until it lasts cpu_sample_seconds. The first call is a sample too if it
 * lasts cpu_long_seconds.
 */
static const double cpu_sample_seconds = 200e-6, cpu_long_seconds = 20e-3;

const struct calibrate_row calibrate_cpu_rows[CALIBRATE_ROWS] = {
	{FAMILY_GEMM, ELEMENT_S, FFT_MEASURED, 0.13, "sgemm"},
	{FAMILY_GEMM, ELEMENT_D, FFT_MEASURED, 0.2, "dgemm"},
	{FAMILY_GEMM, ELEMENT_C, FFT_MEASURED, 0.13, "cgemm"},
	{FAMILY_GEMM, ELEMENT_Z, FFT_MEASURED, 0.14, "zgemm"},
	{FAMILY_SYMM, ELEMENT_D, FFT_MEASURED, 0.05, "dsymm"},
	{FAMILY_SYRK, ELEMENT_D, FFT_MEASURED, 0.05, "dsyrk"},
	{FAMILY_TRMM, ELEMENT_D, FFT_MEASURED, 0.05, "dtrmm"},
	{FAMILY_TRSM, ELEMENT_D, FFT_MEASURED, 0.05, "dtrsm"},
	{FAMILY_FFT_C2C, ELEMENT_C, FFT_MEASURED, 0.06, "fftwf c2c"},
	{FAMILY_FFT_C2C, ELEMENT_C, FFT_ESTIMATED, 0.04, "fftwf c2c estimate"},
	{FAMILY_FFT_C2C, ELEMENT_Z, FFT_MEASURED, 0.06, "fftw c2c"},
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
	if (family == FAMILY_SYRK)
		flops = n * (n + 1) * n;
	else if (family == FAMILY_TRMM || family == FAMILY_TRSM)
		flops = n * n * n;
	return element_is_complex(element) ? 4 * flops : flops;
}

static double calibrate_cpu_sample(const struct measure_blas *blas, const struct calibrate_row *row,
                                   int64_t order, int calls)
{
	double seconds = 0;
	for (int i = 0; i < calls; i++)
		seconds += measure_blas_call(blas, row->family, row->element, order);
	return seconds / calls;
}

struct cpu_product {
	const struct measure_blas *blas;
	const struct calibrate_row *row;
	int64_t order;
	double budget_s;
};

/* Seconds of one call, in some samples. The first call is not counted, unless it was long. */
static struct spread calibrate_cpu_time(const void *what)
{
	const struct cpu_product *product = what;
	const struct measure_blas *blas = product->blas;
	const struct calibrate_row *row = product->row;
	const int64_t order = product->order;
	const double begin = device_seconds();
	double seconds[CPU_TIMES];
	const double first = measure_blas_call(blas, row->family, row->element, order);
	const int calls =
		(int)fmin(fmax(cpu_sample_seconds / fmax(first, 1e-9), 1), CPU_SAMPLES_MAX);
	size_t count = 0;
	if (first > cpu_long_seconds)
		seconds[count++] = first;
	while (count < CPU_TIMES && (count < CPU_TIMES_LEAST ||
	                             device_seconds() - begin + first * calls < product->budget_s))
		seconds[count++] = calibrate_cpu_sample(blas, row, order, calls);
	return spread_of(seconds, count);
}

/* The largest order. Many threads reach their full rate only in larger products. */
static int64_t calibrate_cpu_most(const struct calibrate *calibrate,
                                  const struct calibrate_part *part)
{
	if (calibrate->quick)
		return 64;
	return part->threads >= CPU_MANY_THREADS ? 4096 : 2048;
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
 */
static void calibrate_cpu_multiply(const struct calibrate *calibrate,
                                   const struct measure_blas *blas, const struct calibrate_row *row,
                                   double budget_s, struct machine_curve *curve)
{
	double end = device_seconds() + budget_s;
	const int64_t step = row->family == FAMILY_GEMM ? 2 : 4;
	struct spread seconds = {.median = 0};
	for (int64_t order = 32; order <= blas->most; order *= step) {
		const double left_s = end - device_seconds(), n = (double)order;
		if (CPU_TIMES_LEAST * seconds.median * pow((double)step, 3) > left_s)
			return;
		const struct cpu_product product = {blas, row, order, left_s / 4};
		seconds = calibrate_cpu_repeat(calibrate, calibrate_cpu_time, &product, &end);
		calibrate_add_point(calibrate, curve, n,
		                    calibrate_count_flops(row->family, row->element, n) /
		                            seconds.median,
		                    seconds.varies);
	}
}

static void calibrate_cpu_blas_row(const struct calibrate *calibrate,
                                   const struct calibrate_part *part, struct measure_blas *blas,
                                   const struct calibrate_row *row, struct machine *machine)
{
	struct machine_curve curve = {.side = MACHINE_CPU,
	                              .family = row->family,
	                              .element = row->element,
	                              .threads = part->threads};
	if (!measure_blas_has(blas, row->family, row->element) ||
	    !measure_blas_take(blas, row->element, calibrate_cpu_most(calibrate, part)))
		return;
	calibrate_cpu_multiply(calibrate, blas, row, part->budget_s * row->share, &curve);
	measure_blas_free(blas);
	const double rate = calibrate_add_curve(machine, &curve);
	if (row->family == FAMILY_GEMM && rate > 0)
		machine->cpu_gemm_flops[row->element] = rate;
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
	struct machine_curve curve = {.side = MACHINE_CPU,
	                              .family = row->family,
	                              .element = row->element,
	                              .rigour = row->rigour,
	                              .threads = part->threads};
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

bool calibrate_cpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine)
{
	char words[MEASURE_SENTENCE_BYTES];
	struct measure_blas blas = {.most = 0};
	double done = 0;
	calibrate_cpu_set_threads(part->threads);
	const bool has_blas = measure_blas_open(&blas, calibrate->blas, words);
	if (has_blas)
		snprintf(machine->cpu_blas, sizeof machine->cpu_blas, "%.*s",
		         MACHINE_NAME_BYTES - 1, blas.path);
	else
		snprintf(calibrate->board->sentences[0], MEASURE_SENTENCE_BYTES,
		         "the CPU's BLAS is not measured: %.300s; its rates are assumed", words);
	for (int i = 0; i < CALIBRATE_ROWS; i++) {
		const struct calibrate_row *row = &calibrate_cpu_rows[i];
		calibrate_tell(calibrate, done, row->name);
		if (family_is_fft(row->family))
			calibrate_cpu_fft(calibrate, part, row, machine);
		else if (has_blas)
			calibrate_cpu_blas_row(calibrate, part, &blas, row, machine);
		done += row->share;
	}
	return true;
}
