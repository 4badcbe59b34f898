/* device.h - the GPU as measurements use it: the CUDA libraries that the shim would take, memory, waiting */
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
	struct cuda_search search; /* all that was looked at */
	char name[DEVICE_NAME_BYTES];
	bool simulated; /* the stand-in of the tests: nothing measured on it is a speed */
	void *blas;     /* a cuBLAS handle on stream[0] */
	void *stream[DEVICE_STREAMS];
};

/*
 * Opens what the shim would open, and uses its first device. false with one sentence where there is
 * no GPU to use.
 */
bool device_open(struct device *device, char sentence[CUDA_SENTENCE_BYTES]);

/* The same by the shim's options of these names. */
bool device_open_chosen(struct device *device, const char *cuda_path, const char *devices,
                        char sentence[CUDA_SENTENCE_BYTES]);

/*
 * A function of the CUDA runtime that the shim has no use for; NULL where the runtime has none of
 * that name.
 */
void *device_find_runtime(const struct cuda_set *set, const char *name);

/* Whether the libraries are the stand-in of the tests. */
bool device_is_simulated(const struct cuda_set *set);

/* Ends the program with a sentence where error is one. what: the function. */
void device_check(const struct device *device, int error, const char *what);

/* Memory of the device and page-locked memory; the program ends where there is none. Never NULL. */
void *device_take(const struct device *device, size_t size_bytes);
void device_free(const struct device *device, void *memory);
void *device_take_pinned(const struct device *device, size_t size_bytes);
void device_free_pinned(const struct device *device, void *memory);

/* Free memory of the device. */
size_t device_free_bytes(const struct device *device);

/* Queues a copy on a stream, in the direction that the addresses tell. */
void device_copy(const struct device *device, void *to, const void *from, size_t size_bytes,
                 void *stream);
void device_wait(const struct device *device, void *stream);

/*
 * Fills with numbers between -0.5 and 0.5, other ones for another seed: products of zeros are
 * faster than real ones.
 */
void device_fill(const struct device *device, void *memory, size_t size_bytes, enum element element,
                 uint64_t seed);

/* Queues C := A B on stream[0], all of them on the device, columns without gaps. */
void device_multiply(const struct device *device, enum element element, int64_t m, int64_t n,
                     int64_t k, const void *a, const void *b, void *c);

/* A plan for batch transforms of one shape, on stream[0], or -1; the device has its work area. Afterwards fft_destroy.
 */
int device_plan(const struct device *device, int type, int rank, const int64_t *n, int64_t batch);

/* Seconds since some moment. */
double device_seconds(void);

#endif
