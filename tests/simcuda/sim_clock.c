/* sim_clock.c - discrete-event simulation of each device's engines while hosts wait or poll */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "sim_engine.h"
#include "sim_profile.h"
#include "sim_visible.h"

/*
 * All devices share one virtual time. It stands still while hosts compute and issue work. It
 * advances when a host waits, or polls something that is not ready. No end time is stored in
 * advance: between two events every active operation progresses at the rate of that interval, so
 * the two directions of a link slow each other down exactly as long as both move. Data are moved
 * when an operation ends, so that a program that reads a result too early, or overwrites a source
 * too early, gets wrong data.
 */

/*
 * By how much an unsuccessful poll advances the time at least: while operations are active, and
 * when none is.
 */
static const double poll_ns = 1000, hopeless_ns = 1e6;

static double now_ns;
/*
 * Only one thread at a time advances the virtual time, also while it has dropped the lock to move
 * an operation's data.
 */
static bool driven;

bool sim_clock_is_on(void)
{
	return sim_profile_has_clock();
}

uint64_t sim_clock_now(void)
{
	return (uint64_t)(now_ns + 0.5);
}

unsigned long long simcuda_clock_ns(void)
{
	sim_lock();
	uint64_t now = sim_clock_now();
	sim_unlock();
	return now;
}

static void clock_drive(void)
{
	while (driven)
		sim_schedule_sleep();
	driven = true;
}

static void clock_leave(void)
{
	driven = false;
	sim_schedule_wake();
}

static struct sim_op *clock_active(const struct sim_device *device, int engine)
{
	return device->busy[engine] ? device->busy[engine]->head : NULL;
}

static bool clock_moves_bytes(const struct sim_device *device, int engine)
{
	const struct sim_op *op = clock_active(device, engine);
	return op && op->progress.delay_ns <= 0;
}

/* Bytes, or nanoseconds of work, that the engine's operation completes per nanosecond. */
static double clock_rate(const struct sim_device *device, int engine)
{
	bool both = clock_moves_bytes(device, SIM_ENGINE_UPLOAD) &&
	            clock_moves_bytes(device, SIM_ENGINE_DOWNLOAD);
	return engine == SIM_ENGINE_COMPUTE
	               ? 1
	               : sim_cost_link_rate(device, clock_active(device, engine), both);
}

/*
 * Nanoseconds until the engine's operation ends, or begins to move its bytes, if nothing else
 * changes. INFINITY: idle.
 */
static double clock_engine_due(const struct sim_device *device, int engine)
{
	const struct sim_op *op = clock_active(device, engine);
	if (!op)
		return INFINITY;
	return op->progress.delay_ns > 0 ? op->progress.delay_ns
	                                 : op->progress.left / clock_rate(device, engine);
}

/* Nanoseconds until the first such event of engines and host threads. INFINITY: all are idle. */
static double clock_due(void)
{
	double due = sim_host_due(now_ns);
	for (int i = 0; i < sim_visible_count(); i++)
		for (int engine = 0; engine < SIM_ENGINE_NONE; engine++)
			due = fmin(due, clock_engine_due(sim_device_at(i), engine));
	return due;
}

static void clock_move_device(struct sim_device *device, double elapsed_ns)
{
	double due[SIM_ENGINE_NONE], rate[SIM_ENGINE_NONE];
	for (int engine = 0; engine < SIM_ENGINE_NONE; engine++) {
		due[engine] = clock_engine_due(device, engine);
		rate[engine] = clock_active(device, engine) ? clock_rate(device, engine) : 0;
	}
	for (int engine = 0; engine < SIM_ENGINE_NONE; engine++) {
		struct sim_op *op = clock_active(device, engine);
		if (!op)
			continue;
		bool waits = op->progress.delay_ns > 0;
		double *part = waits ? &op->progress.delay_ns : &op->progress.left;
		/* Exactly 0: rounding must not leave a rest of an operation that is due. */
		*part = due[engine] <= elapsed_ns ? 0
		                                  : *part - elapsed_ns * (waits ? 1 : rate[engine]);
	}
}

static void clock_move(double elapsed_ns)
{
	for (int i = 0; i < sim_visible_count(); i++)
		clock_move_device(sim_device_at(i), elapsed_ns);
}

