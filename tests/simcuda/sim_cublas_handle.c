/* sim_cublas_handle.c - exported: cuBLAS handles and their settings */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cublas_handle.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const uintptr_t first_handle = (uintptr_t)0x5353000000000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_cublas_handle *handles;
static uintptr_t handle_count;

/* The loader holds its lock while this runs. */
__attribute__((constructor)) static void handle_load(void)
{
	const char *slow = getenv("SIMCUDA_SLOW");
	if (slow && strstr(slow, "load:"))
		simcuda_enter(SIM_CALL_load);
}

static struct sim_cublas_handle **handle_find(const void *handle)
{
	for (struct sim_cublas_handle **link = &handles; *link; link = &(*link)->next)
		if ((*link)->handle == (uintptr_t)handle)
			return link;
	return NULL;
}

int sim_cublas_open(int call, void *handle, struct sim_cublas_handle *copy)
{
	int status = simcuda_enter(call);
	if (status)
		return status;
	/*
	 * Asked before the lock: in a fork child the lock may be held for ever by a thread that
	 * does not exist there.
	 */
	if (simcuda_guard(SIMCUDA_NEEDS_DRIVER))
		return SIM_CUBLAS_STATUS_NOT_INITIALIZED;
	pthread_mutex_lock(&lock);
	struct sim_cublas_handle **link = handle ? handle_find(handle) : NULL;
	if (link)
		*copy = **link;
	pthread_mutex_unlock(&lock);
	if (link)
		simcuda_expect_context(copy->context, "a cuBLAS handle");
	return link ? 0 : SIM_CUBLAS_STATUS_NOT_INITIALIZED;
}

void sim_cublas_store(const struct sim_cublas_handle *copy)
{
	pthread_mutex_lock(&lock);
	struct sim_cublas_handle **link = handle_find((void *)copy->handle);
	if (link) {
		struct sim_cublas_handle *next = (*link)->next;
		**link = *copy;
		(*link)->next = next;
	}
	pthread_mutex_unlock(&lock);
}

/* A handle takes a workspace pool and some more device memory. */
static bool handle_take_pool(struct sim_cublas_handle *handle)
{
	size_t total = simcuda_memory_total();
	handle->pool_bytes = total / 256 < ((size_t)4 << 20) ? total / 256 : (size_t)4 << 20;
	if (simcuda_memory_take(&handle->pool, handle->pool_bytes))
		return false;
	handle->workspace = handle->pool;
	handle->workspace_bytes = handle->pool_bytes;
	return true;
}

static int handle_create(void **handle)
{
	static const int oldest[] = {[11] = 35, [12] = 50, [13] = 75};
	if (!handle)
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (simcuda_capability() < oldest[SIMCUDA_MAJOR])
		return SIM_CUBLAS_STATUS_ARCH_MISMATCH;
	struct sim_cublas_handle *made = calloc(1, sizeof *made);
	if (!made || !handle_take_pool(made)) {
		free(made);
		return SIM_CUBLAS_STATUS_ALLOC_FAILED;
	}
	made->context = simcuda_context();
	pthread_mutex_lock(&lock);
	made->handle = first_handle + 64 * ++handle_count;
	made->next = handles;
	handles = made;
	pthread_mutex_unlock(&lock);
	simcuda_alive_add(SIMCUDA_HANDLE, 1);
	*handle = (void *)made->handle;
	return 0;
}

int cublasCreate_v2(void **handle)
{
	int status = simcuda_enter(SIM_CALL_cublasCreate_v2);
	if (status)
		return status;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT))
		return SIM_CUBLAS_STATUS_NOT_INITIALIZED;
	return simcuda_capture_admit(SIM_CALL_cublasCreate_v2) ? SIM_CUBLAS_STATUS_INTERNAL_ERROR
	                                                       : handle_create(handle);
}

