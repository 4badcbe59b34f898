/* sim_engine.h - the inside of the cudart stand-in: devices, memory, streams and the order of their work */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_ENGINE_H
#define SIMCUDA_SIM_ENGINE_H

#include <stdbool.h>

#include "simcuda.h"

enum { SIM_MAX_DEVICES = 16 };

/*
 * -- sim_config.c: what the environment said at the first call
 * -----------------------------------------
 */
struct sim_config {
	int devices;
	int driver;          /* 1000 * major + 10 * minor; 0: none */
	int capability;      /* 10 * major + minor; 0: not said, see sim_profile.h */
	size_t memory_bytes; /* 0: not said */
	uint64_t seed;
	double link_gbytes, compute_gflops;
	bool pageable_late; /* Async copies of pageable memory do not hold the host either */
};
const struct sim_config *sim_config(void);
/* False, and nothing written, for text that is none. */
bool sim_config_parse_size(const char *text, size_t *size_bytes);
bool sim_config_parse_capability(const char *text, int *capability);

/*
 * -- sim_hooks.c: counting, slowness and injected errors
 * ------------------------------------------------
 */
/*
 * What is injected into an operation that never ends, or whose result is wrong; no status has these
 * numbers.
 */
enum { SIM_HANG = -1, SIM_WRONG = -2 };
/* The error to inject into this use of the call, 0 for none. Never blocks on the engine's lock. */
int sim_hooks_use(int call);
const char *sim_hooks_name(int call);

/*
 * -- sim_error.c
 * ----------------------------------------------------------------------------------------
 */
bool sim_error_sticks(int error);
/* Every exported function opens with sim_begin and returns through sim_end. */
int sim_begin(int call, int need);
int sim_end(int error);

/*
 * -- sim_device.c
 * ---------------------------------------------------------------------------------------
 */
enum sim_engine_kind {
	SIM_ENGINE_UPLOAD,
	SIM_ENGINE_DOWNLOAD,
	SIM_ENGINE_COMPUTE,
	SIM_ENGINE_NONE
};

struct sim_allocation;
struct sim_stream;

struct sim_device {
	int index;
	bool open;
	int sticky_error;
	char *base; /* what the program is given: no access */
	char *view; /* the same memory for the engine */
	size_t region_bytes, total_bytes, used_bytes, high_bytes;
	size_t context_bytes;               /* of used_bytes */
	struct sim_allocation *allocations; /* by address */
	struct sim_stream *null_stream;
	uint64_t engine_ns[SIM_ENGINE_NONE + 1]; /* virtual clocks without SIMCUDA_CLOCK */
	struct sim_stream
		*busy[SIM_ENGINE_NONE]; /* with it: whose first operation each engine works on */
};

/* NULL when there is no such device. The array is fixed; the contents need the lock. */
struct sim_device *sim_device_at(int index);
struct sim_device *sim_device_current(void);
int sim_device_select(int index);
int sim_device_reset(void);
/* The device that the calling thread is executing an operation of, or NULL. */
struct sim_device **sim_device_executing(void);

/*
 * -- sim_schedule.c: the lock and the order
 * ---------------------------------------------------------------
 */
void sim_lock(void);
void sim_unlock(void);
/* A number below `bound` from the seeded sequence. Lock held. */
unsigned sim_random(unsigned bound);

/*
 * What somebody waits for: a stream up to a sequence number, a mark, or a whole device up to a
 * number.
 */
struct sim_goal {
	struct sim_stream *stream;
	struct sim_mark *mark;
	struct sim_device *device;
	uint64_t limit;
};
/*
 * Executes operations, in an order of the seed's choosing or the clock's, until the goal is
 * reached. Lock held, dropped while an operation runs.
 */
void sim_schedule_reach(const struct sim_goal *goal);
/*
 * A few steps or none towards the goal, as polling gives a device time. True when the goal is
 * reached.
 */
bool sim_schedule_poll(const struct sim_goal *goal);

/*
 * For sim_clock.c. The stream that keeps the goal from being reached, or that must move before the
 * stream's first operation may run; the end of that operation, in whatever way; sleep until
 * somebody ended one. Lock held.
 */