/* Ends the stream's first operation now. Another one may take its engine. */
static void clock_complete(struct sim_stream *stream)
{
	struct sim_op *op = stream->head;
	struct sim_device *device = stream->device;
	int error = 0;
	if (op->progress.active)
		device->busy[op->engine] = NULL;
	else
		op->start_ns = sim_clock_now();
	op->end_ns = sim_clock_now();
	if (op->engine != SIM_ENGINE_NONE)
		device->ended_ns[op->engine] = op->end_ns;
	stream->running = true;
	if (!device->sticky_error) {
		sim_unlock();
		error = op->fault ? op->fault : sim_execute(device, op);
		sim_lock();
	}
	sim_schedule_finish(stream, error);
}

/*
 * The operation that an idle engine takes: the one that became ready first, else the one that was
 * issued first.
 */
static struct sim_stream *clock_next(const struct sim_device *device, int engine)
{
	struct sim_stream *best = NULL;
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next) {
		const struct sim_op *op = s->head;
		if (s->device != device || !op || op->engine != (enum sim_engine_kind)engine ||
		    !op->progress.ready || op->hung)
			continue;
		double later = best ? op->progress.ready_ns - best->head->progress.ready_ns : -1;
		if (later < 0 || (later == 0 && op->sequence < best->head->sequence))
			best = s;
	}
	return best;
}

/*
 * Nanoseconds before the operation's work. The latency of a copy that follows another one of its
 * engine without a pause is covered by that one in part.
 */
static double clock_find_delay(const struct sim_device *device, const struct sim_op *op)
{
	const struct sim_profile *profile = sim_profile(device->index);
	const bool link = op->engine != SIM_ENGINE_COMPUTE,
		   follows = op->issue_ns < op->start_ns &&
	                     device->ended_ns[op->engine] == op->start_ns;
	return (link && follows && profile->copy_us > 0 ? profile->copy_us
	                                                : profile->operation_us) *
	       1000;
}

static void clock_start(struct sim_stream *stream)
{
	struct sim_device *device = stream->device;
	struct sim_op *op = stream->head;
	bool link = op->engine != SIM_ENGINE_COMPUTE;
	op->start_ns = sim_clock_now();
	op->progress.active = true;
	op->progress.delay_ns = clock_find_delay(device, op);
	op->progress.left =
		link ? op->bytes : sim_cost_boost_ns(device, op, sim_cost_work_ns(device, op));
	device->busy[op->engine] = stream;
	sim_unlock();
	op->fault = sim_execute_fault(op);
	sim_lock();
	if (op->fault != SIM_HANG)
		return;
	/*
	 * The engine is given free: when a whole device hangs, one engine has several hung
	 * operations.
	 */
	op->hung = true;
	op->progress.active = false;
	device->busy[op->engine] = NULL;
}

static bool clock_start_any(void)
{
	for (int i = 0; i < sim_visible_count(); i++)
		for (int engine = 0; engine < SIM_ENGINE_NONE; engine++) {
			struct sim_device *device = sim_device_at(i);
			struct sim_stream *next =
				device->busy[engine] ? NULL : clock_next(device, engine);
			if (!next)
				continue;
			clock_start(next);
			return true;
		}
	return false;
}

/* Performs one change of state that takes no time. False when none is left. */
static bool clock_settle_one(void)
{
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next) {
		struct sim_op *op = s->head;
		if (!op || op->progress.active || sim_stream_hangs(s))
			continue;
		if (!op->progress.ready && sim_schedule_blocker(s))
			continue;
		if (!op->progress.ready)
			op->progress.ready_ns = now_ns;
		op->progress.ready = true;
		if (op->engine == SIM_ENGINE_NONE || s->device->sticky_error) {
			clock_complete(s);
			return true;
		}
	}
	return clock_start_any();
}

static void clock_settle(void)
{
	while (clock_settle_one())
		;
}

