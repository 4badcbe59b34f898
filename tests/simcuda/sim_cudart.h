/* sim_cudart.h - exported functions of the cudart stand-in, with the real library's signatures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUDART_H
#define SIMCUDA_SIM_CUDART_H

#include "simcuda.h"

/* The same ABI: enumerations are int, streams and events are opaque pointers. */
SIM_API int cudaGetDeviceCount(int *count);
SIM_API int cudaSetDevice(int device);
SIM_API int cudaGetDevice(int *device);
SIM_API int cudaDriverGetVersion(int *version);
SIM_API int cudaRuntimeGetVersion(int *version);
SIM_API int cudaDeviceGetAttribute(int *value, int attribute, int device);
SIM_API int cudaDeviceGetPCIBusId(char *id, int length, int device);
SIM_API int cudaDeviceSynchronize(void);
SIM_API int cudaDeviceReset(void);
SIM_API int cudaGetLastError(void);
SIM_API int cudaPeekAtLastError(void);
SIM_API const char *cudaGetErrorName(int error);
SIM_API const char *cudaGetErrorString(int error);

SIM_API int cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
SIM_API int cudaMalloc(void **pointer, size_t size);
SIM_API int cudaMallocManaged(void **pointer, size_t size, unsigned int flags);
SIM_API int cudaFree(void *pointer);
SIM_API int cudaHostAlloc(void **pointer, size_t size, unsigned int flags);
SIM_API int cudaMallocHost(void **pointer, size_t size);
SIM_API int cudaFreeHost(void *pointer);
SIM_API int cudaHostRegister(void *pointer, size_t size, unsigned int flags);
SIM_API int cudaHostUnregister(void *pointer);
SIM_API int cudaPointerGetAttributes(struct sim_pointer_attributes *attributes,
                                     const void *pointer);
SIM_API int cudaMemcpy(void *to, const void *from, size_t count, int kind);
SIM_API int cudaMemcpyAsync(void *to, const void *from, size_t count, int kind, void *stream);
SIM_API int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, int kind);
SIM_API int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, int kind, void *stream);
SIM_API int cudaMemset(void *pointer, int value, size_t count);
SIM_API int cudaMemsetAsync(void *pointer, int value, size_t count, void *stream);
SIM_API int cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              void *stream);

SIM_API int cudaStreamCreateWithFlags(void **stream, unsigned int flags);
SIM_API int cudaStreamDestroy(void *stream);
SIM_API int cudaStreamSynchronize(void *stream);
SIM_API int cudaStreamQuery(void *stream);
SIM_API int cudaStreamWaitEvent(void *stream, void *event, unsigned int flags);
SIM_API int cudaEventCreateWithFlags(void **event, unsigned int flags);
SIM_API int cudaEventRecord(void *event, void *stream);
SIM_API int cudaEventQuery(void *event);
SIM_API int cudaEventSynchronize(void *event);
SIM_API int cudaEventElapsedTime(float *milliseconds, void *start, void *end);
SIM_API int cudaEventDestroy(void *event);

SIM_API int cudaThreadExchangeStreamCaptureMode(int *mode);
SIM_API int cudaStreamBeginCapture(void *stream, int mode);
SIM_API int cudaStreamEndCapture(void *stream, void **graph);
SIM_API int cudaStreamIsCapturing(void *stream, int *status);
SIM_API int cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags);
SIM_API int cudaGraphLaunch(void *executable, void *stream);
SIM_API int cudaGraphDestroy(void *graph);
SIM_API int cudaGraphExecDestroy(void *executable);

#endif
