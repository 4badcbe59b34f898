/* guest_cuda.h - the CUDA of a program beside the shim, found at run time: runtime and driver */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_GUEST_GUEST_CUDA_H
#define GPUSHIM_TESTS_GUEST_GUEST_CUDA_H

#include <stdbool.h>
#include <stddef.h>

enum { GUEST_SKIPPED = 77, CAPTURE_GLOBAL = 0, CAPTURE_LOCAL = 1, CAPTURE_RELAXED = 2 };
enum { STREAM_BLOCKING = 0, STREAM_NON_BLOCKING = 1, COPY_ON_DEVICE = 3, COPY_TO_HOST = 2 };

#define GUEST_RUNTIME(ROW)                                                                         \
	ROW(cudaGetDeviceCount, (int *))                                                           \
	ROW(cudaGetDevice, (int *))                                                                \
	ROW(cudaSetDevice, (int))                                                                  \
	ROW(cudaDeviceReset, (void))                                                               \
	ROW(cudaDeviceGetAttribute, (int *, int, int))                                             \
	ROW(cudaGetLastError, (void))                                                              \
	GUEST_MEMORY(ROW)
#define GUEST_MEMORY(ROW)                                                                          \
	ROW(cudaMalloc, (void **, size_t))                                                         \
	ROW(cudaFree, (void *))                                                                    \
	ROW(cudaMemcpy, (void *, const void *, size_t, int))                                       \
	ROW(cudaMemcpyAsync, (void *, const void *, size_t, int, void *))                          \
	ROW(cudaMemsetAsync, (void *, int, size_t, void *))                                        \
	ROW(cudaStreamCreateWithFlags, (void **, unsigned))                                        \
	ROW(cudaStreamSynchronize, (void *))                                                       \
	GUEST_GRAPHS(ROW)
#define GUEST_GRAPHS(ROW)                                                                          \
	ROW(cudaStreamBeginCapture, (void *, int))                                                 \
	ROW(cudaStreamEndCapture, (void *, void **))                                               \
	ROW(cudaGraphInstantiateWithFlags, (void **, void *, unsigned long long))                  \
	ROW(cudaGraphLaunch, (void *, void *))                                                     \
	ROW(cudaGraphDestroy, (void *))                                                            \
	ROW(cudaGraphExecDestroy, (void *))                                                        \
	ROW(cudaThreadExchangeStreamCaptureMode, (int *))
#define GUEST_DRIVER(ROW)                                                                          \
	ROW(cuInit, (unsigned))                                                                    \
	ROW(cuDeviceGet, (int *, int))                                                             \
	ROW(cuCtxGetCurrent, (void **))                                                            \
	ROW(cuCtxSetCurrent, (void *))                                                             \
	ROW(cuCtxPushCurrent_v2, (void *))                                                         \
	ROW(cuCtxPopCurrent_v2, (void **))                                                         \
	ROW(cuCtxCreate_v2, (void **, unsigned, int))                                              \
	ROW(cuCtxDestroy_v2, (void *))                                                             \
	ROW(cuDevicePrimaryCtxGetState, (int, unsigned *, int *))

struct guest_cuda {
#define GUEST_FIELD(name, parameters) int(*name) parameters;
	GUEST_RUNTIME(GUEST_FIELD)
	GUEST_DRIVER(GUEST_FIELD)
#undef GUEST_FIELD
	int devices;
};
extern struct guest_cuda cuda;

/*
 * Finds the libraries in the folder that the variable GUEST_CUDA names, else where the loader
 * looks. Ends the program as a skipped test where there is no GPU.
 */
void guest_open(void);

/* Prints what failed, and lets guest_end say so. */
#define GUEST_EXPECT(condition, ...) guest_expect((condition), __FILE__, __LINE__, __VA_ARGS__)
__attribute__((format(printf, 4, 5))) void guest_expect(bool passed, const char *file, int line,
                                                        const char *format, ...);
int guest_end(void);

/* Calls of the program: a product and a transform, whose results are checked. */
void guest_multiply(int order);
void guest_transform(int length);

#endif
