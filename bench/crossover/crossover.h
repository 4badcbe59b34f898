/* crossover.h - times of a call by its size: CPU, GPU, and GPU with operands on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_CROSSOVER_CROSSOVER_H
#define GPUSHIM_BENCH_CROSSOVER_CROSSOVER_H

#include "measure/device.h"
#include "measure/measure_blas.h"

enum crossover_way {
	CROSSOVER_CPU,
	CROSSOVER_GPU,    /* a whole call of the shim, transfers included */
	CROSSOVER_DEVICE, /* the library's kernel alone: operands and result are on the device */
	CROSSOVER_WAYS
};

enum { CROSSOVER_POINTS = 32, CROSSOVER_CURVES = 6, CROSSOVER_NAME_BYTES = 16 };

/*
 * A curve of medians. Sizes are powers of two from 1 on. seconds: 0 where a way was not measured.
 * even: the size from which on the GPU with transfers was faster; 0: at no size, 1: at all.
 */
struct crossover_curve {
	char name[CROSSOVER_NAME_BYTES];
	bool transform; /* sizes are its points; else the order of square matrices */
	enum element element;
	int count;
	struct {
		int64_t size;
		double seconds[CROSSOVER_WAYS];
	} point[CROSSOVER_POINTS];
	double even;
};

/*
 * budget_s: time limit of each way for each curve. quick: a few small sizes, once each. missing:
 * why products were not measured on the CPU; empty where they were.
 */
struct crossover {
	struct device device;
	int engine_device;
	bool quick;
	double budget_s;
	struct measure_blas blas;
	char missing[MEASURE_SENTENCE_BYTES];
	struct crossover_curve curve[CROSSOVER_CURVES];
	int curve_count;
};

/* Measures a curve whose name, kind and element are set. */
void crossover_measure_curve(struct crossover *crossover, struct crossover_curve *curve);

/* Writes the page; 0 or an errno. */
int crossover_page_write(const struct crossover *crossover, const char *path);

#endif
