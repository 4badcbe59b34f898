/* fft_plans.c - a table of cuFFT plans by shape; making, measuring and destroying them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/fft/fft_plans.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "shim/base/observe.h"
#include "shim/base/one_off.h"

static pthread_mutex_t fft_plans_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct fft_plan fft_plans_all[FFT_PLANS_MAX];
static uint64_t fft_plans_clock;
static atomic_int fft_plans_process; /* 0: before the first plan */
static _Atomic(const struct cuda_api *) fft_plans_api;

/* One at a time, so that each measures its own tables. */
static pthread_mutex_t fft_plans_building = PTHREAD_MUTEX_INITIALIZER;

/* Plan tables are smaller; more beyond the work area's size was taken by another program. */
static const uint64_t fft_plans_tables_most_bytes = UINT64_C(64) << 20;

static int fft_plans_choose_type(const struct fft_shape *shape)
{
	const bool single = shape->element == ELEMENT_C;
	switch (shape->family) {
	case FAMILY_FFT_R2C: return single ? CUFFT_TYPE_R2C : CUFFT_TYPE_D2Z;
	case FAMILY_FFT_C2R: return single ? CUFFT_TYPE_C2R : CUFFT_TYPE_Z2D;
	default: return single ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z;
	}
}

/* Embeddings are always given: with NULL cuFFT would ignore stride and distance. */
static int fft_plans_fill(const struct cuda_api *api, struct fft_plan *plan)
{
	const struct fft_shape *shape = &plan->shape;
	long long n[FFT_GPU_RANK], in[FFT_GPU_RANK], out[FFT_GPU_RANK];
	for (int i = 0; i < shape->rank; i++) {
		n[i] = shape->n[i];
		in[i] = shape->input.embed[i];
		out[i] = shape->output.embed[i];
	}
	const int status = api->fft_set_auto_allocation(plan->handle, 0);
	if (status != CUFFT_FINE)
		return status;
	return api->fft_make_plan_many(plan->handle, shape->rank, n, in, shape->input.stride,
	                               shape->input.distance, out, shape->output.stride,
	                               shape->output.distance, fft_plans_choose_type(shape),
	                               shape->batch, &plan->work_bytes);
}

static int fft_plans_create(const struct cuda_api *api, struct fft_plan *plan)
{
	plan->work_bytes = 0;
	int status = api->fft_create(&plan->handle);
	if (status != CUFFT_FINE)
		return status;
	status = fft_plans_fill(api, plan);
	if (status != CUFFT_FINE)
		api->fft_destroy(plan->handle);
	return status;
}

/*
 * No function reports what a plan holds beside its work area, so the device's free memory is read
 * before and after. The driver allocates in steps, and other processes may allocate meanwhile:
 * hence the bounds. The first plans also load code, which stays when they are destroyed.
 */
static int fft_plans_measure(const struct cuda_api *api, struct fft_plan *plan)
{
	int64_t before, after;
	plan->table_bytes = 0;
	const bool known = memory_measure_others(plan->device, &before);
	const int status = fft_plans_create(api, plan);
	if (status != CUFFT_FINE || !known || !memory_measure_others(plan->device, &after) ||
	    after <= before)
		return status;
	const uint64_t most_bytes = plan->work_bytes + fft_plans_tables_most_bytes;
	plan->table_bytes =
		(uint64_t)(after - before) < most_bytes ? (uint64_t)(after - before) : most_bytes;
	return status;
}

static enum reason fft_plans_judge(int status)
{
	switch (status) {
	case CUFFT_FINE: return REASON_NONE;
	case CUFFT_OUT_OF_MEMORY: return REASON_DEVICE_MEMORY;
	case CUFFT_NO_SUCH_TYPE:
	case CUFFT_NO_SUCH_VALUE:
	case CUFFT_NO_SUCH_SIZE:
	case CUFFT_NOT_BUILT:
	case CUFFT_NOT_OFFERED: return REASON_UNSUPPORTED_LAYOUT;
	default: return REASON_LIBRARY_FAILED;
	}
}

/*
 * Fills handle, work_bytes and table_bytes for plan->shape on plan->device, which is current. Where
 * memory is short idle blocks and plans are given up, so the mutex must not be held. Reasons as for
 * fft_plans_take; then nothing is left.
 */
