/* flow_send.c - joins waiting tickets into copies of the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/device/traffic.h"
#include "shim/execute/gpu/engine/flow_state.h"

/*
 * LEAST: a copy of so many bytes takes about as long as its fixed cost. GROWTH: of the first copies
 * of a flow, each of which is to be queued while the one before is under way. Threads that gather
 * less than that meanwhile leave the link idle, which costs its latency. EXTRA: a copy may be
 * larger than the most by one part of so many of that. WORTH_WAITING: for each copying thread; the
 * link would lose more by a further copy than by waiting for these bytes.
 */
enum {
	FLOW_LEAST_BYTES = 7 << 16,
	FLOW_GROWTH_PERCENT = 150,
	FLOW_EXTRA = 4,
	FLOW_WORTH_WAITING_BYTES = FLOW_PIECE_LEAST_BYTES
};

/* Device layout of the tickets of one copy: without gaps, or as runs with a pitch. */
enum flow_join { FLOW_JOIN_NONE, FLOW_JOIN_FLAT, FLOW_JOIN_APART };

static bool flow_send_is_flat(const struct flow_ticket *ticket)
{
	return ticket->job.area.count == 1 || ticket->device_pitch == ticket->job.area.run_bytes;
}

/* How next can join the copy of ticket. */
static enum flow_join flow_send_join(const struct flow_ticket *ticket,
                                     const struct flow_ticket *next)
{
	const struct pack_area *area = &ticket->job.area;
	if ((ticket->last && !next->adjoins) || ticket->job.staging == NULL ||
	    next->job.staging != (char *)ticket->job.staging + ticket->bytes)
		return FLOW_JOIN_NONE;
	if (flow_send_is_flat(ticket) && flow_send_is_flat(next) &&
	    next->device == ticket->device + ticket->bytes)
		return FLOW_JOIN_FLAT;
	if (!ticket->last && next->job.area.run_bytes == area->run_bytes &&
	    next->device == ticket->device + area->count * ticket->device_pitch)
		return FLOW_JOIN_APART;
	return FLOW_JOIN_NONE;
}

/* The tickets of the next copy. grows: only for the moment no further ticket can join it. */
struct flow_batch {
	const struct flow_ticket *first;
	uint32_t count;
	uint64_t bytes;
	enum flow_join join;
	bool grows;
};

/* Whether no copy goes on beyond this ticket. */
static bool flow_send_ends(const struct flow_ring *ring, uint64_t number)
{
	const struct flow_ticket *ticket = &ring->ticket[number % FLOW_TICKETS];
	return ticket->last &&
	       (number + 1 == ring->cut ||
	        flow_send_join(ticket, &ring->ticket[(number + 1) % FLOW_TICKETS]) ==
	                FLOW_JOIN_NONE);
}

/*
 * Bytes of the tickets from number on, up to the end of their step and of those that adjoin; not
 * cut ones of the last of these too.
 */
static uint64_t flow_send_count_step(const struct flow_state *state, enum staging_way way,
                                     uint64_t number)
{
	const struct flow_ring *ring = &state->ring[way];
	uint64_t bytes = 0;
	for (; number < ring->cut; number++) {
		bytes += ring->ticket[number % FLOW_TICKETS].bytes;
		if (flow_send_ends(ring, number))
			return bytes;
	}
	return bytes +
	       flow_cut_count_rest(&state->cursor[way == STAGING_UP ? FLOW_LOAD : FLOW_STORE]);
}

/*
 * The most bytes of the next copy. A copy ends at the end of its step and of the ring: a little
 * more up to there is taken along, and a rest of less than two copies is halved.
 */
