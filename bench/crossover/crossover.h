/* crossover.h - times of a call by its size, on the CPU, on the GPU and on operands that are there already */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_CROSSOVER_CROSSOVER_H
#define GPUSHIM_BENCH_CROSSOVER_CROSSOVER_H

#include "measure/device.h"
#include "measure/measure_blas.h"

enum crossover_way {
	CROSSOVER_CPU,
	CROSSOVER_GPU,    /* a whole call as the shim makes it, transfers and all */
	CROSSOVER_DEVICE, /* the library's kernel alone, operands and result on the device */
	CROSSOVER_WAYS
};

enum { CROSSOVER_POINTS = 32, CROSSOVER_CURVES = 6, CROSSOVER_NAME_BYTES = 16 };

/*
 * Sizes are powers of two from 1 on. seconds: medians; 0 where a way was not measured at this size.
 */
struct crossover_curve {
	char name[CROSSOVER_NAME_BYTES];
	bool transform; /* sizes are points of it; else the order of square matrices */
	enum element element;
	int count;
	struct {
		int64_t size;
		double seconds[CROSSOVER_WAYS];
	} point[CROSSOVER_POINTS];
	double even; /* the size from which on the GPU, transfers and all, was faster; 0: it never was; 1: always */
};

/* budget_s: what each way may take for each curve. quick: a few small sizes, once each. */
struct crossover {
	struct device device;
	int engine_device;
	bool quick;
	double budget_s;
	struct measure_blas blas;
	char missing
		[MEASURE_SENTENCE_BYTES]; /* why the CPU's products were not measured; empty if they were */
	struct crossover_curve curve[CROSSOVER_CURVES];
	int curve_count;
};

/* Measure a curve whose name, kind and element are set. */
void crossover_gemm_measure(struct crossover *crossover, struct crossover_curve *curve);
void crossover_fft_measure(struct crossover *crossover, struct crossover_curve *curve);

/*
 * The median of what once(context) returns, the first left out: of at least three and at most so
 * many as budget_s allows. 0 where once returned no time; *whole_s: what it all took.
 */
double crossover_median(double (*once)(void *context), void *context, double budget_s,
                        double *whole_s);

/* Finds where the curve's even is. */
void crossover_find_even(struct crossover_curve *curve);

/* Writes the page; 0 or an errno. */
int crossover_page_write(const struct crossover *crossover, const char *path);

#endif
