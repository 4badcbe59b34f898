/* gpu_crowd.h - parts of the crowd test: random checked calls, guests that use CUDA, a census */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CROWD_H
#define GPUSHIM_TESTS_GPU_GPU_CROWD_H

#include <stdatomic.h>

#include "gpu_check_blas.h"

/*
 * Calls so far that ran on a GPU, and that came back because memory was short. Any other result is
 * a failure.
 */
struct crowd_tally {
	atomic_long done, back;
};
extern struct crowd_tally crowd_tally;

/* From 0 to below - 1. Each thread has its own state. */
uint64_t crowd_random(uint64_t *state, uint64_t below);

/* A random call: level 3, a batch, or a transform. Checks and counts the result. */
void crowd_run_call(uint64_t *state, int device);

/*
 * Runs a call of level 3, not gemmt, on host memory and compares C x with the product of the
 * operands and x, for a random x, which costs little beside the call. All that BLAS does not
 * reference is NaN, the rest of memory canaries.
 */
enum reason crowd_run_blas(const struct gpu_check_blas *wanted, int device);

/*
 * One round of a program with a device, a stream, memory and a pending error of its own, and a call
 * in between.
 */
struct crowd_guest {
	int device;
	size_t size_bytes; /* of the guest's device memory in a round */
	void *stream;
	long short_of, helped; /* times that memory was short; times that the shim freed some */
};
void crowd_begin_guest(struct crowd_guest *guest, int device, size_t size_bytes);
void crowd_run_guest(struct crowd_guest *guest, uint64_t *state);
void crowd_end_guest(struct crowd_guest *guest);

/* Bytes of its memory that a guest uses; the least that it allocates. */
enum { CROWD_GUEST_BYTES = 20480 };

/* Forks a child, which makes a call on the CPU. */
void crowd_run_child(uint64_t *state);

/* Threads of this process, including the shim's, and its descriptors. */
struct crowd_census {
	int threads, helpers, awake, descriptors;
	int64_t helpers_ns; /* processor time of the helper threads */
};
struct crowd_census crowd_take_census(void);

#endif
