/* flow_cut.c - cuts steps into tickets: pieces of a copy that fit into a ring */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/pack_probe.h"
#include "shim/execute/gpu/engine/flow.h"
#include "shim/execute/gpu/engine/flow_state.h"

/*
 * GRAIN: pieces of a run are multiples of a cache line, hence whole elements too. PIECES: of a
 * ring, so that several threads fill one part of it.
 */
enum { FLOW_GRAIN_BYTES = 64, FLOW_PIECES = 32 };

/*
 * A step that the end of the ring cuts in two takes longer by a further copy: less than one part of
 * so many of the ring is left empty there.
 */
enum { FLOW_EDGE = 8 };

/*
 * The most that one copy by the device alone moves: the driver may hold the host while it copies
 * ordinary memory, and this takes a tenth of a millisecond where that is possible at all.
 */
enum { FLOW_DIRECT_MOST_BYTES = 32 << 20 };

static atomic_bool flow_cut_direct = true;

/* Whether the columns of the copy are alike: there is no rule about a triangle or its diagonal. */
static bool flow_cut_is_plain(const struct flow_copy *copy)
{
	const struct pack_rule *rule = copy->rule;
	return rule == NULL ||
	       (rule->part == PACK_WHOLE && rule->watched == PACK_WHOLE && !rule->hermitian);
}

/* Whether the processor looks at the numbers of a load. */
static bool flow_cut_is_watched(const struct flow_copy *copy)
{
	return copy->rule != NULL && copy->rule->watch != PACK_WATCH_NONE;
}

void flow_cut_merge(struct flow_copy *copy)
{
	const bool tight = copy->area.pitch_bytes == copy->area.run_bytes &&
	                   copy->device_pitch == copy->area.run_bytes;
	if (!tight || !flow_cut_is_plain(copy) || copy->backward || copy->whole_runs)
		return;
	copy->area.run_bytes *= copy->area.count;
	copy->area.pitch_bytes = copy->device_pitch = copy->area.run_bytes;
	copy->area.count = 1;
}

uint32_t flow_cut_find_end(const struct flow_state *state)
{
	const struct flow_program *program = state->program;
	return program->tail != NULL ? flow_tail_read(program->tail).end : program->count;
}

/* A step that was cut in part is cut to its end. */
bool flow_cut_is_at_end(const struct flow_state *state, const struct flow_cursor *cursor)
{
	return cursor->number >= flow_cut_find_end(state) && cursor->run == 0 && cursor->byte == 0;
}

static void flow_cut_find(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind)
{
	const struct flow_program *program = state->program;
	for (; cursor->number < program->count; cursor->number++) {
		program->read(program->self, cursor->number, &cursor->step);
		if (cursor->step.kind == kind)
			break;
	}
	cursor->run = cursor->byte = 0;
	if (kind != FLOW_WORK && !flow_cut_is_at_end(state, cursor))
		flow_cut_merge(&cursor->step.copy);
}

void flow_cut_start(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind)
{
	cursor->number = 0;
	flow_cut_find(state, cursor, kind);
}

void flow_cut_next_step(struct flow_state *state, struct flow_cursor *cursor, enum flow_kind kind)
{
	cursor->number++;
	flow_cut_find(state, cursor, kind);
}