static enum reason fft_plans_build(const struct cuda_api *api, struct fft_plan *plan)
{
	const int64_t begin_ns = observe_begin("make cuFFT plan");
	one_off_begin();
	pthread_mutex_lock(&fft_plans_building);
	int status = fft_plans_measure(api, plan);
	while (status == CUFFT_OUT_OF_MEMORY && memory_shrink(plan->device))
		status = fft_plans_measure(api, plan);
	enum reason reason = fft_plans_judge(status);
	if (reason == REASON_NONE && plan->table_bytes > 0) {
		reason = memory_reserve(plan->device, plan->table_bytes);
		if (reason == REASON_DEVICE_MEMORY && lanes_share_bytes(plan->device) > 0) {
			/* deterministic: the measurement may contain another program's memory. */
			plan->table_bytes = 0;
			reason = REASON_NONE;
		}
		if (reason != REASON_NONE)
			api->fft_destroy(plan->handle);
	}
	pthread_mutex_unlock(&fft_plans_building);
	one_off_end();
	observe_end("make cuFFT plan", begin_ns);
	return reason;
}

/* Nothing runs on the plan. The current device need not be the plan's, and is kept. */
static void fft_plans_destroy(const struct cuda_api *api, const struct fft_plan *plan)
{
	int current = plan->device;
	api->get_device(&current);
	if (current != plan->device)
		guest_select(plan->device);
	api->fft_destroy(plan->handle);
	if (current != plan->device)
		guest_select(current);
	memory_release(plan->device, plan->table_bytes);
}

static bool fft_plans_match(const struct fft_plan *plan, int device, const struct fft_shape *shape)
{
	return plan->device == device && fft_map_shapes_equal(&plan->shape, shape);
}

/* An unused plan of this shape, or the record of its refusal; preferably the one of this key. */
static struct fft_plan *fft_plans_find(int device, const struct fft_shape *shape, const void *key)
{
	struct fft_plan *found = NULL;
	for (int i = 0; i < FFT_PLANS_MAX; i++) {
		struct fft_plan *plan = &fft_plans_all[i];
		const bool known = plan->state == FFT_PLAN_IDLE || plan->state == FFT_PLAN_REFUSED;
		if (known && fft_plans_match(plan, device, shape) &&
		    (found == NULL || plan->key == key))
			found = plan;
	}
	return found;
}

enum { FFT_PLANS_ANY_DEVICE = -1 };

/* The least recently used plan in this state, or NULL. */
static struct fft_plan *fft_plans_find_oldest(enum fft_plan_state state, int device)
{
	struct fft_plan *oldest = NULL;
	for (int i = 0; i < FFT_PLANS_MAX; i++) {
		struct fft_plan *plan = &fft_plans_all[i];
		if (plan->state == state &&
		    (device == FFT_PLANS_ANY_DEVICE || plan->device == device) &&
		    (oldest == NULL || plan->used < oldest->used))
			oldest = plan;
	}
	return oldest;
}

/*
 * A free entry, else a refusal (cuFFT would be asked again), else an idle plan (to be made again).
 */
static struct fft_plan *fft_plans_find_place(void)
{
	static const enum fft_plan_state order[] = {FFT_PLAN_FREE, FFT_PLAN_REFUSED, FFT_PLAN_IDLE};
	struct fft_plan *place = NULL;
	for (size_t i = 0; i < sizeof order / sizeof order[0] && place == NULL; i++)
		place = fft_plans_find_oldest(order[i], FFT_PLANS_ANY_DEVICE);
	return place;
}

/* Reserves a plan or an entry for one; NULL: all are busy. *old: its former value. */
static struct fft_plan *fft_plans_reserve(int device, const struct fft_shape *shape,
                                          const void *key, struct fft_plan *old)
{
	pthread_mutex_lock(&fft_plans_mutex);
	struct fft_plan *plan = fft_plans_find(device, shape, key);
	if (plan == NULL)
		plan = fft_plans_find_place();
	if (plan != NULL) {
		*old = *plan;
		if (plan->state != FFT_PLAN_REFUSED || !fft_plans_match(plan, device, shape))
			plan->state = FFT_PLAN_BUSY;
		plan->shape = *shape;
		plan->device = device;
		plan->key = key;
		plan->used = ++fft_plans_clock;
	}
	pthread_mutex_unlock(&fft_plans_mutex);
	return plan;
}

