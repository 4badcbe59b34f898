/* device.h - the GPU for measurements: the shim's CUDA libraries, memory, kernels, waiting */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_DEVICE_H
#define GPUSHIM_MEASURE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "shim/execute/gpu/cuda/cuda.h"

enum { DEVICE_STREAMS = 3, DEVICE_NAME_BYTES = 256 };

struct device {
	struct cuda_set set;
	struct cuda_search search; /* all places and libraries that were tried */
	char name[DEVICE_NAME_BYTES];
	bool simulated; /* the simulated CUDA of the tests: no time is a speed */
	void *blas;     /* a cuBLAS handle on stream[0] */
	void *stream[DEVICE_STREAMS];
};

/*
 * Opens the CUDA libraries that the shim would open, and uses their first device. false with a
 * sentence where no GPU can be used.
 */
bool device_open(struct device *device, char sentence[CUDA_SENTENCE_BYTES]);

/* The same with the values of the shim's options cuda_path and devices. */
bool device_open_chosen(struct device *device, const char *cuda_path, const char *devices,
                        char sentence[CUDA_SENTENCE_BYTES]);

/*
 * A function of the CUDA runtime that struct cuda_api does not have; NULL where the runtime has no
 * function of that name.
 */
void *device_find_runtime(const struct cuda_set *set, const char *name);

/* Whether the libraries are the simulated CUDA of the tests. */
bool device_is_simulated(const struct cuda_set *set);

/* Ends the program with a message where error is not 0. what: the name of the function. */
void device_check(const struct device *device, int error, const char *what);

/*
 * Memory of the device, and page-locked memory. The program ends where there is none; never NULL.
 */
void *device_take(const struct device *device, size_t size_bytes);
void device_free(const struct device *device, void *memory);
void *device_take_pinned(const struct device *device, size_t size_bytes);
void device_free_pinned(const struct device *device, void *memory);

/* Free memory of the device. */
size_t device_free_bytes(const struct device *device);

/* Queues a copy on a stream; the addresses tell the direction. */
void device_copy(const struct device *device, void *to, const void *from, size_t size_bytes,
                 void *stream);
void device_wait(const struct device *device, void *stream);

/*
 * Fills memory with numbers between -0.5 and 0.5, which depend on seed. Zeros would not do: their
 * products are faster.
 */
void device_fill(const struct device *device, void *memory, size_t size_bytes, enum element element,
                 uint64_t seed);

/* Queues C := A B on stream[0]: matrices on the device, columns without gaps. */
void device_multiply(const struct device *device, enum element element, int64_t m, int64_t n,
                     int64_t k, const void *a, const void *b, void *c);

/*
 * Makes a cuFFT plan for batch transforms of one shape on stream[0], with its work area. -1 where
 * cuFFT refuses. The caller destroys it by fft_destroy.
 */
int device_plan(const struct device *device, int type, int rank, const int64_t *n, int64_t batch);

/* Monotonic time in seconds. */
double device_seconds(void);

#endif