static uint64_t flow_send_balance(const struct flow_state *state, enum staging_way way)
{
	const struct flow_ring *ring = &state->ring[way];
	const uint64_t most_bytes = staging_sizes_find_copy(ring->size_bytes);
	const uint64_t step_bytes = flow_send_count_step(state, way, ring->sent);
	const uint64_t begin = ring->ticket[ring->sent % FLOW_TICKETS].begin;
	uint64_t left_bytes = ring->size_bytes - begin % ring->size_bytes;
	left_bytes = left_bytes < step_bytes ? left_bytes : step_bytes;
	if (left_bytes >= 2 * most_bytes)
		return most_bytes;
	return left_bytes > most_bytes + most_bytes / FLOW_EXTRA ? left_bytes / 2 : left_bytes;
}

/*
 * Whether a further ticket will be cut while the link is busy. Loads leave the ring when the link
 * is done with them, and until then it would have nothing behind its copy: only the room that is
 * there counts, which a thread that copies alone cuts piece by piece. Stores leave it when they are
 * written.
 */
static bool flow_send_gets_room(const struct flow_state *state, enum staging_way way)
{
	const struct flow_ring *ring = &state->ring[way];
	const uint64_t room_bytes = ring->size_bytes - (ring->head - ring->tail);
	if (ring->shrinks || ring->dropped == ring->sent)
		return false;
	return way == STAGING_DOWN || (state->guard->alone && room_bytes >= staging_chunk_bytes());
}

static struct flow_batch flow_send_collect(const struct flow_state *state, enum staging_way way,
                                           uint64_t most_bytes,
                                           bool (*is_ready)(const struct flow_ticket *))
{
	const struct flow_ring *ring = &state->ring[way];
	const struct flow_ticket *last = &ring->ticket[ring->sent % FLOW_TICKETS];
	struct flow_batch batch = {.first = last, .count = 1, .bytes = last->bytes};
	while (ring->sent + batch.count < ring->cut) {
		const struct flow_ticket *next =
			&ring->ticket[(ring->sent + batch.count) % FLOW_TICKETS];
		const enum flow_join join = flow_send_join(last, next);
		if (join == FLOW_JOIN_NONE ||
		    (batch.join != FLOW_JOIN_NONE && join != batch.join) ||
		    batch.bytes + next->bytes > most_bytes)
			return batch;
		batch.grows = !is_ready(next);
		if (batch.grows)
			return batch;
		batch.join = join;
		batch.bytes += next->bytes;
		batch.count++;
		last = next;
	}
	batch.grows = !last->last && last->job.staging != NULL && flow_send_gets_room(state, way);
	return batch;
}

/* Bytes of the copies under way. */
static uint64_t flow_send_count_pending(const struct flow_queue *queue)
{
	uint64_t bytes = 0;
	for (uint64_t number = queue->ended; number < queue->begun; number++)
		bytes += queue->op[number % FLOW_OPS].bytes;
	return bytes;
}

/* An idle link does not wait for a further turn of the threads because of a few bytes. */
static uint64_t flow_send_find_least(void)
{
	const uint64_t turn_bytes = (uint64_t)copiers_count() * FLOW_PIECE_LEAST_BYTES;
	const uint64_t over_bytes = FLOW_LEAST_BYTES % turn_bytes;
	const bool few = turn_bytes <= FLOW_LEAST_BYTES && over_bytes < turn_bytes / FLOW_EXTRA;
	return few ? FLOW_LEAST_BYTES - over_bytes : FLOW_LEAST_BYTES;
}

/*
 * Whether to wait for more tickets: while the link is busy for a copy that is larger by
 * FLOW_GROWTH, or all that may join; while it is idle for a copy's worth, and for the last pieces
 * of a step, which the threads copy in one turn.
 */
static bool flow_send_is_small(const struct flow_state *state, enum staging_way way,
                               const struct flow_batch *batch, uint64_t most_bytes)
{
	const enum flow_kind kind = way == STAGING_UP ? FLOW_LOAD : FLOW_STORE;
	const uint64_t idle_bytes = flow_send_find_least(),
		       least_bytes = most_bytes < idle_bytes ? most_bytes : idle_bytes;
	if (!batch->grows)
		return false;
	return batch->bytes * 100 <
	               FLOW_GROWTH_PERCENT * flow_send_count_pending(&state->queue[kind]) ||
	       batch->bytes < least_bytes ||
	       flow_send_count_step(state, way, state->ring[way].sent + batch->count) <=
	               (uint64_t)copiers_count() * FLOW_WORTH_WAITING_BYTES;
}

