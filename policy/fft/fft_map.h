/* fft_map.h - how a transform is described to cuFFT; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_FFT_FFT_MAP_H
#define GPUSHIM_POLICY_FFT_FFT_MAP_H

#include "policy/fft/fft_layout.h"

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

/*
 * Advances to the next execution, the innermost step first; false after the last one. index, input
 * and output (offsets in bytes) begin at 0, and end there.
 */
struct fft_map_place {
	int64_t index[FFT_LOOPS_MAX], input_bytes, output_bytes;
};
bool fft_map_advance(const struct fft_map *map, struct fft_map_place *place);

bool fft_map_shapes_equal(const struct fft_shape *a, const struct fft_shape *b);

/*
 * FFTW transforms the outer dimensions of a c2r input first, and then ignores the imaginary parts
 * of the first and, for even n, the middle element of each row of the last one. cuFFT is defined
 * for Hermitian input only. Both agree once these elements are made Hermitian over the outer
 * dimensions, since the anti-Hermitian part becomes those imaginary parts: each plane is
 * transformed over the outer dimensions, its imaginary part is zeroed, and it is transformed back.
 * In one dimension only the zeroing is left.
 *
 * The planes lie on the device as the group's input does. count: 0 (no c2r), 1 (n odd) or 2;
 * apart: elements between the two. A plane is runs vectors of n elements: run i begins at i
 * run_step, its elements are step apart. points: of the outer dimensions, 1 if there are none.
 * shape: of the transforms of a plane, of both planes if joined.
 */
struct fft_planes {
	int count;
	int64_t apart;
	int64_t runs, run_step, n, step;
	int64_t points;
	bool joined;
	struct fft_shape shape;
};

/* pitch_most_bytes: the largest step that the device fills with. */
void fft_map_find_planes(const struct fft_map *map, int64_t pitch_most_bytes,
                         struct fft_planes *planes);

/* Operations on the device that a group of such transforms needs beside the transform. */
int fft_map_count_operations(const struct fft_problem *problem);

#endif
