/* sim_schedule.c - chooses the queued operation that runs next: as late as the rules allow */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "sim_engine.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;
static uint64_t random_state;

/* The stream whose kernel started last and has not ended. NULL: none. */
static struct sim_stream *last_starter;
static const char *last_workspace;
static size_t last_workspace_bytes;

void sim_lock(void)
{
	pthread_mutex_lock(&lock);
}

void sim_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

unsigned sim_random(unsigned bound)
{
	if (!random_state)
		random_state = (sim_config()->seed + 1) * 0x9e3779b97f4a7c15u | 1;
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned)((random_state * 0x2545f4914f6cdd1du) >> 33) % bound;
}

/*
 * The legacy default stream and the blocking streams of its device wait for each other, in order of
 * issue.
 */
static struct sim_stream *legacy_blocker(const struct sim_stream *stream)
{
	if (!stream->is_null && !stream->blocking)
		return NULL;
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next) {
		bool related =
			s->device == stream->device && (stream->is_null ? s->blocking : s->is_null);
		if (related && s->head && s->head->sequence < stream->head->sequence)
			return s;
	}
	return NULL;
}

struct sim_stream *sim_schedule_blocker(const struct sim_stream *stream)
{
	const struct sim_op *op = stream->head;
	if (op->kind == SIM_OP_WAIT && !op->mark->done)
		return op->mark->stream;
	return legacy_blocker(stream);
}

static bool schedule_is_ready(const struct sim_stream *stream)
{
	return stream->head && !stream->running && !sim_stream_hangs(stream) &&
	       !sim_schedule_blocker(stream);
}

/* A kernel that may start now, in the workspace that another stream's kernel is using. */
static struct sim_stream *schedule_find_rival(void)
{
	for (struct sim_stream *s = last_starter ? sim_stream_list() : NULL; s; s = s->next) {
		if (s == last_starter || !s->head || s->head->kind != SIM_OP_KERNEL_START)
			continue;
		const char *workspace = s->head->kernel.workspace;
		bool overlap = workspace < last_workspace + last_workspace_bytes &&
		               last_workspace < workspace + s->head->kernel.workspace_bytes;
		if (overlap && schedule_is_ready(s))
			return s;
	}
	return NULL;
}

static struct sim_stream *schedule_find_any(void)
{
	unsigned ready = 0;
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next)
		ready += schedule_is_ready(s);
	unsigned chosen = ready ? sim_random(ready) : 0;
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next)
		if (schedule_is_ready(s) && !chosen--)
			return s;
	return NULL;
}

/*
 * The stream to advance towards `wanted`. NULL: another thread executes the operation that is
 * needed, or that operation hangs.
 */
static struct sim_stream *schedule_choose(struct sim_stream *wanted)
{
	struct sim_stream *rival = schedule_find_rival();
	if (rival)
		return rival;
	struct sim_stream *any = sim_random(2) ? schedule_find_any() : NULL;
	if (any)
		return any;
	/* Ends, because each step goes to an operation that was issued earlier. */
	for (struct sim_stream *blocker; (blocker = sim_schedule_blocker(wanted));)
		wanted = blocker;
	return wanted->running || sim_stream_hangs(wanted) ? NULL : wanted;
}

static void schedule_note_workspace(struct sim_stream *stream, const struct sim_op *op)
{
	if (op->kind == SIM_OP_KERNEL_START) {
		last_starter = stream;
		last_workspace = op->kernel.workspace;
		last_workspace_bytes = op->kernel.workspace_bytes;
	} else if (stream == last_starter) {
		last_starter = NULL;
	}
}

void sim_schedule_finish(struct sim_stream *stream, int error)
{
	struct sim_op *op = stream->head;
	struct sim_device *device = stream->device;
	if (error && !device->sticky_error)
		device->sticky_error = error;
	schedule_note_workspace(stream, op);
	if (op->kind == SIM_OP_RECORD) {
		op->mark->virtual_ns = op->end_ns;
		op->mark->done = true;
	}
	sim_trace_write(stream, device->sticky_error);
	stream->running = false;
	stream->head = op->next;
	sim_op_free(op);
	sim_stream_reap(stream);
	sim_schedule_wake();
}

void sim_schedule_sleep(void)
{
	pthread_cond_wait(&progress, &lock);
}

void sim_schedule_wake(void)
{
	pthread_cond_broadcast(&progress);
}

static int schedule_execute(struct sim_device *device, struct sim_op *op)
{
	sim_unlock();
	int error = sim_execute_fault(op);
	if (!error)
		error = sim_execute(device, op);
	sim_lock();
	return error;
}

static void schedule_run_head(struct sim_stream *stream)
{
	struct sim_op *op = stream->head;
	stream->running = true;
	int error = stream->device->sticky_error ? 0 : schedule_execute(stream->device, op);
	if (error == SIM_HANG) {
		op->hung = true;
		stream->running = false;
		sim_schedule_wake();
		return;
	}
	sim_execute_account(stream, op);
	sim_schedule_finish(stream, error);
}

static bool has_work(const struct sim_stream *stream, uint64_t limit)
{
	return stream->head && stream->head->sequence < limit;
}

struct sim_stream *sim_schedule_obstacle(const struct sim_goal *goal)
{
	if (goal->mark)
		return goal->mark->done ? NULL : goal->mark->stream;
	if (goal->stream)
		return has_work(goal->stream, goal->limit) ? goal->stream : NULL;
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next)
		if (s->device == goal->device && has_work(s, goal->limit))
			return s;
	return NULL;
}

/* Keeps the goal's stream or mark alive: another thread may release it meanwhile. */
static void goal_hold(const struct sim_goal *goal)
{
	if (goal->stream)
		goal->stream->pins++;
	if (goal->mark)
		goal->mark->references++;
}

static void goal_release(const struct sim_goal *goal)
{
	if (goal->stream) {
		goal->stream->pins--;
		sim_stream_reap(goal->stream);
	}
	sim_mark_release(goal->mark);
}

static void schedule_reach(const struct sim_goal *goal)
{
	for (struct sim_stream *obstacle; (obstacle = sim_schedule_obstacle(goal));) {
		struct sim_stream *chosen = schedule_choose(obstacle);
		if (chosen)
			schedule_run_head(chosen);
		else
			sim_schedule_sleep();
	}
}

void sim_schedule_reach(const struct sim_goal *goal)
{
	fenv_t host;
	sim_float_hold(&host);
	goal_hold(goal);
	if (sim_clock_is_on())
		sim_clock_reach(goal);
	else
		schedule_reach(goal);
	goal_release(goal);
	sim_float_restore(&host);
}

/* A poll executes fewer operations than this. */
enum { POLL_STEPS = 8 };

static bool schedule_poll(const struct sim_goal *goal)
{
	struct sim_stream *obstacle = sim_schedule_obstacle(goal);
	for (unsigned steps = sim_random(POLL_STEPS); steps && obstacle; steps--) {
		struct sim_stream *chosen = schedule_choose(obstacle);
		if (!chosen)
			break;
		schedule_run_head(chosen);
		obstacle = sim_schedule_obstacle(goal);
	}
	return !obstacle;
}

bool sim_schedule_poll(const struct sim_goal *goal)
{
	fenv_t host;
	sim_float_hold(&host);
	goal_hold(goal);
	bool reached = sim_clock_is_on() ? sim_clock_poll(goal) : schedule_poll(goal);
	goal_release(goal);
	sim_float_restore(&host);
	return reached;
}
