/* lanes.c - who has which stream, and what a call leaves behind */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/lanes.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/execute/gpu/lane_build.h"

/* Staging up to this size is kept between calls; more is given back to the system each time. */
static const uint64_t lanes_staging_kept_bytes = UINT64_C(256) << 20;

static pthread_mutex_t lanes_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t lanes_freed = PTHREAD_COND_INITIALIZER;
static struct lane lanes_all[LANES_MAX];
static const struct cuda_set *lanes_set;
static bool lanes_closed;
static atomic_int lanes_process, lanes_device; /* 0: not started; read without the mutex */
static atomic_bool lanes_lost;

void lanes_start(const struct cuda_set *set)
{
	pthread_mutex_lock(&lanes_mutex);
	lanes_set = set;
	pthread_mutex_unlock(&lanes_mutex);
	atomic_store(&lanes_device, set->device);
	atomic_store(&lanes_process, getpid());
}

/* In a fork child CUDA does not work, and another thread may have held the mutex: the number is the whole test. */
static bool lanes_is_own_process(void)
{
	return atomic_load(&lanes_process) == getpid();
}

void lanes_close(void)
{
	if (!lanes_is_own_process())
		return;
	pthread_mutex_lock(&lanes_mutex);
	lanes_closed = true;
	pthread_cond_broadcast(&lanes_freed);
	pthread_mutex_unlock(&lanes_mutex);
}

bool lanes_context_lost(void)
{
	return atomic_load(&lanes_lost);
}

static void lanes_set_state(struct lane *lane, enum lane_state state)
{
	pthread_mutex_lock(&lanes_mutex);
	lane->state = state;
	pthread_cond_broadcast(&lanes_freed);
	pthread_mutex_unlock(&lanes_mutex);
}

enum reason lanes_create_first(const struct cuda_gate *gate)
{
	const enum reason reason = lane_build(&lanes_all[0], lanes_set, gate);
	lanes_set_state(&lanes_all[0], reason == REASON_NONE ? LANE_IDLE : LANE_RETIRED);
	return reason;
}

static struct lane *lanes_find(enum lane_state state)
{
	for (int i = 0; i < LANES_MAX; i++)
		if (lanes_all[i].state == state)
			return &lanes_all[i];
	return NULL;
}

/* An idle lane, else, if may_build, a place for a new one (*fresh), else NULL: none is left or all are closed. */
static struct lane *lanes_wait(bool may_build, bool *fresh)
{
	struct lane *lane = NULL;
	pthread_mutex_lock(&lanes_mutex);
	while (!lanes_closed) {
		lane = lanes_find(LANE_IDLE);
		if (lane == NULL && may_build)
			lane = lanes_find(LANE_ABSENT);
		if (lane != NULL || lanes_find(LANE_BUSY) == NULL)
			break;
		pthread_cond_wait(&lanes_freed, &lanes_mutex);
	}
	if (lane != NULL) {
		*fresh = lane->state == LANE_ABSENT;
		lane->state = LANE_BUSY;
	}
	pthread_mutex_unlock(&lanes_mutex);
	return lane;
}

/* Makes the lane's device current. */
static enum reason lanes_enter_device(struct lane *lane)
{
	const struct cuda_api *api = &lanes_set->api;
	lane->caller_error = api->peek_at_last_error();
	if (api->get_device(&lane->caller_device) != CUDA_SUCCESS)
		return REASON_DEVICE_FAILED;
	if (lane->caller_device != lanes_set->device && api->set_device(lanes_set->device) != CUDA_SUCCESS)
		return REASON_DEVICE_FAILED;
	return REASON_NONE;
}

/* The thread as it was found. An error that the program had pending stays; one of ours goes. */
static void lanes_leave_device(const struct lane *lane)
{
	const struct cuda_api *api = &lanes_set->api;
	if (lane->caller_device != lanes_set->device)
		api->set_device(lane->caller_device);
	if (lane->caller_error == CUDA_SUCCESS && api->peek_at_last_error() != CUDA_SUCCESS)
		api->get_last_error();
}