struct sim_stream *sim_schedule_obstacle(const struct sim_goal *goal);
struct sim_stream *sim_schedule_blocker(const struct sim_stream *stream);
void sim_schedule_finish(struct sim_stream *stream, int error);
void sim_schedule_sleep(void);
void sim_schedule_wake(void);

/*
 * -- sim_clock.c: work that takes virtual time
 * ----------------------------------------------------------------
 */
bool sim_clock_is_on(void);
/*
 * As sim_schedule_reach and sim_schedule_poll; the goal is held already. Polling in vain lets time
 * pass.
 */
void sim_clock_reach(const struct sim_goal *goal);
bool sim_clock_poll(const struct sim_goal *goal);
/* Lock held; 0 where there is no clock. */
uint64_t sim_clock_now(void);

/*
 * -- sim_memory.c
 * -----------------------------------------------------------------------------------------
 */
bool sim_memory_open(struct sim_device *device);
void sim_memory_clear(struct sim_device *device);
/* All need the lock. */
/* by_program: counted as the program's own, see sim_memory_count. */
int sim_memory_take(struct sim_device *device, size_t size_bytes, bool by_program, void **pointer);
int sim_memory_give(void *pointer);
struct sim_device *sim_memory_device(const void *pointer); /* of the region, live or not */
bool sim_memory_is_live(const void *pointer);
void sim_memory_account(struct sim_device *device, size_t taken_bytes);
unsigned long sim_memory_count(const struct sim_device *device);

/*
 * -- sim_pinned.c: page-locked and managed memory
 * -----------------------------------------------------------
 */
enum sim_pinned { SIM_PINNED_NO, SIM_PINNED_WHOLE, SIM_PINNED_PARTLY };
int sim_pinned_take(size_t size_bytes, int device, void **pointer);
int sim_pinned_give(void *pointer);
int sim_pinned_register(void *pointer, size_t size_bytes, int device);
int sim_pinned_unregister(void *pointer);
enum sim_pinned sim_pinned_covers(const void *pointer, size_t size_bytes);
int sim_pinned_device(const void *pointer); /* -1 when not pinned */
/*
 * Managed memory is page-locked memory that counts as the device's, and may stand for it in copies.
 */
int sim_pinned_take_managed(struct sim_device *device, size_t size_bytes, void **pointer);
int sim_pinned_give_managed(void *pointer);
void sim_pinned_clear_managed(struct sim_device *device);
bool sim_pinned_is_managed(const void *pointer);
enum sim_pinned_kind { SIM_PINNED_ALLOCATED, SIM_PINNED_REGISTERED, SIM_PINNED_MANAGED };
unsigned long sim_pinned_count(enum sim_pinned_kind kind);

/*
 * -- sim_stream.c
 * -------------------------------------------------------------------------------------------
 */
enum sim_op_kind { SIM_OP_KERNEL_START, SIM_OP_KERNEL, SIM_OP_COPY, SIM_OP_RECORD, SIM_OP_WAIT };

/*
 * A point in a stream that an event recorded. Counted references: the event, the waits, the
 * operation.
 */
struct sim_mark {
	int references;
	bool done;
	uint64_t number;
	struct sim_stream *stream; /* valid until done */
	uint64_t virtual_ns;
};

struct sim_copy;

struct sim_op {
	struct sim_op *next;
	enum sim_op_kind kind;
	uint64_t sequence;
	struct simcuda_kernel kernel;
	uint64_t tag; /* what the start of a kernel wrote into its workspace */
	struct sim_copy *copy;
	struct sim_mark *mark;
	enum sim_engine_kind engine;
	double bytes;     /* of a copy */
	uint64_t cost_ns; /* without SIMCUDA_CLOCK */
	uint64_t issue_ns, start_ns, end_ns;
	int fault;  /* injected when it began */
	bool hung;  /* never ends */
	bool wrong; /* a number of its result is */
	struct sim_progress {
		bool ready, active;
		double ready_ns;
		double delay_ns,
			left; /* before the work begins; of the work: bytes of the link, else nanoseconds */
	} progress;
};

