/* sim_cusolver_handle.c - exported: cuSOLVER handles, parameters, their settings, the version */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cusolver_handle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const uintptr_t first_handle = (uintptr_t)0x5757000000000000;
static const uintptr_t first_params = (uintptr_t)0x5858000000000000;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_cusolver_handle *handles;
static struct sim_cusolver_params *params_list;
static uintptr_t handle_count, params_count;

/* Measured: these functions do not look whether the pointer is NULL, and end the program. */
static void handle_expect(const void *pointer, int call, const char *name)
{
	if (pointer)
		return;
	simcuda_enter(call);
	fprintf(stderr, "simcuda: %s was given NULL\n", name);
	abort();
}
#define EXPECT(pointer, name) handle_expect(pointer, SIM_CALL_##name, #name)

static struct sim_cusolver_handle **handle_find(const void *handle)
{
	for (struct sim_cusolver_handle **link = &handles; *link; link = &(*link)->next)
		if ((*link)->handle == (uintptr_t)handle)
			return link;
	return NULL;
}

int sim_cusolver_open(int call, void *handle, struct sim_cusolver_handle *copy)
{
	int status = simcuda_enter(call);
	if (status)
		return status;
	/* Asked before the lock, which a fork child may find locked for ever. */
	if (simcuda_guard(SIMCUDA_NEEDS_DRIVER))
		return SIM_CUSOLVER_STATUS_NOT_INITIALIZED;
	pthread_mutex_lock(&lock);
	struct sim_cusolver_handle **link = handle ? handle_find(handle) : NULL;
	if (link)
		*copy = **link;
	pthread_mutex_unlock(&lock);
	if (link)
		simcuda_expect_context(copy->context, "a cuSOLVER handle");
	return link ? 0 : SIM_CUSOLVER_STATUS_NOT_INITIALIZED;
}

static void handle_store(const struct sim_cusolver_handle *copy)
{
	pthread_mutex_lock(&lock);
	struct sim_cusolver_handle **link = handle_find((void *)copy->handle);
	if (link) {
		struct sim_cusolver_handle *next = (*link)->next;
		**link = *copy;
		(*link)->next = next;
	}
	pthread_mutex_unlock(&lock);
}

static bool handle_take_pool(struct sim_cusolver_handle *handle)
{
	const size_t most = (size_t)4 << 20, share = simcuda_memory_total() / 256;
	handle->pool_bytes = share < most ? share : most;
	return !simcuda_memory_take(&handle->pool, handle->pool_bytes);
}

static int handle_create(void **handle)
{
	static const int oldest[] = {[11] = 35, [12] = 50, [13] = 75};
	if (simcuda_capability() < oldest[SIMCUDA_MAJOR])
		return SIM_CUSOLVER_STATUS_ARCH_MISMATCH;
	struct sim_cusolver_handle *made = calloc(1, sizeof *made);
	if (!made || !handle_take_pool(made)) {
		free(made);
		return SIM_CUSOLVER_STATUS_ALLOC_FAILED;
	}
	made->context = simcuda_context();
	made->deterministic_mode = made->math_mode = 1;
	pthread_mutex_lock(&lock);
	made->handle = first_handle + 64 * ++handle_count;
	made->next = handles;
	handles = made;
	pthread_mutex_unlock(&lock);
	simcuda_alive_add(SIMCUDA_SOLVER, 1);
	*handle = (void *)made->handle;
	return 0;
}

/* Measured: without a driver it fails, and *handle is another one than before all the same. */
int cusolverDnCreate(void **handle)
{
	EXPECT(handle, cusolverDnCreate);
	int status = simcuda_enter(SIM_CALL_cusolverDnCreate);
	if (status)
		return status;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT)) {
		*handle = (void *)first_handle;
		return SIM_CUSOLVER_STATUS_NOT_INITIALIZED;
	}
	return simcuda_capture_admit(SIM_CALL_cusolverDnCreate) ? SIM_CUSOLVER_STATUS_INTERNAL_ERROR
	                                                        : handle_create(handle);
}

/* Waits for the device, as freeing the pool does. */
int cusolverDnDestroy(void *handle)
{
	struct sim_cusolver_handle copy;
	EXPECT(handle, cusolverDnDestroy);
	int status = sim_cusolver_open(SIM_CALL_cusolverDnDestroy, handle, &copy);
	if (!status && simcuda_capture_admit(SIM_CALL_cusolverDnDestroy))
		status = SIM_CUSOLVER_STATUS_INTERNAL_ERROR;
	if (status)
		return status;
	simcuda_drain();
	pthread_mutex_lock(&lock);
	struct sim_cusolver_handle **link = handle_find(handle), *gone = link ? *link : NULL;
	if (link)
		*link = gone->next;
	pthread_mutex_unlock(&lock);
	simcuda_memory_give(copy.pool);
	simcuda_alive_add(SIMCUDA_SOLVER, gone ? -1 : 0);
	free(gone);
	return 0;
}

int cusolverDnSetStream(void *handle, void *stream)
{
	struct sim_cusolver_handle copy;
	EXPECT(handle, cusolverDnSetStream);
	int status = sim_cusolver_open(SIM_CALL_cusolverDnSetStream, handle, &copy);
	if (status)
		return status;
	copy.stream = stream;
	handle_store(&copy);
	return 0;
}