static int flow_send_copy(const struct flow_state *state, enum staging_way way,
                          const struct flow_batch *batch)
{
	const struct cuda_api *api = state->lane->api;
	const struct pack_area *area = &batch->first->job.area;
	const bool up = way == STAGING_UP, direct = batch->first->job.staging == NULL;
	const int kind = up ? CUDA_COPY_HOST_TO_DEVICE : CUDA_COPY_DEVICE_TO_HOST;
	void *stream = state->queue[up ? FLOW_LOAD : FLOW_STORE].stream;
	char *host = direct ? area->host : batch->first->job.staging,
	     *device = batch->first->device;
	const uint64_t width = area->run_bytes, device_pitch = batch->first->device_pitch;
	const uint64_t pitch = direct && area->count > 1 ? area->pitch_bytes : width;
	const bool apart = batch->join == FLOW_JOIN_APART || pitch != width;
	if (batch->first->only_shadow)
		return CUDA_SUCCESS;
	if (!apart && (batch->join == FLOW_JOIN_FLAT || flow_send_is_flat(batch->first)))
		return api->memcpy_async(up ? device : host, up ? host : device, batch->bytes, kind,
		                         stream);
	return api->memcpy_2d_async(up ? device : host, up ? device_pitch : pitch,
	                            up ? host : device, up ? pitch : device_pitch, width,
	                            batch->bytes / width, kind, stream);
}

/* Steps that end with one of the next tickets. */
static uint32_t flow_send_count_ends(const struct flow_ring *ring, uint32_t tickets)
{
	uint32_t ends = 0;
	for (uint64_t number = ring->sent; number < ring->sent + tickets; number++)
		ends += ring->ticket[number % FLOW_TICKETS].last;
	return ends;
}

enum reason flow_send(struct flow_state *state, enum staging_way way, uint64_t most_bytes,
                      bool (*is_ready)(const struct flow_ticket *))
{
	const enum flow_kind kind = way == STAGING_UP ? FLOW_LOAD : FLOW_STORE;
	struct flow_ring *ring = &state->ring[way];
	struct flow_queue *queue = &state->queue[kind];
	const struct flow_ticket *first = &ring->ticket[ring->sent % FLOW_TICKETS];
	if (ring->sent == ring->cut || queue->begun - queue->ended >= FLOW_SENDS ||
	    !is_ready(first))
		return REASON_NONE;
	/* What is loaded for a step that another thread has taken is not sent. */
	const bool taken = first->number >= flow_cut_find_end(state);
	if (!taken && !flow_queue_is_due(state, first->after))
		return REASON_NONE;
	const uint64_t room_bytes = flow_send_balance(state, way);
	if (most_bytes > room_bytes)
		most_bytes = room_bytes;
	const struct flow_batch batch = flow_send_collect(state, way, most_bytes, is_ready);
	if (flow_send_is_small(state, way, &batch, most_bytes))
		return REASON_NONE;
	const uint32_t ends = flow_send_count_ends(ring, batch.count);
	enum reason reason = taken ? REASON_NONE : flow_queue_wait(state, kind, first->after);
	if (reason == REASON_NONE && !taken)
		reason = flow_queue_judge(state, flow_send_copy(state, way, &batch),
		                          REASON_TRANSFER_FAILED);
	if (reason != REASON_NONE)
		return reason;
	const uint64_t sent_bytes = taken || batch.first->only_shadow ? 0 : batch.bytes;
	if (way == STAGING_UP)
		traffic_note_sent(sent_bytes);
	ring->sent += batch.count;
	return flow_queue_end(state, kind,
	                      (struct flow_op){queue->issued + ends, batch.count, sent_bytes});
}
