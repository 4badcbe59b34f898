/* lanes.c - the pool of lanes, and the calling thread's CUDA state around a call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/lanes.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/base/futex.h"
#include "shim/base/one_off.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/device/lane_owner.h"
#include "shim/shield/shield.h"

/* Larger staging is unmapped after each call. */
static const uint64_t lanes_staging_kept_bytes = UINT64_C(256) << 20;

/*
 * What a call itself counts as work: less than any noted work, enough to spread calls of unknown
 * work.
 */
enum { LANES_CALL_NS = 1 };

/* How long a waiting thread sleeps before it looks for calls that their thread has left. */
enum { LANES_LOOK_NS = 20000000 };

/* lost: number of retired lanes. */
struct lanes_device {
	struct lane lane[LANES_MAX];
	_Atomic int64_t work_ns;
	atomic_int lost;
	atomic_bool started, barred;
	uint64_t given; /* calls that have given their lane back */
};

static pthread_mutex_t lanes_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t lanes_changes; /* waiting threads sleep on it */
static struct lanes_device lanes_devices[CUDA_DEVICES];
/* the devices in the order of their start */
static atomic_int lanes_order[CUDA_DEVICES], lanes_started;
static const struct cuda_set *lanes_set;
static bool lanes_closed;
static atomic_int lanes_process;          /* 0: not started; read without the mutex */
static atomic_int lanes_most = LANES_MAX; /* lanes per device */
static _Atomic int64_t lanes_lonely_ns;

void lanes_start(const struct cuda_set *set)
{
	pthread_mutex_lock(&lanes_mutex);
	lanes_set = set;
	lanes_bind_start(&set->api);
	pthread_mutex_unlock(&lanes_mutex);
	atomic_store(&lanes_process, getpid());
}

const struct cuda_set *lanes_find_set(void)
{
	return lanes_set;
}

/* In a fork child CUDA does not work, and another thread may have held the mutex. */
bool lanes_is_own_process(void)
{
	return atomic_load(&lanes_process) == getpid();
}

static void lanes_wake(void)
{
	atomic_fetch_add(&lanes_changes, 1);
	futex_wake(&lanes_changes, INT32_MAX);
}

void lanes_close(void)
{
	if (!lanes_is_own_process())
		return;
	pthread_mutex_lock(&lanes_mutex);
	lanes_closed = true;
	pthread_mutex_unlock(&lanes_mutex);
	lanes_wake();
}

void lanes_fix(void)
{
	atomic_store(&lanes_most, LANES_FIXED);
}

/* LANES_FIXED workspaces are never given back, so they are not part of a share. */
uint64_t lanes_share_bytes(int device)
{
	const uint64_t limit_bytes = memory_limit(device);
	if (atomic_load(&lanes_most) != LANES_FIXED)
		return 0;
	const uint64_t kept_bytes =
		LANES_FIXED * lanes_devices[device].lane[0].workspace->size_bytes;
	return limit_bytes > kept_bytes ? (limit_bytes - kept_bytes) / LANES_FIXED : 1;
}

struct lane *lanes_at(int device, int number)
{
	return &lanes_devices[device].lane[number];
}

bool lanes_is_busy(struct lane *lane)
{
	pthread_mutex_lock(&lanes_mutex);
	const bool busy = lane->state == LANE_BUSY;
	pthread_mutex_unlock(&lanes_mutex);
	return busy;
}

static void lanes_set_state(struct lane *lane, enum lane_state state)
{
	pthread_mutex_lock(&lanes_mutex);
	lane->state = state;
	pthread_mutex_unlock(&lanes_mutex);
	lanes_wake();
}

