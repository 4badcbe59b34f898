/* sim_engine.h - inside of the cudart stand-in: devices, memory, streams and the order of work */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_ENGINE_H
#define SIMCUDA_SIM_ENGINE_H

#include <fenv.h>
#include <stdbool.h>

#include "simcuda.h"

enum { SIM_MAX_DEVICES = 16 };

/* As cudaDevAttrComputeMode numbers them. */
enum sim_mode { SIM_MODE_DEFAULT = 0, SIM_MODE_PROHIBITED = 2, SIM_MODE_EXCLUSIVE = 3 };

/* sim_config.c: the environment's values at the first call */
struct sim_config {
	int devices;        /* cards of the machine, see sim_visible.h */
	int driver;         /* 1000 * major + 10 * minor; 0: none */
	unsigned exclusive; /* bit i: card i is exclusive to a process, and another one has it */
	enum sim_mode compute_mode;
	int mps_clients;     /* that the server of MPS takes on a card; 0: there is none */
	bool visible;        /* CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER have an effect */
	int capability;      /* 10 * major + minor; 0: not set, see sim_profile.h */
	size_t memory_bytes; /* 0: not set */
	uint64_t seed;
	double link_gbytes, compute_gflops;
	double first_ms;    /* first use of a kernel on a device */
	bool pageable_late; /* Async copies of pageable memory do not hold the host either */
	bool host_tables;   /* devices read and write ordinary host memory */
	int memory_node;    /* NUMA node that the memory of devices is; -1: none */
	double pin_us_per_mib, pageable_us_per_mib;
};
const struct sim_config *sim_config(void);
/* False, and nothing written, when the text is not a size. */
bool sim_config_parse_size(const char *text, size_t *size_bytes);
bool sim_config_parse_capability(const char *text, int *capability);

/* sim_hooks.c: counting, slowing down and injecting errors */
/*
 * Injected faults beside errors: an operation never ends, its result is wrong, or its info says
 * that there is none. No status has these numbers.
 */
enum { SIM_HANG = -1, SIM_WRONG = -2, SIM_INFO = -3 };
/* The error to inject into this use of the call, 0 for none. Never blocks on the engine's lock. */
int sim_hooks_use(int call);
const char *sim_hooks_name(int call);

/* sim_float.c */
/*
 * Raises invalid, division by zero, overflow and inexact in the environment of the calling thread;
 * beside: in a new thread, which inherits that environment.
 */
void sim_float_raise(void);
void sim_float_raise_beside(void);
/* Between these two the thread computes as the device does: to nearest, without traps, in full. */
void sim_float_hold(fenv_t *host);
void sim_float_restore(const fenv_t *host);

/* sim_error.c */
bool sim_error_sticks(int error);
/* Every exported function begins with sim_begin and returns through sim_end. */
int sim_begin(int call, int need);
int sim_end(int error);

/* sim_device.c */
enum sim_engine_kind {
	SIM_ENGINE_UPLOAD,
	SIM_ENGINE_DOWNLOAD,
	SIM_ENGINE_COMPUTE,
	SIM_ENGINE_NONE
};

struct sim_allocation;
struct sim_stream;

/* A card with its primary context, or a context of the driver API on a card. */
struct sim_device {
	int index; /* of the card */
	bool open, foreign;
	unsigned long long context; /* identity of the open context; 0: none */
	unsigned long contexts_made, retained;
	bool by_runtime; /* the runtime uses it, so that it does not end with its last release */
	int sticky_error;
	char *base; /* the program's address: no access */
	char *view; /* the same memory for the engine */
	size_t region_bytes, total_bytes, used_bytes, high_bytes;
	size_t context_bytes;               /* part of used_bytes */
	struct sim_allocation *allocations; /* sorted by address */
	struct sim_stream *null_stream;
	uint64_t engine_ns[SIM_ENGINE_NONE + 1]; /* virtual clocks without SIMCUDA_CLOCK */
	/* With SIMCUDA_CLOCK: the stream whose first operation each engine works on. */
	struct sim_stream *busy[SIM_ENGINE_NONE];
	uint64_t ended_ns[SIM_ENGINE_NONE]; /* when each engine's last operation ended */
	double boosted_ns; /* for which level 3 ran at its boosted rate, see boost_ms */
};

/* NULL when there is no such device. The array is fixed; access to the contents needs the lock. */
struct sim_device *sim_device_at(int index);
/* All cards, then all contexts of the driver API; NULL behind the last. */
struct sim_device *sim_device_each(int i);
struct sim_device *sim_device_current(void);
/* The card's device; a card is its own. */
struct sim_device *sim_device_card(struct sim_device *device);
int sim_device_reset(void);
/* Lock held. open creates the context, close destroys it with all that it has. */
int sim_device_open(struct sim_device *device);
void sim_device_close(struct sim_device *device);
/* Whether CUDA was initialised in some process. */
bool sim_device_is_owned(void);
/* The device whose operation the calling thread executes, or NULL. */
struct sim_device **sim_device_executing(void);

