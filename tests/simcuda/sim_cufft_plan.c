/* sim_cufft_plan.c - exported: planners and the settings of a plan */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cufft_plan.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_cufft_plan *plans;
static int plan_count;

static struct sim_cufft_plan **plan_find(int id)
{
	for (struct sim_cufft_plan **link = &plans; *link; link = &(*link)->next)
		if ((*link)->id == id)
			return link;
	return NULL;
}

int sim_cufft_open(int call, int id, struct sim_cufft_plan *copy)
{
	int result = simcuda_enter(call);
	if (result)
		return result;
	/*
	 * There are no plans without a driver or in a fork child. Asked before the lock is taken.
	 */
	if (simcuda_guard(SIMCUDA_NEEDS_DRIVER))
		return SIM_CUFFT_INVALID_PLAN;
	pthread_mutex_lock(&lock);
	struct sim_cufft_plan **link = plan_find(id);
	if (link)
		*copy = **link;
	pthread_mutex_unlock(&lock);
	if (link)
		simcuda_expect_context(copy->context, "a cuFFT plan");
	if (link && simcuda_capture_admit(call))
		return SIM_CUFFT_INTERNAL_ERROR;
	return link ? 0 : SIM_CUFFT_INVALID_PLAN;
}

static void plan_store(const struct sim_cufft_plan *copy)
{
	pthread_mutex_lock(&lock);
	struct sim_cufft_plan **link = plan_find(copy->id);
	if (link) {
		struct sim_cufft_plan *next = (*link)->next;
		**link = *copy;
		(*link)->next = next;
	}
	pthread_mutex_unlock(&lock);
}

static int plan_create(int *id)
{
	if (!id)
		return SIM_CUFFT_INVALID_VALUE;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT))
		return SIM_CUFFT_INTERNAL_ERROR;
	struct sim_cufft_plan *made = calloc(1, sizeof *made);
	if (!made)
		return SIM_CUFFT_ALLOC_FAILED;
	made->context = simcuda_context();
	made->automatic = true;
	pthread_mutex_lock(&lock);
	*id = made->id = ++plan_count;
	made->next = plans;
	plans = made;
	pthread_mutex_unlock(&lock);
	simcuda_alive_add(SIMCUDA_PLAN, 1);
	return 0;
}

static void plan_destroy(struct sim_cufft_plan *plan)
{
	if (plan->own_area || plan->tables)
		simcuda_drain();
	if (plan->own_area)
		simcuda_memory_give(plan->own_area);
	if (plan->tables)
		simcuda_memory_give(plan->tables);
	pthread_mutex_lock(&lock);
	struct sim_cufft_plan **link = plan_find(plan->id), *gone = link ? *link : NULL;
	if (link)
		*link = gone->next;
	pthread_mutex_unlock(&lock);
	simcuda_alive_add(SIMCUDA_PLAN, gone ? -1 : 0);
	free(gone);
}

/*
 * As many bytes as the data have as complex numbers. This is nearer to the vendor's costly plans
 * than to its cheap ones.
 */
static size_t plan_work_bytes(const struct sim_cufft_shape *shape)
{
	size_t element = sim_cufft_is_double(shape->type) ? 16 : 8;
	size_t bytes = shape->n[0] * shape->n[1] * shape->n[2] * shape->batch * element;
	return bytes < 1024 ? 1024 : bytes;
}

/* One root of unity for each point of each dimension. */
static size_t plan_table_bytes(const struct sim_cufft_shape *shape)
{
	return (shape->n[0] + shape->n[1] + shape->n[2]) *
	       (sim_cufft_is_double(shape->type) ? 16 : 8);
}

/* Allocates all of the plan's device memory, or none. */
static bool plan_take_memory(struct sim_cufft_plan *plan)
{
	if (simcuda_memory_take(&plan->tables, plan_table_bytes(&plan->shape)))
		return false;
	if (!plan->automatic || !simcuda_memory_take(&plan->own_area, plan->work_bytes))
		return true;
	simcuda_memory_give(plan->tables);
	plan->tables = NULL;
	return false;
}

static int plan_make(struct sim_cufft_plan *plan, const struct sim_cufft_request *request,
                     size_t *work_size)
{
	if (plan->made)
		return SIM_CUFFT_INVALID_PLAN;
	int result = sim_cufft_shape_make(request, &plan->shape);
	if (result)
		return result;
	if (simcuda_guard(SIMCUDA_NEEDS_CONTEXT))
		return SIM_CUFFT_INTERNAL_ERROR;
	if (plan->context != simcuda_context())
		return SIM_CUFFT_INVALID_DEVICE;
	plan->work_bytes = plan_work_bytes(&plan->shape);
	if (!plan_take_memory(plan))
		return SIM_CUFFT_ALLOC_FAILED;
	plan->work_area = plan->own_area;
	plan->made = true;
	if (work_size)
		*work_size = plan->work_bytes;
	plan_store(plan);
	return 0;
}

/*
 * Planners that create and make a plan in one call. The program's variable is written on success
 * only.
 */
static int plan_whole(int call, int *id, const struct sim_cufft_request *request)
{
	struct sim_cufft_plan plan;
	int made, result = simcuda_enter(call);
	if (!result && !id)
		result = SIM_CUFFT_INVALID_VALUE;
	if (!result && simcuda_capture_admit(call))
		result = SIM_CUFFT_INTERNAL_ERROR;
	if (!result)
		result = plan_create(&made);
	if (result)
		return result;
	pthread_mutex_lock(&lock);
	plan = **plan_find(made);
	pthread_mutex_unlock(&lock);
	result = plan_make(&plan, request, NULL);
	if (result)
		plan_destroy(&plan);
	else
		*id = made;
	return result;
}

