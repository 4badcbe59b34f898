/* observe.h - engines report their work to an observer; without one, a load and a branch */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_OBSERVE_H
#define GPUSHIM_SHIM_BASE_OBSERVE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What one lane of a device does concurrently, each on a track of its own. */
enum observe_track {
	OBSERVE_LINK_UP,
	OBSERVE_KERNELS,
	OBSERVE_LINK_DOWN,
	OBSERVE_COMMITS,
	OBSERVE_TRACKS
};

/*
 * One operation of a track. Its times are the host's, not the device's: queued_ns is when it was
 * queued; begin_ns the latest of that, the end of the track's previous operation, and the end of
 * what it waited for; end_ns when it was seen to be done. So operations of one track never overlap,
 * and each ends a little later than on the device.
 */
struct observe_operation {
	int device, lane;
	enum observe_track track;
	int64_t begin_ns, end_ns, queued_ns;
	uint64_t size_bytes, call;
};

/*
 * Times are of clock_monotonic_ns. name is a literal; call is a number of find_call, 0 if unknown.
 * From any thread; begin and end nest within a thread, and begin's result, never 0, is passed to
 * end. span: a range that is over.
 */
struct observer {
	int64_t (*begin)(const char *name);
	void (*end)(const char *name, int64_t begin_ns, uint64_t size_bytes, uint64_t call);
	void (*span)(const char *name, int64_t begin_ns, int64_t end_ns);
	void (*operate)(const struct observe_operation *operation);
	uint64_t (*find_call)(void); /* of the calling thread */
};

/* Read by observe_find. */
extern _Atomic(const struct observer *) observe_listener;

/* Sets the observer. It is never removed, since a thread may be inside one of its functions. */
void observe_set(const struct observer *listener);

static inline const struct observer *observe_find(void)
{
	return atomic_load_explicit(&observe_listener, memory_order_acquire);
}

static inline int64_t observe_begin(const char *name)
{
	const struct observer *listener = observe_find();
	return __builtin_expect(listener != NULL, 0) ? listener->begin(name) : 0;
}

static inline void observe_end_piece(const char *name, int64_t begin_ns, uint64_t size_bytes,
                                     uint64_t call)
{
	if (__builtin_expect(begin_ns != 0, 0))
		observe_find()->end(name, begin_ns, size_bytes, call);
}

/* The end of work on the call that the thread is in. */
static inline void observe_end(const char *name, int64_t begin_ns)
{
	if (__builtin_expect(begin_ns != 0, 0))
		observe_find()->end(name, begin_ns, 0, observe_find()->find_call());
}

static inline uint64_t observe_find_call(void)
{
	const struct observer *listener = observe_find();
	return __builtin_expect(listener != NULL, 0) ? listener->find_call() : 0;
}

#endif
