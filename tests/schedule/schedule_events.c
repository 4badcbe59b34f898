/* schedule_events.c - reads the events that the simulated CUDA writes in clock mode */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const events_kind_name[EVENT_KINDS] = {"h2d",    "d2h",    "d2d",
                                                          "kernel", "record", "wait"};
static const char *const events_engine_name[EVENT_ENGINES] = {"up", "down", "work", "none"};

static int events_find_word(const char *word, const char *const *words, int count)
{
	int found = 0;
	while (found < count && strcmp(word, words[found]) != 0)
		found++;
	return found;
}

static bool events_read_number(const char *text, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool events_read_real(const char *text, double *number)
{
	char *end;
	*number = strtod(text, &end);
	return end != text && *end == '\0' && *number >= 0;
}

/* address:pitch:width:height, the address in hexadecimal digits. */
static bool events_read_area(const char *text, struct event_area *area)
{
	int end = 0;
	const int got = sscanf(text, "%" SCNx64 ":%" SCNu64 ":%" SCNu64 ":%" SCNu64 "%n",
	                       &area->begin, &area->pitch, &area->width, &area->height, &end);
	return got == 4 && text[end] == '\0' && area->width > 0 && area->height > 0 &&
	       (area->height == 1 || area->pitch >= area->width);
}

static bool events_read_areas(char *text, struct event_area areas[EVENT_AREAS], int *count)
{
	char *rest = NULL;
	for (char *word = strtok_r(text, ",", &rest); word != NULL;
	     word = strtok_r(NULL, ",", &rest))
		if (*count == EVENT_AREAS || !events_read_area(word, &areas[(*count)++]))
			return false;
	return true;
}

static bool events_read_word(struct schedule_event *event, const char *key, char *value)
{
	static const struct {
		const char *key;
		size_t offset;
	} numbers[] = {
		{"op", offsetof(struct schedule_event, number)},
		{"stream", offsetof(struct schedule_event, stream)},
		{"issue_ns", offsetof(struct schedule_event, issue_ns)},
		{"start_ns", offsetof(struct schedule_event, start_ns)},
		{"end_ns", offsetof(struct schedule_event, end_ns)},
		{"bytes", offsetof(struct schedule_event, bytes)},
		{"mark", offsetof(struct schedule_event, mark)},
		{"error", offsetof(struct schedule_event, error)},
	};
	uint64_t number = 0;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (strcmp(key, numbers[i].key) == 0)
			return events_read_number(value,
			                          (uint64_t *)((char *)event + numbers[i].offset));
	if (strcmp(key, "device") == 0) {
		const bool read = events_read_number(value, &number) && number < 1000;
		event->device = (int)number;
		return read;
	}
	if (strcmp(key, "kind") == 0)
		return (event->kind = events_find_word(value, events_kind_name, EVENT_KINDS)) !=
		       EVENT_KINDS;
	if (strcmp(key, "engine") == 0)
		return (event->engine = events_find_word(value, events_engine_name,
		                                         EVENT_ENGINES)) != EVENT_ENGINES;
	if (strcmp(key, "flops") == 0)
		return events_read_real(value, &event->flops);
	if (strcmp(key, "area") == 0)
		return events_read_real(value, &event->area);
	if (strcmp(key, "name") == 0)
		return snprintf(event->name, sizeof event->name, "%s", value) < EVENT_NAME;
	if (strcmp(key, "reads") == 0)
		return events_read_areas(value, event->read, &event->reads);
	if (strcmp(key, "writes") == 0)
		return events_read_areas(value, event->write, &event->writes);
	return strcmp(key, "host") == 0; /* the address of staging memory is not used */
}

static bool events_read_line(char *line, struct schedule_event *event)
{
	char *rest = NULL;
	int words = 0;
	*event = (struct schedule_event){.engine = EVENT_ENGINE_NONE};
	for (char *word = strtok_r(line, " \n", &rest); word != NULL;
	     word = strtok_r(NULL, " \n", &rest)) {
		char *value = strchr(word, '=');
		if (value == NULL)
			return false;
		*value++ = '\0';
		words++;
		if (!events_read_word(event, word, value))
			return false;
	}
	return words > 0;
}

static bool events_add(struct schedule_events *events, size_t *room,
                       const struct schedule_event *event)
{
	if (events->count == *room) {
		const size_t more = *room == 0 ? 1024 : 2 * *room;
		void *grown = realloc(events->event, more * sizeof *events->event);
		if (grown == NULL) {
			fprintf(stderr, "schedule_check: no memory for %zu operations\n", more);
			return false;
		}
		events->event = grown;
		*room = more;
	}
	events->event[events->count++] = *event;
	return true;
}

static int events_compare(const void *x, const void *y)
{
	const struct schedule_event *a = x, *b = y;
	return (a->number > b->number) - (a->number < b->number);
}

bool schedule_events_read(const char *path, struct schedule_events *events)
{
	FILE *file = fopen(path, "r");
	struct schedule_event event;
	char *line = NULL;
	size_t length = 0, room = 0;
	bool good = file != NULL;
	*events = (struct schedule_events){.count = 0};
	if (!good)
		fprintf(stderr, "schedule_check: %s: %s\n", path, strerror(errno));
	while (good && getline(&line, &length, file) > 0) {
		good = events_read_line(line, &event);
		if (!good)
			fprintf(stderr, "schedule_check: %s:%zu: not an operation\n", path,
			        events->count + 1);
		good = good && events_add(events, &room, &event);
	}
	free(line);
	if (file != NULL)
		fclose(file);
	if (events->count > 1)
		qsort(events->event, events->count, sizeof *events->event, events_compare);
	return good;
}