int cufftCreate(int *id)
{
	int result = simcuda_enter(SIM_CALL_cufftCreate);
	if (!result && simcuda_capture_admit(SIM_CALL_cufftCreate))
		result = SIM_CUFFT_INTERNAL_ERROR;
	return result ? result : plan_create(id);
}

int cufftDestroy(int id)
{
	struct sim_cufft_plan plan;
	int result = sim_cufft_open(SIM_CALL_cufftDestroy, id, &plan);
	if (!result)
		plan_destroy(&plan);
	return result;
}

int cufftSetAutoAllocation(int id, int automatic)
{
	struct sim_cufft_plan plan;
	int result = sim_cufft_open(SIM_CALL_cufftSetAutoAllocation, id, &plan);
	if (!result && plan.made)
		result = SIM_CUFFT_INVALID_PLAN;
	if (result)
		return result;
	plan.automatic = automatic;
	plan_store(&plan);
	return 0;
}

/* Frees the plan's own work area, if it has one. */
int cufftSetWorkArea(int id, void *work_area)
{
	struct sim_cufft_plan plan;
	int result = sim_cufft_open(SIM_CALL_cufftSetWorkArea, id, &plan);
	if (!result && !plan.made)
		result = SIM_CUFFT_INVALID_PLAN;
	if (!result && (uintptr_t)work_area % 256)
		result = SIM_CUFFT_INVALID_VALUE;
	if (result)
		return result;
	if (plan.own_area) {
		simcuda_drain();
		simcuda_memory_give(plan.own_area);
	}
	plan.own_area = NULL;
	plan.work_area = work_area;
	plan_store(&plan);
	return 0;
}

/* Widens the int arrays of the planners with int arguments. NULL stays NULL. */
static const long long *widen(const int *from, int rank, long long to[3])
{
	for (int i = 0; from && i < rank && i < 3; i++)
		to[i] = from[i];
	return from ? to : NULL;
}

int cufftMakePlanMany64(int id, int rank, long long *n, long long *inembed, long long istride,
                        long long idist, long long *onembed, long long ostride, long long odist,
                        int type, long long batch, size_t *work_size)
{
	struct sim_cufft_plan plan;
	struct sim_cufft_request r = {rank,    type,  n,       inembed, onembed,
	                              istride, idist, ostride, odist,   batch};
	int result = sim_cufft_open(SIM_CALL_cufftMakePlanMany64, id, &plan);
	return result ? result : plan_make(&plan, &r, work_size);
}

int cufftMakePlanMany(int id, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                      int ostride, int odist, int type, int batch, size_t *work_size)
{
	long long wide[3][3];
	struct sim_cufft_plan plan;
	struct sim_cufft_request r = {rank,
	                              type,
	                              widen(n, rank, wide[0]),
	                              widen(inembed, rank, wide[1]),
	                              widen(onembed, rank, wide[2]),
	                              istride,
	                              idist,
	                              ostride,
	                              odist,
	                              batch};
	int result = sim_cufft_open(SIM_CALL_cufftMakePlanMany, id, &plan);
	return result ? result : plan_make(&plan, &r, work_size);
}

int cufftPlanMany(int *id, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                  int ostride, int odist, int type, int batch)
{
	long long wide[3][3];
	struct sim_cufft_request r = {rank,
	                              type,
	                              widen(n, rank, wide[0]),
	                              widen(inembed, rank, wide[1]),
	                              widen(onembed, rank, wide[2]),
	                              istride,
	                              idist,
	                              ostride,
	                              odist,
	                              batch};
	return plan_whole(SIM_CALL_cufftPlanMany, id, &r);
}

int cufftPlan1d(int *id, int nx, int type, int batch)
{
	const long long n[1] = {nx};
	struct sim_cufft_request r = {.rank = 1, .type = type, .n = n, .batch = batch};
	return plan_whole(SIM_CALL_cufftPlan1d, id, &r);
}

int cufftPlan2d(int *id, int nx, int ny, int type)
{
	const long long n[2] = {nx, ny};
	struct sim_cufft_request r = {.rank = 2, .type = type, .n = n, .batch = 1};
	return plan_whole(SIM_CALL_cufftPlan2d, id, &r);
}

int cufftPlan3d(int *id, int nx, int ny, int nz, int type)
{
	const long long n[3] = {nx, ny, nz};
	struct sim_cufft_request r = {.rank = 3, .type = type, .n = n, .batch = 1};
	return plan_whole(SIM_CALL_cufftPlan3d, id, &r);
}

int cufftGetSize(int id, size_t *work_size)
{
	struct sim_cufft_plan plan;
	int result = sim_cufft_open(SIM_CALL_cufftGetSize, id, &plan);
	if (!result && !plan.made)
		result = SIM_CUFFT_INVALID_PLAN;
	if (!result && !work_size)
		result = SIM_CUFFT_INVALID_VALUE;
	if (!result)
		*work_size = plan.work_bytes;
	return result;
}

int cufftSetStream(int id, void *stream)
{
	struct sim_cufft_plan plan;
	int result = sim_cufft_open(SIM_CALL_cufftSetStream, id, &plan);
	if (result)
		return result;
	plan.stream = stream;
	plan_store(&plan);
	return 0;
}

int cufftGetVersion(int *version)
{
	static const int versions[] = {[11] = 10900, [12] = 11200, [13] = 12000};
	int result = simcuda_enter(SIM_CALL_cufftGetVersion);
	if (!result && !version)
		result = SIM_CUFFT_INVALID_VALUE;
	if (!result)
		*version = versions[SIMCUDA_MAJOR];
	return result;
}