struct sim_stream {
	struct sim_stream *next;
	uintptr_t handle;
	unsigned long number; /* the how many-th */
	struct sim_device *device;
	bool is_null, blocking, destroyed, running;
	int pins; /* threads that wait for it */
	struct sim_op *head, *tail;
	uint64_t virtual_ns;
};

/* All need the lock. */
struct sim_stream *sim_stream_list(void);
struct sim_stream *sim_stream_new(struct sim_device *device, bool is_null, bool blocking);
struct sim_stream *sim_stream_find(void *handle); /* NULL handle: that of the current device */
void sim_stream_destroy(struct sim_stream *stream);
void sim_stream_reap(struct sim_stream *stream);
void sim_stream_clear(struct sim_device *device);
uint64_t sim_stream_append(struct sim_stream *stream, struct sim_op *op);
/* One past the sequence number of everything queued so far. */
uint64_t sim_stream_limit(void);
void sim_op_free(struct sim_op *op);
/* Hung, and its device alive: when a device dies, what hangs on it goes with it. */
bool sim_stream_hangs(const struct sim_stream *stream);
unsigned long sim_stream_count(void);

/*
 * -- sim_event.c
 * --------------------------------------------------------------------------------------------
 */
struct sim_event {
	struct sim_event *next;
	uintptr_t handle;
	struct sim_device *device;
	bool timed;
	struct sim_mark *mark; /* NULL: never recorded */
};
struct sim_event *sim_event_new(struct sim_device *device, bool timed);
struct sim_event *sim_event_find(void *handle);
void sim_event_destroy(struct sim_event *event);
void sim_event_clear(struct sim_device *device);
int sim_event_record(struct sim_event *event, struct sim_stream *stream);
int sim_event_wait(struct sim_event *event, struct sim_stream *stream);
void sim_mark_release(struct sim_mark *mark);
unsigned long sim_event_count(void);

/*
 * -- sim_execute.c: one operation
 * -----------------------------------------------------------------------------
 */
/*
 * Without the lock, both. What is injected into the operation: 0, an error, SIM_HANG; SIM_WRONG is
 * noted in it.
 */
int sim_execute_fault(struct sim_op *op);
/*
 * Returns the CUDA error it died of. Where no data are to be touched, addresses are still checked.
 */
int sim_execute(struct sim_device *device, struct sim_op *op);
/* Lock held: moves the virtual clocks past the operation. */
void sim_execute_account(struct sim_stream *stream, struct sim_op *op);

/*
 * -- sim_copy.c
 * -------------------------------------------------------------------------------------------------
 */
struct sim_copy_request {
	void *to;
	const void *from;
	size_t to_pitch, from_pitch, width, height;
	int kind;
};
/* asynchronous: the Async functions' rules about when the host may go on. Takes the lock itself. */
int sim_copy_submit(const struct sim_copy_request *request, void *stream, bool asynchronous);
int sim_copy_fill(void *pointer, int value, size_t count, void *stream);
int sim_copy_run(struct sim_copy *copy);
void sim_copy_free(struct sim_copy *copy);
/* What a trace says of it: the sides that are there (height 0: none), and which way it goes. */
struct sim_copy_view {
	struct simcuda_area host, read, written;
	const char *kind;
	bool fill, pageable;
};
struct sim_copy_view sim_copy_describe(const struct sim_copy *copy);

/*
 * -- sim_cost.c: how long an operation occupies its engine, by a profile
 * -----------------------------------------
 */
/* In nanoseconds, beside what every operation costs; only for what is no copy over the link. */
double sim_cost_work_ns(const struct sim_device *device, const struct sim_op *op);
/* Bytes per nanosecond of a copy over the link; both: the other direction moves too. */
double sim_cost_link_rate(const struct sim_device *device, const struct sim_op *op, bool both);

/*
 * -- sim_trace.c
 * -------------------------------------------------------------------------------------------------
 */
/* One line for the stream's first operation, which has ended. Lock held. */
void sim_trace_write(const struct sim_stream *stream, int error);

#endif