enum reason lanes_create_first(const struct cuda_device *card, const struct cuda_guard *guard)
{
	struct lanes_device *device = &lanes_devices[card->number];
	const enum reason reason = lane_build(&device->lane[0], lanes_set, card, guard);
	lanes_set_state(&device->lane[0], reason == REASON_NONE ? LANE_IDLE : LANE_RETIRED);
	if (reason != REASON_NONE)
		return reason;
	const int place = atomic_load(&lanes_started);
	atomic_store(&lanes_order[place], card->number);
	atomic_store(&device->started, true);
	atomic_store(&lanes_started, place + 1);
	return REASON_NONE;
}

int lanes_find_number(const struct lane *lane)
{
	return (int)(lane - lanes_devices[lane->device].lane);
}

int lanes_device_at(int place)
{
	return atomic_load(&lanes_order[place]);
}

int lanes_count(void)
{
	return atomic_load(&lanes_started);
}

bool lanes_takes_calls(int device)
{
	return device >= 0 && device < CUDA_DEVICES && atomic_load(&lanes_devices[device].started);
}

const char *lanes_find_bus_id(int device)
{
	return lanes_takes_calls(device) ? lanes_devices[device].lane[0].card->pci_bus_id : "";
}

static int64_t lanes_load_ns(const struct lanes_device *device)
{
	return atomic_load(&device->lost) == atomic_load(&lanes_most)
	               ? INT64_MAX
	               : atomic_load(&device->work_ns);
}

int lanes_choose(void)
{
	const int count = lanes_count();
	int chosen = atomic_load(&lanes_order[0]);
	int64_t least_ns = lanes_load_ns(&lanes_devices[chosen]);
	for (int i = 1; i < count; i++) {
		const int device = atomic_load(&lanes_order[i]);
		const int64_t load_ns = lanes_load_ns(&lanes_devices[device]);
		if (load_ns < least_ns && !atomic_load(&lanes_devices[device].barred)) {
			chosen = device;
			least_ns = load_ns;
		}
	}
	return chosen;
}

void lanes_bar(int device, bool barred)
{
	atomic_store(&lanes_devices[device].barred, barred);
}

void lanes_note_lonely(int64_t work_ns)
{
	if (lanes_count() == 1)
		atomic_fetch_add(&lanes_lonely_ns, work_ns);
}

int64_t lanes_find_lonely_ns(void)
{
	return atomic_load_explicit(&lanes_lonely_ns, memory_order_relaxed);
}

void lanes_note_work(int device, int64_t work_ns)
{
	atomic_fetch_add(&lanes_devices[device].work_ns, work_ns);
}

void lanes_note_call_work(struct lane *lane, int64_t work_ns)
{
	lane->noted_ns += work_ns;
	lanes_note_work(lane->device, work_ns);
}

static struct lane *lanes_find(struct lanes_device *device, enum lane_state state)
{
	const int count = atomic_load(&lanes_most);
	for (int i = 0; i < count; i++)
		if (device->lane[i].state == state)
			return &device->lane[i];
	return NULL;
}

/* Whether a thread that finds no idle lane may build one, and whether it may wait for one. */
struct lanes_wish {
	bool may_build, may_wait;
};

/*
 * An idle lane, or an absent one to be built (*fresh), as the wish allows. NULL: there is none;
 * *last: nor will there be.
 */
static struct lane *lanes_pick(struct lanes_device *device, struct lanes_wish wish, bool *fresh,
                               bool *last)
{
	pthread_mutex_lock(&lanes_mutex);
	struct lane *lane = lanes_closed ? NULL : lanes_find(device, LANE_IDLE);
	if (lane == NULL && !lanes_closed && wish.may_build)
		lane = lanes_find(device, LANE_ABSENT);
	*last = lanes_closed || lanes_find(device, LANE_BUSY) == NULL;
	if (lane != NULL) {
		*fresh = lane->state == LANE_ABSENT;
		lane->state = LANE_BUSY;
	}
	pthread_mutex_unlock(&lanes_mutex);
	return lane;
}

/* While it sleeps the thread holds nothing, and handlers of the program run. */
static void lanes_sleep(uint32_t seen)
{
	shield_open();
	futex_wait(&lanes_changes, seen, LANES_LOOK_NS);
	shield_close();
}

