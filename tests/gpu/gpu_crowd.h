/* gpu_crowd.h - the parts of the crowd: random calls that judge themselves, guests with CUDA of their own, a census */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GPU_GPU_CROWD_H
#define GPUSHIM_TESTS_GPU_GPU_CROWD_H

#include <stdatomic.h>

#include "gpu_check_blas.h"

/* Calls so far: on a GPU, and sent back for want of memory. Any other end is a failure. */
struct crowd_tally {
	atomic_long done, back;
};
extern struct crowd_tally crowd_tally;

/* From 0 to below - 1; each thread has a state of its own. */
uint64_t crowd_random(uint64_t *state, uint64_t below);

/* A random call: level 3, a batch, or a transform. The result is judged, and counted. */
void crowd_run_call(uint64_t *state, int device);

/*
 * Runs a call of level 3, not gemmt, on host memory and compares C x with the product of the
 * operands and x, for a random x, which costs little beside the call. What BLAS does not reference
 * is NaN, the rest canaries.
 */
enum reason crowd_run_blas(const struct gpu_check_blas *wanted, int device);

/*
 * One round of a program with a device, a stream, memory and a pending error of its own, and a call
 * in between.
 */
struct crowd_guest {
	int device;
	size_t size_bytes; /* of the device memory that it has in a round */
	void *stream;
	long short_of, helped; /* memory was lacking; the shim gave some back */
};
void crowd_begin_guest(struct crowd_guest *guest, int device, size_t size_bytes);
void crowd_run_guest(struct crowd_guest *guest, uint64_t *state);
void crowd_end_guest(struct crowd_guest *guest);

/* So much of its memory a guest uses, and has at least. */
enum { CROWD_GUEST_BYTES = 20480 };

/* A fork child, which does a call on the CPU. */
void crowd_run_child(uint64_t *state);

/* Threads of this process, those of the shim among them; descriptors. */
struct crowd_census {
	int threads, helpers, awake, descriptors;
	int64_t helpers_ns; /* processor time of the helpers */
};
struct crowd_census crowd_take_census(void);

#endif