static void fft_plans_set_state(struct fft_plan *plan, enum fft_plan_state state)
{
	pthread_mutex_lock(&fft_plans_mutex);
	plan->state = state;
	pthread_mutex_unlock(&fft_plans_mutex);
}

/* The pool's reclaimer: destroys the least recently used idle plan. false: there is none. */
static bool fft_plans_reclaim(int device)
{
	struct fft_plan gone;
	pthread_mutex_lock(&fft_plans_mutex);
	struct fft_plan *plan = fft_plans_find_oldest(FFT_PLAN_IDLE, device);
	if (plan != NULL) {
		gone = *plan;
		plan->state = FFT_PLAN_FREE;
	}
	pthread_mutex_unlock(&fft_plans_mutex);
	if (plan != NULL)
		fft_plans_destroy(atomic_load(&fft_plans_api), &gone);
	return plan != NULL;
}

static void fft_plans_start(const struct cuda_api *api)
{
	if (atomic_load(&fft_plans_process) == getpid())
		return;
	atomic_store(&fft_plans_api, api);
	atomic_store(&fft_plans_process, getpid());
	memory_set_reclaimer(MEMORY_RECLAIM_PLANS, fft_plans_reclaim);
}

enum reason fft_plans_take(struct lane *lane, const struct fft_shape *shape, const void *key,
                           struct fft_plan **taken)
{
	struct fft_plan old;
	fft_plans_start(lane->api);
	struct fft_plan *plan = fft_plans_reserve(lane->device, shape, key, &old);
	if (plan == NULL)
		return REASON_LIBRARY_FAILED;
	const bool kept = old.state != FFT_PLAN_FREE && fft_plans_match(&old, lane->device, shape);
	if (kept && old.state == FFT_PLAN_REFUSED)
		return REASON_UNSUPPORTED_LAYOUT;
	if (!kept && old.state == FFT_PLAN_IDLE)
		fft_plans_destroy(lane->api, &old);
	const enum reason reason = kept ? REASON_NONE : fft_plans_build(lane->api, plan);
	if (reason == REASON_NONE)
		*taken = plan;
	else
		fft_plans_set_state(plan, reason == REASON_UNSUPPORTED_LAYOUT ? FFT_PLAN_REFUSED
		                                                              : FFT_PLAN_FREE);
	return reason;
}

void fft_plans_give(struct fft_plan *plan, bool usable)
{
	if (usable)
		fft_plans_set_state(plan, FFT_PLAN_IDLE);
}

/* In a fork child another thread may have held the mutex. */
static bool fft_plans_is_own_process(void)
{
	const int process = atomic_load(&fft_plans_process);
	return process != 0 && process == getpid();
}

static bool fft_plans_is_like(const struct fft_shape *a, const struct fft_shape *b)
{
	bool like = a->family == b->family && a->element == b->element && a->rank == b->rank;
	for (int i = 0; i < a->rank && like; i++)
		like = a->n[i] == b->n[i];
	return like;
}

/* By the key where shape is NULL. */
static bool fft_plans_has(int device, const void *key, const struct fft_shape *shape)
{
	bool found = false;
	if (!fft_plans_is_own_process())
		return false;
	pthread_mutex_lock(&fft_plans_mutex);
	for (int i = 0; i < FFT_PLANS_MAX && !found; i++) {
		const struct fft_plan *plan = &fft_plans_all[i];
		const bool known = plan->state == FFT_PLAN_IDLE || plan->state == FFT_PLAN_REFUSED;
		found = known && plan->device == device &&
		        (shape != NULL ? fft_plans_is_like(&plan->shape, shape) : plan->key == key);
	}
	pthread_mutex_unlock(&fft_plans_mutex);
	return found;
}

bool fft_plans_has_key(int device, const void *key)
{
	return key != NULL && fft_plans_has(device, key, NULL);
}

bool fft_plans_has_like(int device, const struct fft_shape *shape)
{
	return fft_plans_has(device, NULL, shape);
}

void fft_plans_forget(const void *key)
{
	if (!fft_plans_is_own_process())
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