#if SIMCUDA_MAJOR >= 12
/* Reads one setting of a handle. */
static int handle_get(int status, int value, int *to)
{
	if (!status && !to)
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (!status)
		*to = value;
	return status;
}
#endif

int cusolverDnGetStream(void *handle, void **stream)
{
	struct sim_cusolver_handle copy;
	EXPECT(handle, cusolverDnGetStream);
	int status = sim_cusolver_open(SIM_CALL_cusolverDnGetStream, handle, &copy);
	if (!status && !stream)
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (!status)
		*stream = copy.stream;
	return status;
}

#if SIMCUDA_MAJOR >= 12
int cusolverDnSetDeterministicMode(void *handle, int mode)
{
	struct sim_cusolver_handle copy;
	int status = sim_cusolver_open(SIM_CALL_cusolverDnSetDeterministicMode, handle, &copy);
	if (!status && mode != 1 && mode != 2)
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (status)
		return status;
	copy.deterministic_mode = mode;
	handle_store(&copy);
	return 0;
}

int cusolverDnGetDeterministicMode(void *handle, int *mode)
{
	struct sim_cusolver_handle copy = {0};
	int status = sim_cusolver_open(SIM_CALL_cusolverDnGetDeterministicMode, handle, &copy);
	return handle_get(status, copy.deterministic_mode, mode);
}
#endif

#if SIMCUDA_MAJOR >= 13
int cusolverDnSetMathMode(void *handle, int mode)
{
	struct sim_cusolver_handle copy;
	int status = sim_cusolver_open(SIM_CALL_cusolverDnSetMathMode, handle, &copy);
	if (!status && mode != 1 && mode != 2)
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (status)
		return status;
	copy.math_mode = mode;
	handle_store(&copy);
	return 0;
}

int cusolverDnGetMathMode(void *handle, int *mode)
{
	struct sim_cusolver_handle copy = {0};
	int status = sim_cusolver_open(SIM_CALL_cusolverDnGetMathMode, handle, &copy);
	return handle_get(status, copy.math_mode, mode);
}
#endif

/* -- parameters: memory of the host only -- */

static struct sim_cusolver_params **params_find(const void *params)
{
	for (struct sim_cusolver_params **link = &params_list; *link; link = &(*link)->next)
		if ((*link)->handle == (uintptr_t)params)
			return link;
	return NULL;
}

bool sim_cusolver_find_params(const void *params, struct sim_cusolver_params *copy)
{
	pthread_mutex_lock(&lock);
	struct sim_cusolver_params **link = params ? params_find(params) : NULL;
	if (link)
		*copy = **link;
	pthread_mutex_unlock(&lock);
	return link;
}

/* Measured: parameters need no driver. */
int cusolverDnCreateParams(void **params)
{
	EXPECT(params, cusolverDnCreateParams);
	int status = simcuda_enter(SIM_CALL_cusolverDnCreateParams);
	if (status)
		return status;
	struct sim_cusolver_params *made = calloc(1, sizeof *made);
	if (!made)
		return SIM_CUSOLVER_STATUS_ALLOC_FAILED;
	pthread_mutex_lock(&lock);
	made->handle = first_params + 64 * ++params_count;
	made->next = params_list;
	params_list = made;
	pthread_mutex_unlock(&lock);
	simcuda_alive_add(SIMCUDA_SOLVER_PARAMS, 1);
	*params = (void *)made->handle;
	return 0;
}

int cusolverDnDestroyParams(void *params)
{
	int status = simcuda_enter(SIM_CALL_cusolverDnDestroyParams);
	/* Measured: NULL is destroyed at once. */
	if (status || !params)
		return status;
	pthread_mutex_lock(&lock);
	struct sim_cusolver_params **link = params_find(params), *gone = link ? *link : NULL;
	if (link)
		*link = gone->next;
	pthread_mutex_unlock(&lock);
	simcuda_alive_add(SIMCUDA_SOLVER_PARAMS, gone ? -1 : 0);
	free(gone);
	return link ? 0 : SIM_CUSOLVER_STATUS_INVALID_VALUE;
}

int cusolverDnSetAdvOptions(void *params, int function, int algorithm)
{
	EXPECT(params, cusolverDnSetAdvOptions);
	int status = simcuda_enter(SIM_CALL_cusolverDnSetAdvOptions);
	if (status)
		return status;
	bool valid = function >= 0 && function < SIM_DN_FUNCTIONS && algorithm >= SIM_ALG_0 &&
	             algorithm <= SIM_ALG_2;
	pthread_mutex_lock(&lock);
	struct sim_cusolver_params **link = valid ? params_find(params) : NULL;
	if (link)
		(*link)->algorithms[function] = algorithm;
	pthread_mutex_unlock(&lock);
	return link ? 0 : SIM_CUSOLVER_STATUS_INVALID_VALUE;
}

/* Answers without a driver. The versions are those of CUDA 11.8, 12.6.0 and 13.0. */
int cusolverGetProperty(int property, int *value)
{
	static const int versions[][3] = {[11] = {11, 4, 1}, [12] = {11, 6, 4}, [13] = {12, 0, 4}};
	EXPECT(value, cusolverGetProperty);
	int status = simcuda_enter(SIM_CALL_cusolverGetProperty);
	if (!status && (property < SIM_PROPERTY_MAJOR || property > SIM_PROPERTY_PATCH))
		status = SIM_CUSOLVER_STATUS_INVALID_VALUE;
	if (!status)
		*value = versions[SIMCUDA_MAJOR][property];
	return status;
}
