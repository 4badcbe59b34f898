/* fft_map.h - how a transform is described to cuFFT; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_FFT_MAP_H
#define GPUSHIM_POLICY_PLAN_FFT_MAP_H

#include "policy/plan/fft_layout.h"

/* With less input per execution, reordering on the host costs less than the launches. */
enum { FFT_MAP_LAUNCH_BYTES = 32 << 10 };

/*
 * The places of one side for cuFFT: element (x, y, z) of batch b is at b distance + ((x embed[1] +
 * y) embed[2] + z) stride. embed[] begins at the outermost dimension also for lower ranks; missing
 * dimensions are 0.
 */
struct fft_embedding {
	int64_t embed[FFT_GPU_RANK], stride, distance;
};

/*
 * All that a plan of cuFFT depends on. Plans of FFTW that differ in direction, arrays, dimensions
 * of length 1 or layouts that the copies change share one.
 */
struct fft_shape {
	enum family family;
	enum element element;
	int rank;
	int64_t n[FFT_GPU_RANK], batch;
	struct fft_embedding input, output;
};

/* The plan is executed n times, each time this many bytes further on the device. */
struct fft_step {
	int64_t n, input_bytes, output_bytes;
};

/*
 * input, output: the elements in host memory in the order of the device, which is tight. Where a
 * side is one run of host memory in any order that cuFFT can follow, that order is taken, and the
 * copy is one block. in_place: both sides have the same places, so one buffer may serve for both.
 */
struct fft_map {
	struct fft_shape shape;
	struct fft_layout input, output;
	int steps; /* outermost first */
	struct fft_step step[FFT_LOOPS_MAX];
	bool in_place;
};

/*
 * Describes a transform. false if rank, sizes or loops are out of bounds, or sizes exceed 63 bits.
 */
bool fft_map_describe(const struct fft_problem *problem, struct fft_map *map);

bool fft_map_shapes_equal(const struct fft_shape *a, const struct fft_shape *b);

#endif
