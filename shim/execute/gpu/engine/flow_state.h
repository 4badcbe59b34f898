/* flow_state.h - a flow under way: three queues of operations, two rings; internal to flow*.c */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_STATE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_FLOW_STATE_H

#include "shim/execute/gpu/engine/copiers.h"
#include "shim/execute/gpu/engine/flow_program.h"
#include "shim/execute/gpu/engine/staging.h"

/*
 * Operations of a queue that are under way at most; copies: one and one behind it, so that the link
 * is never idle and what waits becomes one copy.
 */
enum { FLOW_OPS = LANE_EVENTS, FLOW_SENDS = 2, FLOW_TICKETS = 64 };

/* What was queued on a stream up to an event. steps: so many of its kind are complete with it. */
struct flow_op {
	uint32_t steps;
	uint32_t tickets; /* of a copy: so many of the ring's */
	uint64_t bytes;   /* likewise */
};

/*
 * The stream of one kind. Operations are numbered as they are queued; number n stands at n %
 * FLOW_OPS.
 */
struct flow_queue {
	void *stream;
	struct flow_op op[FLOW_OPS];
	uint64_t begun, ended;       /* operations: queued, known to be complete */
	uint32_t issued, complete;   /* steps, likewise */
	uint64_t waited[FLOW_KINDS]; /* this stream waits for so many operations of that kind */
};

/* The next step of one kind, and how much of it was cut into tickets. */
struct flow_cursor {
	uint32_t number; /* of the step; the program's count: there is none left */
	struct flow_step step;
	uint64_t run, byte;
};

/*
 * A piece of a copy: whole runs, or a part of one. It is in the ring from begin to end, positions
 * that only grow.
 */
struct flow_ticket {
	struct copy_job job;
	struct pack_rule rule;
	uint64_t begin, end, bytes;
	char *device;
	uint64_t device_pitch;
	bool last;                  /* of its step */
	uint32_t after[FLOW_KINDS]; /* the step's */
};

/*
 * A ring and its tickets, which are cut, sent, known to have arrived, and dropped in turn; number n
 * stands at n % FLOW_TICKETS.
 */
struct flow_ring {
	char *base;
	uint64_t size_bytes, head, tail;
	struct flow_ticket ticket[FLOW_TICKETS];
	uint64_t cut, sent, arrived, dropped;
	bool shrinks; /* another call needs a part: nothing is cut until the ring is empty */
};

struct flow_state {
	struct lane *lane;
	const struct flow_program *program;
	struct staging *staging; /* to give a part of to others; NULL: not this flow's alone */
	struct flow_queue queue[FLOW_KINDS];
	struct flow_cursor cursor[FLOW_KINDS], populate;
	struct flow_ring ring[STAGING_WAYS];
	struct copy_bell bell;
	uint32_t seen; /* of the bell, when the round began */
	struct copy_job populate_job;
	bool populating;
	uint64_t store_bytes; /* of the stores that were not sent yet */
	struct flow_progress progress;
	uint64_t step_bytes; /* committed of the store that progress has come to */
	int error;           /* what CUDA said last */
	bool moved;
	struct flow_times *times; /* NULL: nobody listens */
};

/*
 * -- flow_queue.c: streams, events, and what waits for what
 * -------------------------------------------------
 */
/* Whether all that the step comes after is queued: else its turn has not come yet. */
bool flow_queue_is_due(const struct flow_state *state, const uint32_t after[FLOW_KINDS]);
/* Has the kind's stream wait for what the step comes after. */
enum reason flow_queue_wait(struct flow_state *state, enum flow_kind kind,
                            const uint32_t after[FLOW_KINDS]);
/* Marks the end of an operation on the kind's stream. */
enum reason flow_queue_end(struct flow_state *state, enum flow_kind kind, struct flow_op op);
bool flow_queue_is_full(const struct flow_queue *queue);
/* Asks for the oldest operation under way; true: it is complete, and *op says what it was. */
bool flow_queue_poll(struct flow_state *state, enum flow_kind kind, struct flow_op *op,
                     enum reason *reason);
/* The outcome of a CUDA call. */
enum reason flow_queue_judge(struct flow_state *state, int error, enum reason reason);

/*
 * -- flow_cut.c: steps into tickets
 * ---------------------------------------------------------------------------
 */
/* The cursor's kind's first step, and the next one. */
void flow_cut_start(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind);
void flow_cut_next_step(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind);
bool flow_cut_is_at_end(const struct flow_state *state, const struct flow_cursor *cursor);
/*
 * Cuts the next ticket of at most most_bytes, adjacent bytes of the ring, and moves the cursor
 * behind it; NULL where there is no room now, or no step.
 */
struct flow_ticket *flow_cut_ticket(struct flow_state *state, enum staging_way way,
                                    uint64_t most_bytes);
/* The oldest ticket is out of use. */
void flow_cut_drop(struct flow_ring *ring);
/* One run where both sides are tight and nobody cares where columns end. */
void flow_cut_merge(struct flow_copy *copy);

/*
 * -- flow_send.c: tickets into copies of the device
 * ------------------------------------------------------------
 */
/*
 * Queues one copy of as many of the way's next tickets as lie side by side, at most most_bytes
 * unless it is one, and for which is_ready holds. Nothing happens while the link has enough to do,
 * or the tickets' step is not due.
 */
enum reason flow_send(struct flow_state *state, enum staging_way way, uint64_t most_bytes,
                      bool (*is_ready)(const struct flow_ticket *));

/*
 * -- flow_up.c, flow_down.c: one step forward; REASON_NONE, with moved set where something happened
 * ----------
 */
enum reason flow_up_issue(struct flow_state *state);
enum reason flow_up_poll(struct flow_state *state);
enum reason flow_down_issue(struct flow_state *state);
enum reason flow_down_poll(struct flow_state *state);
/* Counts what the copiers have committed. */
void flow_down_settle(struct flow_state *state);

/*
 * -- flow_times.c: what a listener is told. NULL where there is none; the others may be called if
 * it is not ----
 */
struct flow_times *flow_times_open(const struct lane *lane);
/* The listener's number of the call; 0 for NULL. */
uint64_t flow_times_call(const struct flow_times *times);
/*
 * The kind's next operation was queued; operation number was seen to be complete; a ticket was
 * committed.
 */
void flow_times_queue(struct flow_state *state, enum flow_kind kind);
void flow_times_see(struct flow_state *state, enum flow_kind kind, uint64_t number,
                    const struct flow_op *op);
void flow_times_commit(struct flow_state *state, uint64_t ticket, uint64_t size_bytes);

#endif
