/* schedule_engines.c - each engine runs one operation at a time, as long as the clocks say */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/schedule/schedule_check.h"
#include "tests/schedule/schedule_kernel.h"

/* The events' times are whole nanoseconds. */
static const double engines_rounding_ns = 2;

/* The operations of one engine of one device, by start. */
struct engine_list {
	const struct schedule_event **event;
	size_t count;
};

static int engines_compare(const void *x, const void *y)
{
	const struct schedule_event *a = *(const struct schedule_event *const *)x;
	const struct schedule_event *b = *(const struct schedule_event *const *)y;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

static struct engine_list engines_list(const struct schedule_check *check, int device,
                                       enum event_engine engine)
{
	struct engine_list list = {
		.event = schedule_check_allocate(check->events.count + 1, sizeof *list.event)};
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		if (event->device == device && event->engine == engine)
			list.event[list.count++] = event;
	}
	qsort(list.event, list.count, sizeof *list.event, engines_compare);
	return list;
}

static void engines_check_one_at_a_time(struct schedule_check *check,
                                        const struct engine_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		const struct schedule_event *before = list->event[i - 1], *after = list->event[i];
		if (after->start_ns < before->end_ns)
			schedule_check_refuse(check,
			                      "operation %" PRIu64
			                      " begins while its engine is busy with %" PRIu64,
			                      after->number, before->number);
	}
}

static void engines_check_order(struct schedule_check *check)
{
	static const enum event_engine wanted[EVENT_KINDS] = {EVENT_ENGINE_UP,   EVENT_ENGINE_DOWN,
	                                                      EVENT_ENGINE_WORK, EVENT_ENGINE_WORK,
	                                                      EVENT_ENGINE_NONE, EVENT_ENGINE_NONE};
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		if (event->engine != wanted[event->kind])
			schedule_check_refuse(check, "operation %" PRIu64 " is on the wrong engine",
			                      event->number);
		if (event->start_ns < event->issue_ns || event->end_ns < event->start_ns)
			schedule_check_refuse(check,
			                      "operation %" PRIu64
			                      " is issued, begins and ends in another order",
			                      event->number);
		if (event->error != 0)
			schedule_check_refuse(check, "operation %" PRIu64 " failed with %" PRIu64,
			                      event->number, event->error);
		if (i > 0 && event->issue_ns < event[-1].issue_ns)
			schedule_check_refuse(check,
			                      "operation %" PRIu64
			                      " is issued before the one in front of it",
			                      event->number);
	}
}

/*
 * A copy begins to move bytes when its latency is over, which is shorter where it was issued before
 * the one in front of it ended, and began then.
 */
static double engines_moves_from(const struct schedule_check *check, const struct engine_list *list,
                                 size_t number)
{
	const struct schedule_event *copy = list->event[number];
	const bool follows = number > 0 && list->event[number - 1]->end_ns == copy->start_ns &&
	                     copy->issue_ns < copy->start_ns;
	const double latency_us = follows ? check->clock.copy_us : check->clock.operation_us;
	return fmin((double)copy->start_ns + latency_us * 1e3, (double)copy->end_ns);
}

/*
 * A copy moves at its rate, and at duplex times its rate while a copy of the other direction moves.
 * *first: the first of the other copies that may overlap; later calls begin there.
 */
static void engines_check_copy(struct schedule_check *check, const struct engine_list *own,
                               size_t number, double gbytes_s, const struct engine_list *other,
                               size_t *first)
{
	const struct schedule_event *copy = own->event[number];
	const double begin = engines_moves_from(check, own, number), end = (double)copy->end_ns;
	double shared_ns = 0;
	while (*first < other->count && (double)other->event[*first]->end_ns <= begin)
		++*first;
	size_t meets = *first;
	for (; meets < other->count && (double)other->event[meets]->start_ns < end; meets++) {
		const double from = fmax(begin, engines_moves_from(check, other, meets));
		shared_ns += fmax(0, fmin(end, (double)other->event[meets]->end_ns) - from);
	}
	const double moved = gbytes_s * (end - begin - shared_ns + check->clock.duplex * shared_ns);
	const double rounding = gbytes_s * engines_rounding_ns * (double)(meets - *first + 1);
	if (fabs(moved - (double)copy->bytes) > rounding + 1e-9 * (double)copy->bytes)
		schedule_check_refuse(check,
		                      "copy %" PRIu64 " of %" PRIu64 " bytes takes %" PRIu64
		                      " ns, in which %.0f bytes move",
		                      copy->number, copy->bytes, copy->end_ns - copy->start_ns,
		                      moved);
}