static uint64_t flow_cut_smaller(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

/*
 * Bytes of the next piece: whole runs if one fits, else part of a run; 0: whole_runs is set and no
 * run fits.
 */
static uint64_t flow_cut_choose(const struct flow_cursor *cursor, uint64_t most_bytes)
{
	const struct flow_copy *copy = &cursor->step.copy;
	const uint64_t run_bytes = copy->area.run_bytes, left = run_bytes - cursor->byte;
	const uint64_t runs = cursor->byte == 0 && run_bytes > 0 ? most_bytes / run_bytes : 0;
	if (runs > 0)
		return flow_cut_smaller(copy->area.count - cursor->run, runs) * run_bytes;
	if (copy->whole_runs)
		return 0;
	if (left <= most_bytes)
		return left;
	return most_bytes - most_bytes % FLOW_GRAIN_BYTES;
}

uint64_t flow_cut_choose_piece(const struct flow_ring *ring, uint64_t left_bytes,
                               uint64_t most_bytes)
{
	const uint64_t chunk_bytes = staging_chunk_bytes(),
		       least_bytes = flow_cut_smaller(FLOW_PIECE_LEAST_BYTES, chunk_bytes),
		       share_bytes = left_bytes / (uint64_t)copiers_count();
	uint64_t piece_bytes = flow_cut_smaller(ring->size_bytes / FLOW_PIECES, chunk_bytes);
	piece_bytes = flow_cut_smaller(piece_bytes, most_bytes);
	if (piece_bytes < least_bytes)
		piece_bytes = least_bytes;
	const uint64_t turns = share_bytes / piece_bytes + 1;
	const uint64_t even_bytes = (share_bytes / turns / FLOW_GRAIN_BYTES + 1) * FLOW_GRAIN_BYTES;
	return even_bytes < least_bytes ? least_bytes : flow_cut_smaller(piece_bytes, even_bytes);
}

uint64_t flow_cut_count_rest(const struct flow_cursor *cursor)
{
	const struct pack_area *area = &cursor->step.copy.area;
	return (area->count - cursor->run) * area->run_bytes - cursor->byte;
}

/*
 * A whole run that one thread may copy is not divided, since two parts of a run and the next run
 * cannot be one copy of the link.
 */
static bool flow_cut_keeps_run(const struct flow_cursor *cursor)
{
	const struct flow_copy *copy = &cursor->step.copy;
	return cursor->byte == 0 &&
	       (copy->whole_runs || copy->area.run_bytes <= staging_chunk_bytes());
}

/* Whether the step would begin in the last bytes of the ring, and not end there. */
static bool flow_cut_is_at_edge(const struct flow_ring *ring, const struct flow_cursor *cursor,
                                uint64_t end_bytes)
{
	return cursor->run == 0 && cursor->byte == 0 && end_bytes < ring->size_bytes / FLOW_EDGE &&
	       end_bytes < flow_cut_count_rest(cursor);
}

/*
 * Contiguous room in the ring from *begin on: at the head, or at the ring's beginning where the
 * rest is too small. 0: too little for a ticket.
 */
static uint64_t flow_cut_find_room(struct flow_ring *ring, const struct flow_cursor *cursor,
                                   uint64_t most_bytes, uint64_t *begin)
{
	const uint64_t run_bytes =
		flow_cut_keeps_run(cursor) ? cursor->step.copy.area.run_bytes : 0;
	if (ring->cut == ring->dropped)
		ring->head = ring->tail = 0;
	most_bytes = flow_cut_smaller(most_bytes, flow_cut_count_rest(cursor));
	most_bytes = most_bytes < run_bytes ? run_bytes : most_bytes;
	const uint64_t least_bytes = most_bytes / 4 < run_bytes ? run_bytes : most_bytes / 4,
		       end = ring->size_bytes - ring->head % ring->size_bytes;
	const bool at_edge = flow_cut_is_at_edge(ring, cursor, end);
	uint64_t room = ring->size_bytes - (ring->head - ring->tail);
	*begin = ring->head;
	if (at_edge && end >= room)
		return 0;
	if (at_edge || (end < room && end < least_bytes)) {
		*begin += end;
		room -= end;
	} else {
		room = flow_cut_smaller(room, end);
	}
	room = flow_cut_smaller(room, most_bytes);
	return room < least_bytes ? 0 : room;
}

void flow_set_direct(bool direct)
{
	atomic_store(&flow_cut_direct, direct);
}

bool flow_is_direct(void)
{
	return atomic_load_explicit(&flow_cut_direct, memory_order_relaxed);
}

/*
 * Where a handler of the program may manage memory, the kernel is asked whether all pages of the
 * next piece are there: the device cannot call the handler, and its context would end.
 */
static bool flow_cut_is_accessible(const struct flow_state *state, const struct flow_cursor *cursor)
{
	struct pack_area area = cursor->step.copy.area;
	if (!state->guard->probes || flow_cut_is_at_end(state, cursor))
		return true;
	if (state->guard->alone)
		return false;
	const uint64_t bytes = flow_cut_choose(cursor, FLOW_DIRECT_MOST_BYTES);
	area.host += cursor->run * area.pitch_bytes + cursor->byte;
	area.count = bytes < area.run_bytes ? 1 : bytes / area.run_bytes;
	area.run_bytes = bytes < area.run_bytes ? bytes : area.run_bytes;
	return pack_probe(&area, NULL, false);
}

/*
 * Whether the device reads the area of a load itself. A copy with a pitch that CUDA may refuse goes
 * through the ring, and one with a shadow, which the processor reads anyway. So does a triangle
 * that is not page-locked, because the pages beside it may be inaccessible.
 */
static bool flow_cut_is_direct(const struct flow_state *state, const struct flow_cursor *cursor)
{
	const struct flow_copy *copy = &cursor->step.copy;
	if (copy->shadow != NULL || flow_cut_is_watched(copy) ||
	    (copy->area.count > 1 && copy->area.pitch_bytes > CUDA_PITCH_MAX_BYTES))
		return false;
	return copy->locked || (state->lane->card->reads_host && flow_cut_is_plain(copy) &&
	                        flow_is_direct() && flow_cut_is_accessible(state, cursor));
}

void flow_cut_rule(const struct flow_copy *copy, uint64_t run, uint64_t byte, struct pack_rule *own,
                   struct copy_job *job)
{
	if (copy->rule == NULL)
		return;
	*own = *copy->rule;
	own->row = copy->row + (int64_t)(byte / element_size_bytes(own->element));
	own->column = copy->column + (int64_t)run;
	job->rule = own;
}

static void flow_cut_fill(struct flow_state *state, struct flow_ticket *ticket,
                          const struct flow_cursor *cursor, uint64_t runs)
{
	const struct flow_copy *copy = &cursor->step.copy;
	const struct pack_area *area = &copy->area;
	const uint64_t run = copy->backward ? area->count - cursor->run - runs : cursor->run;
	const bool part = ticket->bytes < area->run_bytes;
	ticket->device = copy->device + run * copy->device_pitch + cursor->byte;
	ticket->device_pitch = copy->device_pitch;
	ticket->only_shadow = copy->only_shadow;
	ticket->adjoins = copy->adjoins && cursor->run == 0 && cursor->byte == 0;
	ticket->job = (struct copy_job){
		.area = {area->host + run * area->pitch_bytes + cursor->byte,
	                 part ? ticket->bytes : area->run_bytes, runs, area->pitch_bytes},
		.bell = &state->bell,
	};
	if (copy->shadow != NULL)
		ticket->job.shadow = copy->shadow + run * area->run_bytes + cursor->byte;
	flow_cut_rule(copy, run, cursor->byte, &ticket->rule, &ticket->job);
}

/* Moves the cursor past a piece; true: the step ends there. */
static bool flow_cut_advance(struct flow_cursor *cursor, uint64_t runs, uint64_t bytes)
{
	const struct pack_area *area = &cursor->step.copy.area;
	if (bytes < area->run_bytes)
		cursor->byte += bytes;
	else
		cursor->run += runs;
	if (cursor->byte == area->run_bytes) {
		cursor->byte = 0;
		cursor->run++;
	}
	return cursor->run == area->count;
}

struct flow_ticket *flow_cut_ticket(struct flow_state *state, enum staging_way way,
                                    uint64_t most_bytes)
{
	const enum flow_kind kind = way == STAGING_UP ? FLOW_LOAD : FLOW_STORE;
	struct flow_ring *ring = &state->ring[way];
	struct flow_cursor *cursor = &state->cursor[kind];
	const bool direct = way == STAGING_UP && flow_cut_is_direct(state, cursor);
	uint64_t begin = ring->head, bytes;
	if (flow_cut_is_at_end(state, cursor) || ring->cut - ring->dropped == FLOW_TICKETS ||
	    ring->shrinks)
		return NULL;
	if (direct)
		bytes = flow_cut_choose(cursor, FLOW_DIRECT_MOST_BYTES);
	else
		bytes = flow_cut_choose(cursor,
		                        flow_cut_find_room(ring, cursor, most_bytes, &begin));
	if (bytes == 0)
		return NULL;
	struct flow_ticket *ticket = &ring->ticket[ring->cut % FLOW_TICKETS];
	const uint64_t run_bytes = cursor->step.copy.area.run_bytes;
	const uint64_t runs = bytes < run_bytes ? 1 : bytes / run_bytes;
	ticket->number = cursor->number;
	ticket->begin = begin;
	ticket->end = direct ? begin : begin + bytes;
	ticket->bytes = bytes;
	for (int other = 0; other < FLOW_KINDS; other++)
		ticket->after[other] = cursor->step.after[other];
	flow_cut_fill(state, ticket, cursor, runs);
	ticket->job.staging = direct ? NULL : ring->base + begin % ring->size_bytes;
	ring->head = ticket->end;
	ring->cut_bytes += bytes;
	ring->cut++;
	ticket->last = flow_cut_advance(cursor, runs, bytes);
	if (ticket->last)
		flow_cut_next_step(state, cursor, kind);
	state->moved = true;
	return ticket;
}

void flow_cut_drop(struct flow_ring *ring)
{
	ring->tail = ring->ticket[ring->dropped++ % FLOW_TICKETS].end;
}