/* Waits for the device, as freeing the pool does. */
int cublasDestroy_v2(void *handle)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasDestroy_v2, handle, &copy);
	if (!status && simcuda_capture_admit(SIM_CALL_cublasDestroy_v2))
		status = SIM_CUBLAS_STATUS_INTERNAL_ERROR;
	if (status)
		return status;
	simcuda_drain();
	pthread_mutex_lock(&lock);
	struct sim_cublas_handle **link = handle_find(handle), *gone = link ? *link : NULL;
	if (link)
		*link = gone->next;
	pthread_mutex_unlock(&lock);
	simcuda_memory_give(copy.pool);
	simcuda_alive_add(SIMCUDA_HANDLE, gone ? -1 : 0);
	free(gone);
	return 0;
}

/* Setting a stream selects the pool again, even after the program set a workspace of its own. */
int cublasSetStream_v2(void *handle, void *stream)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasSetStream_v2, handle, &copy);
	if (status)
		return status;
	copy.stream = stream;
	copy.workspace = copy.pool;
	copy.workspace_bytes = copy.pool_bytes;
	sim_cublas_store(&copy);
	return 0;
}

int cublasGetStream_v2(void *handle, void **stream)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasGetStream_v2, handle, &copy);
	if (!status && !stream)
		status = SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (!status)
		*stream = copy.stream;
	return status;
}

int cublasSetWorkspace_v2(void *handle, void *workspace, size_t size_bytes)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasSetWorkspace_v2, handle, &copy);
	if (status)
		return status;
	if ((uintptr_t)workspace % 256 || (!workspace && size_bytes))
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	copy.workspace = workspace;
	copy.workspace_bytes = size_bytes;
	sim_cublas_store(&copy);
	return 0;
}

/* Emulated modes: 4 since release 12.9, 8 since 13. Flag 16 may be added to any mode. */
static bool math_mode_exists(int mode)
{
	int base = mode & ~16;
	return mode >= 0 && mode < 32 &&
	       (base <= SIM_MATH_TF32 || (base == SIM_MATH_BF16X9 && SIMCUDA_MAJOR >= 13) ||
	        (base == SIM_MATH_FP64_EMULATED && SIMCUDA_MAJOR >= 13));
}

int cublasSetMathMode(void *handle, int mode)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasSetMathMode, handle, &copy);
	if (status)
		return status;
	if (!math_mode_exists(mode))
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	copy.math_mode = mode;
	sim_cublas_store(&copy);
	return 0;
}

int cublasGetMathMode(void *handle, int *mode)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasGetMathMode, handle, &copy);
	if (!status && !mode)
		status = SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (!status)
		*mode = copy.math_mode;
	return status;
}

#if SIMCUDA_MAJOR >= 13
int cublasSetEmulationStrategy(void *handle, int strategy)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasSetEmulationStrategy, handle, &copy);
	if (status)
		return status;
	if (strategy < SIM_STRATEGY_DEFAULT || strategy > SIM_STRATEGY_EAGER)
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	copy.strategy = strategy;
	sim_cublas_store(&copy);
	return 0;
}

int cublasGetEmulationStrategy(void *handle, int *strategy)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasGetEmulationStrategy, handle, &copy);
	if (!status && !strategy)
		status = SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (!status)
		*strategy = copy.strategy;
	return status;
}
#endif

int cublasSetPointerMode_v2(void *handle, int mode)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasSetPointerMode_v2, handle, &copy);
	if (status)
		return status;
	if (mode != 0 && mode != 1)
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	copy.device_scalars = mode;
	sim_cublas_store(&copy);
	return 0;
}

int cublasGetPointerMode_v2(void *handle, int *mode)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasGetPointerMode_v2, handle, &copy);
	if (!status && !mode)
		status = SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (!status)
		*mode = copy.device_scalars;
	return status;
}

int cublasSetAtomicsMode(void *handle, int mode)
{
	struct sim_cublas_handle copy;
	int status = sim_cublas_open(SIM_CALL_cublasSetAtomicsMode, handle, &copy);
	if (status)
		return status;
	if (mode != 0 && mode != 1)
		return SIM_CUBLAS_STATUS_INVALID_VALUE;
	copy.atomics_mode = mode;
	sim_cublas_store(&copy);
	return 0;
}
