/* compare_noise.h - run times as machines give them: noise of several shapes, from a seed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_COMPARE_COMPARE_NOISE_H
#define GPUSHIM_TESTS_COMPARE_COMPARE_NOISE_H

#include <stddef.h>
#include <stdint.h>

enum compare_noise_shape {
	COMPARE_NOISE_LOG_NORMAL,
	COMPARE_NOISE_SPIKES,     /* one run in ten takes half as long again */
	COMPARE_NOISE_DRIFT,      /* each run takes a little longer than the one before */
	COMPARE_NOISE_CORRELATED, /* a long run is followed by long runs */
	COMPARE_NOISE_GROUPS,     /* about half of the runs are slower by a fixed step */
	COMPARE_NOISE_SHAPES
};

/* State of a noise series. last: value in a correlated series. run: number of runs so far. */
struct compare_noise {
	enum compare_noise_shape shape;
	uint64_t state;
	double last;
	size_t run;
};

/* The next factor of a run time, about 1. The standard deviation is some percent for each shape. */
double compare_noise_draw(struct compare_noise *noise);

/* A uniform deviate in [0, 1). */
double compare_noise_draw_even(uint64_t *state);

#endif