static struct lane *lanes_wait(struct lanes_device *device, struct lanes_wish wish, bool *fresh)
{
	for (;;) {
		const uint32_t seen = atomic_load(&lanes_changes);
		bool last;
		struct lane *lane = lanes_pick(device, wish, fresh, &last);
		if (lane != NULL || last || !wish.may_wait)
			return lane;
		lanes_sleep(seen);
		lanes_recover();
	}
}

static enum reason lanes_build(struct lane *lane, int device)
{
	one_off_begin();
	const enum reason reason =
		lane_build(lane, lanes_set, lanes_devices[device].lane[0].card, NULL);
	one_off_end();
	return reason;
}

/* Makes the device current, and builds the lane if it is fresh. */
static enum reason lanes_enter(struct lane *lane, bool fresh, int device)
{
	enum reason reason = lanes_bind_enter(device, &lane->caller, &lane->caller_error);
	if (reason == REASON_NONE && fresh) {
		reason = lanes_build(lane, device);
		if (reason != REASON_NONE)
			lanes_bind_leave(&lane->caller, lane->caller_error);
	}
	if (reason != REASON_NONE)
		lanes_set_state(lane, fresh ? LANE_ABSENT : LANE_IDLE);
	return reason;
}

/* Where no further lane can be built, waits for one of the existing ones. */
static enum reason lanes_take_any(int device, bool may_wait, struct lane **taken)
{
	bool fresh = false;
	enum reason reason = REASON_DEVICE_FAILED;
	struct lane *lane =
		lanes_wait(&lanes_devices[device], (struct lanes_wish){true, may_wait}, &fresh);
	if (lane == NULL)
		return reason;
	reason = lanes_enter(lane, fresh, device);
	if (reason != REASON_NONE && fresh) {
		lane = lanes_wait(&lanes_devices[device], (struct lanes_wish){false, may_wait},
		                  &fresh);
		reason = lane == NULL ? reason : lanes_enter(lane, false, device);
	}
	if (reason == REASON_NONE)
		*taken = lane;
	return reason;
}

static enum reason lanes_take_for_call(int device, bool may_wait, struct lane **taken)
{
	const int caller_errno = errno;
	int caller_cancel;
	if (!lanes_is_own_process() || !lanes_takes_calls(device))
		return REASON_DEVICE_FAILED;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &caller_cancel);
	lanes_note_work(device, LANES_CALL_NS);
	enum reason reason = lanes_take_any(device, may_wait, taken);
	if (reason == REASON_NONE && !lane_owner_begin(*taken)) {
		lanes_bind_leave(&(*taken)->caller, (*taken)->caller_error);
		lanes_set_state(*taken, LANE_IDLE);
		reason = REASON_DEVICE_FAILED;
	}
	if (reason == REASON_NONE) {
		(*taken)->caller_errno = caller_errno;
		(*taken)->caller_cancel = caller_cancel;
	} else {
		lanes_note_work(device, -LANES_CALL_NS);
		pthread_setcancelstate(caller_cancel, NULL);
		errno = caller_errno;
	}
	return reason;
}

enum reason lanes_take(int device, struct lane **taken)
{
	return lanes_take_for_call(device, true, taken);
}

bool lanes_take_spare(int place, struct lane **taken)
{
	if (place >= lanes_count())
		return false;
	const int device = atomic_load(&lanes_order[place]);
	return lanes_load_ns(&lanes_devices[device]) == 0 &&
	       !atomic_load(&lanes_devices[device].barred) &&
	       lanes_take_for_call(device, false, taken) == REASON_NONE;
}

void lanes_abandon(struct lane *lane)
{
	lane->broken = true;
}

