/* flow_state.h - the state of a flow: three queues of operations, two rings; internal to flow*.c */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_STATE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_STATE_H

#include "shim/execute/gpu/copy/copiers.h"
#include "shim/execute/gpu/engine/flow_program.h"
#include "shim/execute/gpu/engine/staging.h"

/*
 * FLOW_SENDS: pending copies per link. With one behind the current one the link is never idle, and
 * the tickets that wait become one copy. PIECE_LEAST: a thread copies it in 3 us; handing it over
 * costs less than a tenth of that.
 */
enum {
	FLOW_OPS = LANE_EVENTS,
	FLOW_SENDS = 2,
	FLOW_TICKETS = 128,
	FLOW_PIECE_LEAST_BYTES = 1 << 15,
	FLOW_SLEEP_NS = 50000
};

/* Work on a stream up to an event. steps: steps of its kind that are complete with it. */
struct flow_op {
	uint32_t steps;
	uint32_t tickets; /* of a copy: number of ring tickets */
	uint64_t bytes;   /* of a copy */
};

/* The stream of one kind. Operation n is op[n % FLOW_OPS]. */
struct flow_queue {
	void *stream;
	struct flow_op op[FLOW_OPS];
	uint64_t begun, ended;       /* operations queued, and known to be complete */
	uint32_t issued, complete;   /* steps queued, and known to be complete */
	uint64_t waited[FLOW_KINDS]; /* operations of that kind that this stream waits for */
};

/* The next step of one kind, and how much of it was cut into tickets. */
struct flow_cursor {
	uint32_t number; /* of the step; the program's count: none is left */
	struct flow_step step;
	uint64_t run, byte;
};

/* A piece of a copy: whole runs, or part of one. begin and end: ring positions, which only grow. */
struct flow_ticket {
	struct copy_job job;
	struct pack_rule rule;
	uint64_t begin, end, bytes;
	char *device;
	uint64_t device_pitch;
	uint32_t number;            /* of its step */
	bool last;                  /* of its step */
	bool only_shadow;           /* nothing is sent */
	bool adjoins;               /* it begins a step that does */
	bool keeps_late;            /* once it is sent, its job fills the shadow */
	uint32_t after[FLOW_KINDS]; /* the step's */
	uint64_t loads;             /* of a store: tickets that were sent up before it */
};

/*
 * A ring and its tickets: cut, sent, arrived and dropped in this order. Ticket n is ticket[n %
 * FLOW_TICKETS].
 */
struct flow_ring {
	char *base;
	uint64_t size_bytes, head, tail;
	struct flow_ticket ticket[FLOW_TICKETS];
	uint64_t cut, sent, arrived, dropped;
	uint64_t cut_bytes; /* of all tickets cut so far */
	bool shrinks;       /* another call needs a part: nothing is cut until the ring is empty */
};

/*
 * Of all flows of a call. probes: other threads ask the kernel before they touch the program's
 * memory. alone: only the calling thread touches it, because its handlers of signals take part.
 */
struct flow_guard {
	bool probes, alone;
};

struct flow_state {
	struct lane *lane;
	struct flow_guard *guard;
	const struct flow_program *program;
	/* to share with other calls; NULL: staging is shared by several flows */
	struct staging *staging;
	struct flow_queue queue[FLOW_KINDS];
	struct flow_cursor cursor[FLOW_KINDS], populate;
	struct flow_ring ring[STAGING_WAYS];
	struct copy_bell bell;
	uint32_t seen; /* bell.rings when the round began */
	struct copy_job populate_job;
	struct pack_rule populate_rule;
	bool populating;
	uint64_t store_bytes; /* of stores not sent yet, before step store_end */
	uint32_t store_end;
	struct flow_progress progress;
	uint64_t step_bytes; /* committed of the current store */
	int error;           /* the last CUDA error */
	bool moved;
	bool proven;              /* what the program has to prove, if anything */
	struct flow_times *times; /* NULL: no listener */
	atomic_bool *stop;        /* of a thread that conducts in place of the call's; NULL: none */
};

/* -- flow.c -- */
struct flow_vain {
	int64_t seen_ns, spent_ns;
};
struct flow_vain flow_vain_begin(void);
/* After a look in vain. Returns the time so far. */
int64_t flow_vain_add(struct flow_vain *vain, int64_t allowed_ns);
/* What flow_set_patience has set. */
int64_t flow_find_patience(void);

/* -- flow_life.c -- */
struct flow;
enum reason flow_life_open(struct flow *flow, struct flow_guard *guard);
/* Each flow gets an equal part of the rings. */
void flow_life_open_rings(struct flow_state *state, struct staging *staging, int index, int count);
/* What the flow keeps of its state, should it lose that; then its progress as flow_run tells it. */
void flow_life_keep_progress(struct flow *flow);
void flow_life_tell_progress(struct flow *flow);
/* Returns whether the flow's part of staging may be used again. */
bool flow_life_close(struct flow *flow);