static void engines_check_copies(struct schedule_check *check, const struct engine_list *list,
                                 const struct engine_list *other, double gbytes_s)
{
	size_t first = 0;
	for (size_t i = 0; i < list->count; i++)
		if (!schedule_factor_is_control(check, list->event[i]))
			engines_check_copy(check, list, i, gbytes_s, other, &first);
}

static double engines_area_bytes(const struct event_area *areas, int count)
{
	double bytes = 0;
	for (int i = 0; i < count; i++)
		bytes += (double)areas[i].width * (double)areas[i].height;
	return bytes;
}

/* Time in whole waves of tiles of the result; a rank update has the tiles of a triangle. */
static double engines_multiply_ns(const struct schedule_clock *clock,
                                  const struct schedule_event *event)
{
	struct schedule_kernel kernel;
	if (!schedule_kernel_read(event, &kernel))
		return -1;
	const double work_ns = event->flops / (clock->gemm_tflops_s[kernel.element] * 1e3);
	if (clock->tile == 0 || clock->units == 0)
		return work_ns;
	const double down = ceil(kernel.rows / clock->tile),
		     across = ceil(kernel.columns / clock->tile);
	const double waves =
		ceil((kernel.triangle ? down * (down + 1) / 2 : down * across) / clock->units);
	return waves * clock->units * clock->tile * clock->tile / kernel.area * work_ns;
}

static double engines_transform_ns(const struct schedule_clock *clock,
                                   const struct schedule_event *kernel)
{
	const double bytes = engines_area_bytes(kernel->read, kernel->reads) +
	                     engines_area_bytes(kernel->write, kernel->writes);
	return clock->fft_passes * bytes / clock->memory_gbytes_s;
}

static bool engines_is_solver(const struct schedule_event *kernel)
{
	return strncmp(kernel->name, "cusolver", strlen("cusolver")) == 0;
}

static void engines_check_kernel(struct schedule_check *check, const struct schedule_event *kernel)
{
	const double taken_ns = (double)(kernel->end_ns - kernel->start_ns);
	const double work_ns =
		schedule_kernel_is_transform(kernel) ? engines_transform_ns(&check->clock, kernel)
		: engines_is_solver(kernel)          ? schedule_factor_work_ns(check, kernel)
						     : engines_multiply_ns(&check->clock, kernel);
	if (work_ns < 0 && strstr(kernel->name, "laswp") != NULL)
		return; /* it does not tell how many rows it exchanges */
	if (work_ns < 0) {
		schedule_check_refuse(check,
		                      "kernel %" PRIu64 " (%s) is none that the checker knows",
		                      kernel->number, kernel->name);
		return;
	}
	const double wanted_ns = check->clock.operation_us * 1e3 + work_ns;
	if (!(fabs(taken_ns - wanted_ns) <= engines_rounding_ns + 1e-9 * wanted_ns))
		schedule_check_refuse(check,
		                      "kernel %" PRIu64 " (%s) takes %.0f ns instead of %.0f",
		                      kernel->number, kernel->name, taken_ns, wanted_ns);
}

static void engines_check_device(struct schedule_check *check, int device)
{
	const struct engine_list up = engines_list(check, device, EVENT_ENGINE_UP);
	const struct engine_list down = engines_list(check, device, EVENT_ENGINE_DOWN);
	const struct engine_list work = engines_list(check, device, EVENT_ENGINE_WORK);
	engines_check_one_at_a_time(check, &up);
	engines_check_one_at_a_time(check, &down);
	engines_check_one_at_a_time(check, &work);
	engines_check_copies(check, &up, &down, check->clock.up_gbytes_s);
	engines_check_copies(check, &down, &up, check->clock.down_gbytes_s);
	for (size_t i = 0; i < work.count; i++)
		if (work.event[i]->kind == EVENT_KERNEL)
			engines_check_kernel(check, work.event[i]);
	free(up.event);
	free(down.event);
	free(work.event);
}

void schedule_engines_check(struct schedule_check *check)
{
	int last = -1;
	engines_check_order(check);
	for (size_t i = 0; i < check->events.count; i++)
		if (check->events.event[i].device > last)
			last = check->events.event[i].device;
	for (int device = 0; device <= last; device++)
		engines_check_device(check, device);
}
