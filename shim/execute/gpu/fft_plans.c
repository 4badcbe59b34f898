/* fft_plans.c - a small table of cuFFT plans, by shape */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft_plans.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t fft_plans_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct fft_plan fft_plans_all[FFT_PLANS_MAX];
static uint64_t fft_plans_clock;
static atomic_int fft_plans_process; /* the process that has plans, 0 before the first */

static struct fft_shape fft_plans_read_shape(const struct fft_problem *problem)
{
	struct fft_shape shape = {problem->family, problem->element, problem->rank, {1, 1, 1}, problem->loop.n};
	for (int i = 0; i < problem->rank; i++)
		shape.n[i] = problem->dims[i].n;
	return shape;
}

static bool fft_plans_equal(const struct fft_shape *a, const struct fft_shape *b)
{
	return a->family == b->family && a->element == b->element && a->rank == b->rank && a->howmany == b->howmany &&
	       a->n[0] == b->n[0] && a->n[1] == b->n[1] && a->n[2] == b->n[2];
}

/* An idle plan of this shape; by choice the one that served this key before. */
static struct fft_plan *fft_plans_find(const struct fft_shape *shape, const void *key)
{
	struct fft_plan *found = NULL;
	for (int i = 0; i < FFT_PLANS_MAX; i++) {
		struct fft_plan *plan = &fft_plans_all[i];
		if (plan->state == FFT_PLAN_IDLE && fft_plans_equal(&plan->shape, shape) &&
		    (found == NULL || plan->key == key))
			found = plan;
	}
	return found;
}

/* A free place, else the idle plan that was not used for longest, else NULL. */
static struct fft_plan *fft_plans_find_place(void)
{
	struct fft_plan *oldest = NULL;
	for (int i = 0; i < FFT_PLANS_MAX; i++) {
		struct fft_plan *plan = &fft_plans_all[i];
		if (plan->state == FFT_PLAN_FREE)
			return plan;
		if (plan->state == FFT_PLAN_IDLE && (oldest == NULL || plan->used < oldest->used))
			oldest = plan;
	}
	return oldest;
}

/* Reserves a plan or a place for one. *kept: it holds a plan of this shape; *handle: one to be destroyed, or -1. */
static struct fft_plan *fft_plans_reserve(const struct fft_shape *shape, const void *key, bool *kept, int *handle)
{
	pthread_mutex_lock(&fft_plans_mutex);
	struct fft_plan *plan = fft_plans_find(shape, key);
	*kept = plan != NULL;
	*handle = -1;
	if (plan == NULL)
		plan = fft_plans_find_place();
	if (plan != NULL) {
		if (!*kept && plan->state == FFT_PLAN_IDLE)
			*handle = plan->handle;
		plan->state = FFT_PLAN_BUSY;
		plan->shape = *shape;
		plan->key = key;
		plan->used = ++fft_plans_clock;
	}
	pthread_mutex_unlock(&fft_plans_mutex);
	return plan;
}

static int fft_plans_choose_type(const struct fft_shape *shape)
{
	const bool single = shape->element == ELEMENT_C;
	switch (shape->family) {
	case FAMILY_FFT_R2C: return single ? CUFFT_TYPE_R2C : CUFFT_TYPE_D2Z;
	case FAMILY_FFT_C2R: return single ? CUFFT_TYPE_C2R : CUFFT_TYPE_Z2D;
	default: return single ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z;
	}
}

/* Tight on both sides, and said so: with NULL for the embedding cuFFT would ignore stride and distance. */
static int fft_plans_fill(const struct cuda_api *api, struct fft_plan *plan)
{
	const struct fft_shape *shape = &plan->shape;
	const int last = shape->rank - 1;
	long long n[FFT_RANK_MAX], in[FFT_RANK_MAX], out[FFT_RANK_MAX], in_distance = 1, out_distance = 1;
	for (int i = 0; i < shape->rank; i++) {
		n[i] = in[i] = out[i] = shape->n[i];
		if (i == last && shape->family == FAMILY_FFT_R2C)
			out[i] = n[i] / 2 + 1;
		if (i == last && shape->family == FAMILY_FFT_C2R)
			in[i] = n[i] / 2 + 1;
		in_distance *= in[i];
		out_distance *= out[i];
	}
	int status = api->fft_set_auto_allocation(plan->handle, 0);
	if (status == CUFFT_FINE)
		status = api->fft_make_plan_many(plan->handle, shape->rank, n, in, 1, in_distance, out, 1, out_distance,
		                                 fft_plans_choose_type(shape), shape->howmany, &plan->work_bytes);
	return status;
}

static enum reason fft_plans_make(const struct cuda_api *api, struct fft_plan *plan)
{
	plan->work_bytes = 0;
	if (api->fft_create(&plan->handle) != CUFFT_FINE)
		return REASON_LIBRARY_FAILED;
	if (fft_plans_fill(api, plan) == CUFFT_FINE)
		return REASON_NONE;
	api->fft_destroy(plan->handle);
	return REASON_LIBRARY_FAILED;
}

static void fft_plans_set_state(struct fft_plan *plan, int state)
{
	pthread_mutex_lock(&fft_plans_mutex);
	plan->state = state;
	pthread_mutex_unlock(&fft_plans_mutex);
}

enum reason fft_plans_take(struct lane *lane, const struct fft_call *call, struct fft_plan **taken)
{
	const struct fft_shape shape = fft_plans_read_shape(call->problem);
	bool kept;
	int old_handle;
	struct fft_plan *plan = fft_plans_reserve(&shape, call->plan_key, &kept, &old_handle);
	if (plan == NULL)
		return REASON_LIBRARY_FAILED;
	atomic_store(&fft_plans_process, getpid());
	if (old_handle != -1)
		lane->api->fft_destroy(old_handle);
	if (!kept && fft_plans_make(lane->api, plan) != REASON_NONE) {
		fft_plans_set_state(plan, FFT_PLAN_FREE);
		return REASON_LIBRARY_FAILED;
	}
	*taken = plan;
	return REASON_NONE;
}

void fft_plans_give(struct fft_plan *plan, bool usable)
{
	if (usable)
		fft_plans_set_state(plan, FFT_PLAN_IDLE);
}

/* In a fork child the mutex may be held for ever by a thread that is not there. */
void fft_plans_forget(const void *key)
{
	const int process = atomic_load(&fft_plans_process);
	if (process == 0 || process != getpid())
		return;
	pthread_mutex_lock(&fft_plans_mutex);
	for (int i = 0; i < FFT_PLANS_MAX; i++) {
		if (fft_plans_all[i].key != key)
			continue;
		fft_plans_all[i].key = NULL;
		fft_plans_all[i].used = 0;
	}
	pthread_mutex_unlock(&fft_plans_mutex);
}