/* sim_schedule.c: the lock and the order of operations */
void sim_lock(void);
void sim_unlock(void);
/* A number below `bound` from the seeded sequence. Lock held. */
unsigned sim_random(unsigned bound);

/*
 * What a thread waits for: a stream up to a sequence number, a mark, or a whole device up to a
 * number.
 */
struct sim_goal {
	struct sim_stream *stream;
	struct sim_mark *mark;
	struct sim_device *device;
	uint64_t limit;
};
/*
 * Executes operations until the goal is reached, in an order chosen by the seed or by the clock.
 * Lock held, dropped while an operation runs.
 */
void sim_schedule_reach(const struct sim_goal *goal);
/*
 * Executes a few operations towards the goal, or none, because a poll gives a device some time.
 * True when the goal is reached.
 */
bool sim_schedule_poll(const struct sim_goal *goal);

/*
 * For sim_clock.c, lock held. obstacle: the stream that keeps the goal from being reached. blocker:
 * the stream that must progress before this stream's first operation may run. finish: ends that
 * operation, with or without an error. sleep: waits until some thread has ended an operation.
 */
struct sim_stream *sim_schedule_obstacle(const struct sim_goal *goal);
struct sim_stream *sim_schedule_blocker(const struct sim_stream *stream);
void sim_schedule_finish(struct sim_stream *stream, int error);
void sim_schedule_sleep(void);
void sim_schedule_wake(void);

/* sim_clock.c: operations that take virtual time */
bool sim_clock_is_on(void);
/*
 * As sim_schedule_reach and sim_schedule_poll, with the goal held by the caller. An unsuccessful
 * poll advances the time.
 */
void sim_clock_reach(const struct sim_goal *goal);
bool sim_clock_poll(const struct sim_goal *goal);
/* The calling thread computes for so long; 0: until something ends. Lock held. */
void sim_clock_work(double work_ns);
/* Lock held. 0 without a clock. */
uint64_t sim_clock_now(void);

/* sim_host.c: alarms of host threads; lock held */
/* Nanoseconds until the next one. INFINITY: none. */
double sim_host_due(double now_ns);
/* Calls the first alarm that is due, without the lock; false: none is. */
bool sim_host_ring(double now_ns);

/* sim_memory.c */
bool sim_memory_open(struct sim_device *device);
void sim_memory_clear(struct sim_device *device);
/* All need the lock. */
/* by_program: counted as the program's own, see sim_memory_count. */
int sim_memory_take(struct sim_device *device, size_t size_bytes, bool by_program, void **pointer);
int sim_memory_give(void *pointer);
/* The device whose range holds the address, allocated or not. */
struct sim_device *sim_memory_device(const void *pointer);
bool sim_memory_is_live(const void *pointer);
/* Takes bytes of the card, or gives them back; take returns false where too few are left. */
bool sim_memory_charge(struct sim_device *device, size_t taken_bytes);
void sim_memory_discharge(struct sim_device *device, size_t given_bytes);
/* What the processes of the machine leave of the device's memory. */
size_t sim_memory_left(struct sim_device *device);
unsigned long sim_memory_count(const struct sim_device *device);

/* sim_pinned.c: page-locked and managed memory */
enum sim_pinned { SIM_PINNED_NO, SIM_PINNED_WHOLE, SIM_PINNED_PARTLY };
int sim_pinned_take(size_t size_bytes, int device, void **pointer);
int sim_pinned_give(void *pointer);
int sim_pinned_register(void *pointer, size_t size_bytes, int device);
int sim_pinned_unregister(void *pointer);
/* Whether the pages exist: a device with the host's page tables uses ordinary memory. */
bool sim_pinned_is_mapped(const void *pointer, size_t size_bytes);
enum sim_pinned sim_pinned_covers(const void *pointer, size_t size_bytes);
int sim_pinned_device(const void *pointer); /* -1 when not pinned */
int sim_pinned_node(const void *pointer);   /* that its thread asked for; -1: none */
/*
 * Managed memory is page-locked memory that is counted as the device's. Copies accept it as device
 * memory.
 */
int sim_pinned_take_managed(struct sim_device *device, size_t size_bytes, void **pointer);
int sim_pinned_give_managed(void *pointer);
/* Managed, allocated and registered memory of the card. */
void sim_pinned_clear(struct sim_device *device);
bool sim_pinned_is_managed(const void *pointer);
enum sim_pinned_kind { SIM_PINNED_ALLOCATED, SIM_PINNED_REGISTERED, SIM_PINNED_MANAGED };
unsigned long sim_pinned_count(enum sim_pinned_kind kind);

