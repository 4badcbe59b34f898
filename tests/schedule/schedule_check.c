/* schedule_check.c - whether the simulated CUDA's events are a right schedule of a call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { CHECK_TOLD = 12 };

void schedule_check_refuse(struct schedule_check *check, const char *format, ...)
{
	va_list arguments;
	if (check->refusals++ >= CHECK_TOLD)
		return;
	va_start(arguments, format);
	printf("refused: ");
	vprintf(format, arguments);
	printf("\n");
	va_end(arguments);
}

void *schedule_check_allocate(size_t count, size_t size_bytes)
{
	void *memory = calloc(count, size_bytes);
	if (memory == NULL) {
		fprintf(stderr, "schedule_check: no memory\n");
		exit(2);
	}
	return memory;
}

/* From the first operation that was issued to the end of the last. */
static double check_find_time_ns(const struct schedule_events *events)
{
	uint64_t begin = UINT64_MAX, end = 0;
	for (size_t i = 0; i < events->count; i++) {
		const struct schedule_event *event = &events->event[i];
		begin = event->issue_ns < begin ? event->issue_ns : begin;
		end = event->end_ns > end ? event->end_ns : end;
	}
	return events->count == 0 ? 0 : (double)(end - begin);
}

/* One line for a program to read. */
static void check_print(const struct schedule_check *check)
{
	const double time_ns = check_find_time_ns(&check->events),
		     bound_ns = schedule_factor_takes(check->call.routine)
	                                ? schedule_factor_bound_ns(check)
	                                : schedule_totals_bound_ns(check);
	double bytes[EVENT_KINDS] = {0};
	int count[EVENT_KINDS] = {0};
	for (size_t i = 0; i < check->events.count; i++) {
		const struct schedule_event *event = &check->events.event[i];
		bytes[event->kind] += (double)event->bytes;
		count[event->kind]++;
	}
	printf("time_ms=%.4f bound_ms=%.4f ratio=%.4f up_bytes=%.0f down_bytes=%.0f loads=%d "
	       "kernels=%d stores=%d\n",
	       time_ns / 1e6, bound_ns / 1e6, time_ns / bound_ns, bytes[EVENT_UP],
	       bytes[EVENT_DOWN], count[EVENT_UP], count[EVENT_KERNEL], count[EVENT_DOWN]);
}

int main(int argc, char **argv)
{
	static struct schedule_check check;
	if (argc < 4) {
		fprintf(stderr, "usage: schedule_check TRACE CLOCK routine=WORD element=LETTER "
		                "m=NUMBER ...\n");
		return 2;
	}
	for (int i = 3; i < argc; i++)
		if (!schedule_call_read(&check.call, argv[i])) {
			fprintf(stderr, "schedule_check: '%s' is not understood\n", argv[i]);
			return 2;
		}
	if (!schedule_events_read(argv[1], &check.events) ||
	    !schedule_clock_read(argv[2], &check.clock))
		return 2;
	schedule_engines_check(&check);
	if (schedule_factor_takes(check.call.routine))
		schedule_factor_extend(&check);
	schedule_hazards_check(&check);
	if (schedule_factor_takes(check.call.routine)) {
		schedule_factor_check(&check);
	} else {
		schedule_contents_check(&check);
		schedule_totals_check(&check);
	}
	if (check.refusals > CHECK_TOLD)
		printf("refused: and %d times more\n", check.refusals - CHECK_TOLD);
	check_print(&check);
	free(check.events.event);
	return check.refusals == 0 ? 0 : 1;
}