/* The thread got a lane: enters the device and builds the lane if it is a new one. */
static enum reason lanes_enter(struct lane *lane, bool fresh)
{
	enum reason reason = lanes_enter_device(lane);
	if (reason == REASON_NONE && fresh)
		reason = lane_build(lane, lanes_set, NULL);
	if (reason != REASON_NONE) {
		lanes_leave_device(lane);
		lanes_set_state(lane, fresh ? LANE_ABSENT : LANE_IDLE);
	}
	return reason;
}

/* Where no further lane can be built, the thread waits for one of the others. */
static enum reason lanes_take_any(struct lane **taken)
{
	bool fresh = false;
	enum reason reason = REASON_DEVICE_FAILED;
	struct lane *lane = lanes_wait(true, &fresh);
	if (lane == NULL)
		return reason;
	reason = lanes_enter(lane, fresh);
	if (reason != REASON_NONE && fresh) {
		lane = lanes_wait(false, &fresh);
		reason = lane == NULL ? reason : lanes_enter(lane, false);
	}
	if (reason == REASON_NONE)
		*taken = lane;
	return reason;
}

enum reason lanes_take(int device, struct lane **taken)
{
	const int caller_errno = errno;
	int caller_cancel;
	if (!lanes_is_own_process() || atomic_load(&lanes_device) != device)
		return REASON_DEVICE_FAILED;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &caller_cancel);
	const enum reason reason = lanes_take_any(taken);
	if (reason == REASON_NONE) {
		(*taken)->caller_errno = caller_errno;
		(*taken)->caller_cancel = caller_cancel;
	} else {
		pthread_setcancelstate(caller_cancel, NULL);
		errno = caller_errno;
	}
	return reason;
}

enum reason lanes_confirm(struct lane *lane)
{
	const int error = lane->api->stream_synchronize(lane->stream);
	if (error == CUDA_SUCCESS)
		return REASON_NONE;
	if (cuda_is_fatal(error))
		atomic_store(&lanes_lost, true);
	/* Something may still run on the stream, with this lane's memory on both sides: none of it is used again. */
	lane->broken = true;
	return REASON_DEVICE_FAILED;
}

enum reason lanes_finish(struct lane *lane, enum reason reason)
{
	const enum reason confirmed = lanes_confirm(lane);
	return reason == REASON_NONE ? confirmed : reason;
}

static void lanes_trim_staging(struct lane *lane)
{
	if (lane->staging_bytes <= lanes_staging_kept_bytes)
		return;
	munmap(lane->staging, lane->staging_bytes);
	lane->staging = NULL;
	lane->staging_bytes = 0;
}

void lanes_give(struct lane *lane)
{
	const bool retired = lane->broken;
	lanes_leave_device(lane);
	for (int i = 0; i < lane->block_count && !retired; i++)
		memory_give(lane->block[i]);
	lane->block_count = 0;
	if (!retired)
		lanes_trim_staging(lane);
	const int caller_errno = lane->caller_errno, caller_cancel = lane->caller_cancel;
	lanes_set_state(lane, retired ? LANE_RETIRED : LANE_IDLE);
	errno = caller_errno;
	pthread_setcancelstate(caller_cancel, NULL);
}

enum reason lanes_take_memory(struct lane *lane, uint64_t size_bytes, void **pointer)
{
	struct memory_block *block;
	if (lane->block_count == LANES_BLOCKS)
		return REASON_DEVICE_MEMORY;
	const enum reason reason = memory_take(size_bytes, &block);
	if (reason != REASON_NONE)
		return reason;
	lane->block[lane->block_count++] = block;
	*pointer = block->pointer;
	return REASON_NONE;
}

void *lanes_take_staging(struct lane *lane, uint64_t size_bytes)
{
	if (size_bytes <= lane->staging_bytes)
		return lane->staging;
	if (lane->staging != NULL)
		munmap(lane->staging, lane->staging_bytes);
	lane->staging_bytes = 0;
	void *staging = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	lane->staging = staging == MAP_FAILED ? NULL : staging;
	if (lane->staging != NULL)
		lane->staging_bytes = size_bytes;
	return lane->staging;
}