/* Of the operations that have no work left, the one that was issued first. */
static struct sim_stream *clock_ended(void)
{
	struct sim_stream *first = NULL;
	for (struct sim_stream *s = sim_stream_list(); s; s = s->next) {
		const struct sim_op *op = s->head;
		if (op && op->progress.active && op->progress.delay_ns <= 0 &&
		    op->progress.left <= 0 && (!first || op->sequence < first->head->sequence))
			first = s;
	}
	return first;
}

/* Advances to the next event, not past the limit. True: an operation ended, or an alarm rang. */
static bool clock_step(double limit_ns)
{
	double due = clock_due();
	bool any = false;
	if (now_ns + due > limit_ns) {
		clock_move(limit_ns - now_ns);
		now_ns = limit_ns;
	} else {
		clock_move(due);
		now_ns += due;
	}
	for (struct sim_stream *ended; (ended = clock_ended()); any = true)
		clock_complete(ended);
	while (sim_host_ring(now_ns))
		any = true;
	clock_settle();
	return any;
}

/* What simcuda_host_poll set; 0: nothing. */
static double host_poll_ns;

static void clock_pass_by(double elapsed_ns)
{
	double end = now_ns + elapsed_ns;
	while (now_ns < end)
		clock_step(end);
}

/* Advances until an operation ends or an alarm rings, and by poll_ns at least. */
static void clock_wait(void)
{
	double least = now_ns + (isinf(clock_due()) ? hopeless_ns : poll_ns);
	while (!isinf(clock_due()) && !clock_step(INFINITY))
		;
	while (now_ns < least)
		clock_step(least);
}

static void clock_pass(void)
{
	if (host_poll_ns > 0)
		clock_pass_by(host_poll_ns);
	else
		clock_wait();
}

void sim_clock_work(double work_ns)
{
	clock_drive();
	clock_settle();
	if (work_ns > 0)
		clock_pass_by(work_ns);
	else
		clock_wait();
	clock_leave();
}

void simcuda_host_poll(unsigned long long time_ns)
{
	sim_lock();
	host_poll_ns = (double)time_ns;
	sim_unlock();
}

void sim_clock_reach(const struct sim_goal *goal)
{
	for (bool reached = false; !reached;) {
		clock_drive();
		clock_settle();
		reached = !sim_schedule_obstacle(goal);
		bool hopeless = !reached && isinf(clock_due());
		if (!reached && !hopeless)
			clock_step(INFINITY);
		clock_leave();
		if (hopeless)
			sim_schedule_sleep();
	}
}

/*
 * A host that polls several things may get all answers at one moment (key free_polls of the
 * profile). Polling then advances the time when the host polls the same thing again at that moment,
 * because it has nothing else to do, or when it has polled more than free_polls things. A thing
 * that is found done gives the host something to do, once.
 */
enum { CLOCK_VAIN = 64 };

struct clock_goals {
	struct sim_goal goal[CLOCK_VAIN];
	int count;
};

static struct clock_goals vain_goals, done_goals;
static double vain_ns;

/* False: it is in the list already, or there are as many. */
static bool clock_note(struct clock_goals *goals, const struct sim_goal *goal, int most)
{
	for (int i = 0; i < goals->count; i++)
		if (goals->goal[i].mark == goal->mark && goals->goal[i].stream == goal->stream)
			return false;
	if (goals->count >= most)
		return false;
	goals->goal[goals->count++] = *goal;
	return true;
}

static void clock_look_at_moment(void)
{
	if (vain_ns != now_ns)
		vain_goals.count = done_goals.count = 0;
	vain_ns = now_ns;
}

static bool clock_poll_is_free(const struct sim_goal *goal)
{
	clock_look_at_moment();
	return clock_note(&vain_goals, goal, (int)sim_profile(0)->free_polls);
}

static void clock_tell_done(const struct sim_goal *goal)
{
	clock_look_at_moment();
	if (clock_note(&done_goals, goal, CLOCK_VAIN))
		vain_goals.count = 0;
}

bool sim_clock_poll(const struct sim_goal *goal)
{
	clock_drive();
	clock_settle();
	if (sim_schedule_obstacle(goal) && !clock_poll_is_free(goal))
		clock_pass();
	bool reached = !sim_schedule_obstacle(goal);
	if (reached)
		clock_tell_done(goal);
	clock_leave();
	return reached;
}