/* sim_stream.c */
enum sim_op_kind { SIM_OP_KERNEL_START, SIM_OP_KERNEL, SIM_OP_COPY, SIM_OP_RECORD, SIM_OP_WAIT };

/*
 * A point in a stream that an event recorded. References are counted: the event, the waits, the
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
	double bytes;     /* bytes to copy */
	uint64_t cost_ns; /* without SIMCUDA_CLOCK */
	double load_ns;   /* of a kernel with SIMCUDA_CLOCK: until its code is loaded */
	uint64_t issue_ns, start_ns, end_ns;
	int fault;     /* injected when the operation began */
	bool hung;     /* never ends */
	bool wrong;    /* one number of its result is wrong */
	bool unsolved; /* its info is not 0 */
	struct sim_progress {
		bool ready, active;
		double ready_ns;
		/*
		 * delay_ns: until the work begins. left: rest of the work, bytes for a copy over
		 * the link, otherwise nanoseconds.
		 */
		double delay_ns, left;
	} progress;
};

struct sim_stream {
	struct sim_stream *next;
	uintptr_t handle;
	unsigned long number; /* ordinal of creation */
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
/* One past the sequence number of the operation queued last. */
uint64_t sim_stream_limit(void);
void sim_op_free(struct sim_op *op);
/*
 * Whether the stream's operation hangs on a living device. The death of a device ends its hung
 * operations.
 */
bool sim_stream_hangs(const struct sim_stream *stream);
unsigned long sim_stream_count(void);

/* sim_event.c */
struct sim_event {
	struct sim_event *next;
	uintptr_t handle;
	struct sim_device *device;
	bool timed;
	struct sim_mark *mark; /* NULL: never recorded */
	bool captured;         /* the latest record went into a graph */
};
struct sim_event *sim_event_new(struct sim_device *device, bool timed);
struct sim_event *sim_event_find(void *handle);
void sim_event_destroy(struct sim_event *event);
void sim_event_clear(struct sim_device *device);
int sim_event_record(struct sim_event *event, struct sim_stream *stream);
int sim_event_wait(struct sim_event *event, struct sim_stream *stream);
void sim_mark_release(struct sim_mark *mark);
unsigned long sim_event_count(void);

/* sim_execute.c: one operation */
/*
 * Both without the lock. Returns the fault to inject into the operation: 0, an error or SIM_HANG.
 * SIM_WRONG and SIM_INFO are noted in the operation instead.
 */
int sim_execute_fault(struct sim_op *op);
/*
 * Returns the operation's CUDA error. With SIMCUDA_DRY no data are touched, but addresses are
 * checked.
 */
int sim_execute(struct sim_device *device, struct sim_op *op);
/* Advances the virtual clocks past the operation. Lock held. */
void sim_execute_account(struct sim_stream *stream, struct sim_op *op);

/* sim_first.c */
/*
 * Before a launch by this function on the current device, without the lock: sleeps SIMCUDA_FIRST_MS
 * if it is the first one. With SIMCUDA_CLOCK returns that time instead, else 0.
 */
double sim_first_load_ns(int call);

/* sim_copy.c */
struct sim_copy_request {
	void *to;
	const void *from;
	size_t to_pitch, from_pitch, width, height;
	int kind;
};
/*
 * asynchronous: follows the Async functions' rules about when the host may continue. Takes the lock
 * itself.
 */
int sim_copy_submit(const struct sim_copy_request *request, void *stream, bool asynchronous);
int sim_copy_fill(const struct simcuda_area *area, int value, void *stream);
int sim_copy_run(struct sim_copy *copy);
void sim_copy_free(struct sim_copy *copy);
/* For graphs: another one like it; queues one like it. Lock held for the latter. */
struct sim_copy *sim_copy_clone(const struct sim_copy *copy);
int sim_copy_launch(const struct sim_copy *copy, void *stream);
/* A copy as a trace reports it: the sides that exist (height 0: none), and the direction. */
struct sim_copy_view {
	struct simcuda_area host, read, written;
	const char *kind;
	bool fill, pageable;
};
struct sim_copy_view sim_copy_describe(const struct sim_copy *copy);

/* sim_cost.c: how long an operation occupies its engine, by a profile */
/* Nanoseconds of work beyond the fixed time of every operation. Not for copies over the link. */
double sim_cost_work_ns(const struct sim_device *device, const struct sim_op *op);
/* The time of a kernel that takes work_ns at the sustained rate; notes what of it is boosted. */
double sim_cost_boost_ns(struct sim_device *device, const struct sim_op *op, double work_ns);
/* Bytes per nanosecond of a copy over the link. both: the other direction moves bytes too. */
double sim_cost_link_rate(const struct sim_device *device, const struct sim_op *op, bool both);

/* sim_trace.c */
/* Writes one line for the stream's first operation, which has ended. Lock held. */
void sim_trace_write(const struct sim_stream *stream, int error);

#endif
