/* schedule_hazards.c - operations on the same bytes of a device are ordered by the program */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/schedule/schedule_check.h"

enum { HAZARD_STREAMS = 64 };

/*
 * For each operation and each stream: number of the stream's operations that are known to be
 * complete before it begins. Knowledge of the host is left out: the host has seen the end of all
 * operations that ended before it issued this one.
 */
struct hazard_clocks {
	struct schedule_check *check;
	int streams;
	struct {
		int device;
		uint64_t stream;
		const uint32_t *last; /* clock of the last operation so far */
		uint32_t count;
	} stream[HAZARD_STREAMS];
	uint32_t *before; /* [event][stream] */
	uint32_t *place;  /* position of an operation in its stream, from 1 on */
	int *of;          /* index of its stream */
};

static int hazards_find_stream(struct hazard_clocks *clocks, const struct schedule_event *event)
{
	int found = 0;
	while (found < clocks->streams && (clocks->stream[found].stream != event->stream ||
	                                   clocks->stream[found].device != event->device))
		found++;
	if (found == HAZARD_STREAMS) {
		schedule_check_refuse(clocks->check, "more than %d streams", HAZARD_STREAMS);
		return 0;
	}
	if (found == clocks->streams) {
		clocks->stream[found].stream = event->stream;
		clocks->stream[found].device = event->device;
		clocks->streams++;
	}
	return found;
}

/* The clock of the record that the wait waits for: the last one of its mark before it. */
static const uint32_t *hazards_find_record(const struct hazard_clocks *clocks, size_t wait)
{
	const struct schedule_event *events = clocks->check->events.event;
	for (size_t i = wait; i-- > 0;)
		if (events[i].kind == EVENT_RECORD && events[i].mark == events[wait].mark)
			return &clocks->before[i * HAZARD_STREAMS];
	return NULL;
}

static void hazards_join(uint32_t *into, const uint32_t *from)
{
	for (int i = 0; i < HAZARD_STREAMS; i++)
		if (from[i] > into[i])
			into[i] = from[i];
}

/* A record is complete when the operations before it are: it counts as one of its stream. */
static void hazards_set_clock(struct hazard_clocks *clocks, size_t index)
{
	const struct schedule_event *event = &clocks->check->events.event[index];
	const int number = clocks->of[index] = hazards_find_stream(clocks, event);
	uint32_t *before = &clocks->before[index * HAZARD_STREAMS];
	if (clocks->stream[number].last != NULL)
		hazards_join(before, clocks->stream[number].last);
	before[number] = clocks->stream[number].count;
	if (event->kind == EVENT_WAIT) {
		const uint32_t *record = hazards_find_record(clocks, index);
		if (record != NULL)
			hazards_join(before, record);
		else
			schedule_check_refuse(clocks->check,
			                      "operation %" PRIu64
			                      " waits for a mark that nothing set",
			                      event->number);
	}
	clocks->stream[number].last = before;
	clocks->place[index] = ++clocks->stream[number].count;
}

/* Whether a run of x overlaps one of y. */
static bool hazards_meet(const struct event_area *x, const struct event_area *y)
{
	const uint64_t y_end = y->begin + y->pitch * (y->height - 1) + y->width;
	const uint64_t y_pitch = y->height > 1 ? y->pitch : y->width;
	if (x->begin >= y_end || y->begin >= x->begin + x->pitch * (x->height - 1) + x->width)
		return false;
	for (uint64_t i = 0; i < x->height; i++) {
		const uint64_t begin = x->begin + i * x->pitch, end = begin + x->width;
		/* The first run of y that ends behind begin. */
		const uint64_t run = begin < y->begin + y->width
		                             ? 0
		                             : (begin - y->begin - y->width) / y_pitch + 1;
		if (run < y->height && y->begin + run * y_pitch < end)
			return true;
	}
	return false;
}

static bool hazards_meet_any(const struct event_area *x, int x_count, const struct event_area *y,
                             int y_count)
{
	for (int i = 0; i < x_count; i++)
		for (int j = 0; j < y_count; j++)
			if (x[i].height <= y[j].height ? hazards_meet(&x[i], &y[j])
			                               : hazards_meet(&y[j], &x[i]))
				return true;
	return false;
}

/* How the later operation uses bytes of the earlier one; NULL where they share none. */
static const char *hazards_name(const struct schedule_event *before,
                                const struct schedule_event *after)
{
	if (hazards_meet_any(after->read, after->reads, before->write, before->writes))
		return "reads what is written by";
	if (hazards_meet_any(after->write, after->writes, before->read, before->reads))
		return "overwrites what is read by";
	if (hazards_meet_any(after->write, after->writes, before->write, before->writes))
		return "overwrites what is written by";
	return NULL;
}

static void hazards_compare(const struct hazard_clocks *clocks, size_t before, size_t after)
{
	const struct schedule_event *events = clocks->check->events.event;
	const uint32_t *known = &clocks->before[after * HAZARD_STREAMS];
	const bool waits = known[clocks->of[before]] >= clocks->place[before];
	if (waits && events[after].start_ns >= events[before].end_ns)
		return;
	const char *name = hazards_name(&events[before], &events[after]);
	if (name != NULL)
		schedule_check_refuse(clocks->check, "operation %" PRIu64 " %s %" PRIu64 "%s",
		                      events[after].number, name, events[before].number,
		                      events[after].start_ns < events[before].end_ns
		                              ? ", which has not ended"
		                              : ", and nothing makes it wait");
}

/*
 * Compares each operation with those that had not ended when it was issued: the host had seen the
 * end of the others.
 */
static void hazards_compare_all(const struct hazard_clocks *clocks)
{
	const struct schedule_events *events = &clocks->check->events;
	size_t *open = schedule_check_allocate(events->count + 1, sizeof *open), count = 0;
	for (size_t i = 0; i < events->count; i++) {
		const struct schedule_event *event = &events->event[i];
		size_t kept = 0;
		if (event->kind == EVENT_RECORD || event->kind == EVENT_WAIT)
			continue;
		for (size_t j = 0; j < count; j++) {
			if (events->event[open[j]].end_ns <= event->issue_ns)
				continue;
			if (events->event[open[j]].device == event->device)
				hazards_compare(clocks, open[j], i);
			open[kept++] = open[j];
		}
		open[kept] = i;
		count = kept + 1;
	}
	free(open);
}

void schedule_hazards_check(struct schedule_check *check)
{
	const size_t count = check->events.count;
	struct hazard_clocks clocks = {
		.check = check,
		.before =
			schedule_check_allocate(count + 1, HAZARD_STREAMS * sizeof *clocks.before),
		.place = schedule_check_allocate(count + 1, sizeof *clocks.place),
		.of = schedule_check_allocate(count + 1, sizeof *clocks.of),
	};
	for (size_t i = 0; i < count; i++)
		hazards_set_clock(&clocks, i);
	hazards_compare_all(&clocks);
	free(clocks.before);
	free(clocks.place);
	free(clocks.of);
}