enum reason lanes_confirm(struct lane *lane)
{
	const int error = lane->api->stream_synchronize(lane->stream);
	if (error == CUDA_SUCCESS)
		return REASON_NONE;
	if (cuda_is_fatal(error))
		lanes_lose();
	/*
	 * Work may still be pending on the stream, with this lane's memory: none of it is used
	 * again.
	 */
	lane->broken = true;
	return REASON_DEVICE_FAILED;
}

void lanes_note_error(struct lane *lane, int error)
{
	if (cuda_is_fatal(error)) {
		lanes_lose();
		lane->broken = true;
	}
}

static void lanes_trim_staging(struct lane *lane)
{
	if (lane->staging_bytes <= lanes_staging_kept_bytes)
		return;
	munmap(lane->staging, lane->staging_bytes);
	lane->staging = NULL;
	lane->staging_bytes = 0;
}

/*
 * Whether another call on the device will end without our help: one that does not wait itself. The
 * mutex is held.
 */
static bool lanes_has_other(const struct lanes_device *device, const struct lane *lane)
{
	for (int i = 0; i < LANES_MAX; i++)
		if (&device->lane[i] != lane && device->lane[i].state == LANE_BUSY &&
		    !device->lane[i].waits)
			return true;
	return false;
}

static bool lanes_is_alone(const struct lane *lane)
{
	pthread_mutex_lock(&lanes_mutex);
	const bool alone = !lanes_has_other(&lanes_devices[lane->device], lane);
	pthread_mutex_unlock(&lanes_mutex);
	return alone;
}

/* Frees what the call took. Nothing of the call is pending any more. */
void lanes_clean(struct lane *lane)
{
	for (int i = 0; i < lane->block_count; i++)
		memory_give(lane->block[i]);
	lane->block_count = 0;
	lanes_trim_staging(lane);
	if (guest_select(lane->device))
		memory_relieve(lane->device, lanes_is_alone(lane));
}

static void lanes_note_given(struct lanes_device *device)
{
	pthread_mutex_lock(&lanes_mutex);
	device->given++;
	pthread_mutex_unlock(&lanes_mutex);
}

void lanes_end(struct lane *lane)
{
	const int device = lane->device;
	const bool retired = lane->broken;
	lanes_note_work(device, -LANES_CALL_NS - lane->noted_ns);
	lane->noted_ns = 0;
	lane->loan_count = 0;
	lane->owner.leader = NULL;
	if (retired)
		atomic_fetch_add(&lanes_devices[device].lost, 1);
	lanes_note_given(&lanes_devices[device]);
	lanes_set_state(lane, retired ? LANE_RETIRED : LANE_IDLE);
}

void lanes_give(struct lane *lane)
{
	if (!lane_owner_end(lane)) {
		lane_owner_forget();
		return;
	}
	const int caller_errno = lane->caller_errno, caller_cancel = lane->caller_cancel;
	lane->broken = lane->broken || !lanes_bind_is_whole();
	if (!lane->broken)
		lanes_clean(lane);
	lanes_bind_leave(&lane->caller, lane->caller_error);
	lanes_end(lane);
	errno = caller_errno;
	pthread_setcancelstate(caller_cancel, NULL);
}

bool lanes_wait_for_other(struct lane *lane, uint64_t *given)
{
	struct lanes_device *device = &lanes_devices[lane->device];
	bool waits = true, ended = false;
	while (waits) {
		const uint32_t seen = atomic_load(&lanes_changes);
		pthread_mutex_lock(&lanes_mutex);
		waits = !lanes_closed && device->given == *given && lanes_has_other(device, lane);
		ended = !lanes_closed && device->given != *given;
		lane->waits = waits;
		if (!waits)
			*given = device->given;
		pthread_mutex_unlock(&lanes_mutex);
		if (waits) {
			futex_wait(&lanes_changes, seen, LANES_LOOK_NS);
			lanes_recover();
		}
	}
	return ended;
}

int64_t lanes_find_work_ns(int device)
{
	const int64_t work_ns = atomic_load(&lanes_devices[device].work_ns);
	return work_ns > 0 ? work_ns / 2 : 0;
}