/* -- flow_queue.c -- */
/* Whether all steps that this one comes after are queued. */
bool flow_queue_is_due(const struct flow_state *state, const uint32_t after[FLOW_KINDS]);
/* Makes the kind's stream wait for the steps that this one comes after. */
enum reason flow_queue_wait(struct flow_state *state, enum flow_kind kind,
                            const uint32_t after[FLOW_KINDS]);
/* Marks the end of an operation on the kind's stream. */
enum reason flow_queue_end(struct flow_state *state, enum flow_kind kind, struct flow_op op);
bool flow_queue_is_full(const struct flow_queue *queue);
/* Polls the oldest pending operation; true: it is complete, *op describes it. */
bool flow_queue_poll(struct flow_state *state, enum flow_kind kind, struct flow_op *op,
                     enum reason *reason);
/* REASON_NONE where error is CUDA_SUCCESS; else keeps the error and returns reason. */
enum reason flow_queue_judge(struct flow_state *state, int error, enum reason reason);

/* -- flow_cut.c -- */
/* Moves to the first step of the kind, or to the next one. */
void flow_cut_start(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind);
void flow_cut_next_step(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind);
bool flow_cut_is_at_end(const struct flow_state *state, const struct flow_cursor *cursor);
/* The program's steps from here on are another thread's, or there are none. */
uint32_t flow_cut_find_end(const struct flow_state *state);
/*
 * The size of the next piece of left_bytes, so that all threads end together: at most a chunk and
 * most_bytes, and at least FLOW_PIECE_LEAST_BYTES.
 */
uint64_t flow_cut_choose_piece(const struct flow_ring *ring, uint64_t left_bytes,
                               uint64_t most_bytes);
/* Bytes of the cursor's step that were not cut yet. */
uint64_t flow_cut_count_rest(const struct flow_cursor *cursor);
/*
 * Cuts the next ticket of at most most_bytes, contiguous in the ring; a run that must stay whole
 * may be longer. NULL: no room now, or no step.
 */
struct flow_ticket *flow_cut_ticket(struct flow_state *state, enum staging_way way,
                                    uint64_t most_bytes);
/* Frees the room of the oldest ticket. */
void flow_cut_drop(struct flow_ring *ring);
/* Has the job follow the copy's rule, which is kept in own, from byte of the given run on. */
void flow_cut_rule(const struct flow_copy *copy, uint64_t run, uint64_t byte, struct pack_rule *own,
                   struct copy_job *job);
/* Makes one run of a copy that is tight on both sides and has no rule about columns. */
void flow_cut_merge(struct flow_copy *copy);

/* -- flow_guard.c -- */
struct flow_guard flow_guard_make(void);
/* Has the ticket's job copied, by this thread at once where it is alone. */
void flow_guard_submit(struct flow_state *state, struct flow_ticket *ticket);
/* Only threads with the calling thread's rights to memory copy; the first call counts. */
void flow_guard_demand_rights(struct copy_bell *bell);
bool flow_guard_is_copied(const struct flow_ticket *ticket);
/* Whether the copiers still have jobs of this flow; jobs end whatever the device does. */
bool flow_guard_has_jobs(const struct flow_state *state);
void flow_guard_await_jobs(struct flow_state *state);
/* Whether a job was refused; copies all that were. Other threads must have no jobs then. */
bool flow_guard_was_refused(const struct flow_state *state);
void flow_guard_repair(struct flow_state *state);

/* -- flow_send.c -- */
/*
 * Queues one copy of as many of the next tickets as are adjacent and is_ready, at most most_bytes
 * and about half a ring unless it is one ticket. Does nothing while FLOW_SENDS copies are pending
 * or the step is not due, nor while the copy is small and further tickets can still join it: each
 * copy has a fixed cost.
 */
enum reason flow_send(struct flow_state *state, enum staging_way way, uint64_t most_bytes,
                      bool (*is_ready)(const struct flow_ticket *));

/* -- flow_up.c, flow_down.c: they set moved where something happened -- */
enum reason flow_up_issue(struct flow_state *state);
enum reason flow_up_poll(struct flow_state *state);
/* Whether the shadows have all of the first tickets up to end, which were sent. */
bool flow_up_has_kept(const struct flow_state *state, uint64_t end);
enum reason flow_down_issue(struct flow_state *state);
enum reason flow_down_poll(struct flow_state *state);
/* Counts what the copiers have committed. */
void flow_down_settle(struct flow_state *state);

/* -- flow_times.c: reports to a listener; open returns NULL where there is none -- */
struct flow_times *flow_times_open(const struct lane *lane);
/* The listener's number of the call; 0 for NULL. */
uint64_t flow_times_call(const struct flow_times *times);
/* An operation was queued; operation number was seen to be complete; a ticket was committed. */
void flow_times_queue(struct flow_state *state, enum flow_kind kind);
void flow_times_see(struct flow_state *state, enum flow_kind kind, uint64_t number,
                    const struct flow_op *op);
void flow_times_commit(struct flow_state *state, uint64_t ticket, uint64_t size_bytes);

#endif
