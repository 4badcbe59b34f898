/* fft_map.h - how a transform is told to cuFFT: where each side lies on the device, in how many executions; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_PLAN_FFT_MAP_H
#define GPUSHIM_POLICY_PLAN_FFT_MAP_H

#include "policy/plan/fft_layout.h"

/*
 * Fewer bytes of input than this for each execution, and reordering on the host costs less than the
 * launches.
 */
enum { FFT_MAP_LAUNCH_BYTES = 32 << 10 };

/*
 * Where cuFFT finds one side: element (x, y, z) of batch b at b distance + ((x embed[1] + y)
 * embed[2] + z) stride. With a lower rank embed[] begins at the outermost dimension all the same;
 * those that the rank lacks are 0.
 */
struct fft_embedding {
	int64_t embed[FFT_GPU_RANK], stride, distance;
};

/*
 * All that a cuFFT plan of ours depends on: FFTW plans that differ in direction, arrays, dimensions
 * of length 1 or what the copies take care of share one.
 */
struct fft_shape {
	enum family family;
	enum element element;
	int rank;
	int64_t n[FFT_GPU_RANK], batch;
	struct fft_embedding input, output;
};

/* The plan is executed n times, each time this much further on the device. */
struct fft_step {
	int64_t n, input_bytes, output_bytes;
};

/*
 * input and output: the program's elements in the order in which they lie on the device, tight.
 * Where a side fills one run of the program's memory in any order that cuFFT can walk, that is the
 * order, and the copy is one block. in_place: both sides lie alike, so that one buffer may serve.
 */
struct fft_map {
	struct fft_shape shape;
	struct fft_layout input, output;
	int steps; /* the outermost first */
	struct fft_step step[FFT_LOOPS_MAX];
	bool in_place;
};

/*
 * false where there is no such transform: rank, sizes and loops out of bounds, or more than 63 bits
 * can count.
 */
bool fft_map_describe(const struct fft_problem *problem, struct fft_map *map);

bool fft_map_shapes_equal(const struct fft_shape *a, const struct fft_shape *b);

#endif
