/* schedule_trace.c - reads a trace of the simulated CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const trace_kind_name[TRACE_KINDS] = {"h2d",    "d2h",    "d2d",
                                                         "kernel", "record", "wait"};
static const char *const trace_engine_name[TRACE_ENGINES] = {"up", "down", "work", "none"};

static int trace_find_word(const char *word, const char *const *words, int count)
{
	int found = 0;
	while (found < count && strcmp(word, words[found]) != 0)
		found++;
	return found;
}

static bool trace_read_number(const char *text, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static bool trace_read_real(const char *text, double *number)
{
	char *end;
	*number = strtod(text, &end);
	return end != text && *end == '\0' && *number >= 0;
}

/* address:pitch:width:height, the address in hexadecimal digits. */
static bool trace_read_area(const char *text, struct trace_area *area)
{
	int end = 0;
	const int got = sscanf(text, "%" SCNx64 ":%" SCNu64 ":%" SCNu64 ":%" SCNu64 "%n",
	                       &area->begin, &area->pitch, &area->width, &area->height, &end);
	return got == 4 && text[end] == '\0' && area->width > 0 && area->height > 0 &&
	       (area->height == 1 || area->pitch >= area->width);
}

static bool trace_read_areas(char *text, struct trace_area areas[TRACE_AREAS], int *count)
{
	char *rest = NULL;
	for (char *word = strtok_r(text, ",", &rest); word != NULL;
	     word = strtok_r(NULL, ",", &rest))
		if (*count == TRACE_AREAS || !trace_read_area(word, &areas[(*count)++]))
			return false;
	return true;
}

static bool trace_read_word(struct trace_operation *operation, const char *key, char *value)
{
	static const struct {
		const char *key;
		size_t offset;
	} numbers[] = {
		{"op", offsetof(struct trace_operation, number)},
		{"stream", offsetof(struct trace_operation, stream)},
		{"issue_ns", offsetof(struct trace_operation, issue_ns)},
		{"start_ns", offsetof(struct trace_operation, start_ns)},
		{"end_ns", offsetof(struct trace_operation, end_ns)},
		{"bytes", offsetof(struct trace_operation, bytes)},
		{"mark", offsetof(struct trace_operation, mark)},
		{"error", offsetof(struct trace_operation, error)},
	};
	uint64_t number = 0;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (strcmp(key, numbers[i].key) == 0)
			return trace_read_number(
				value, (uint64_t *)((char *)operation + numbers[i].offset));
	if (strcmp(key, "device") == 0) {
		const bool read = trace_read_number(value, &number) && number < 1000;
		operation->device = (int)number;
		return read;
	}
	if (strcmp(key, "kind") == 0)
		return (operation->kind = trace_find_word(value, trace_kind_name, TRACE_KINDS)) !=
		       TRACE_KINDS;
	if (strcmp(key, "engine") == 0)
		return (operation->engine = trace_find_word(value, trace_engine_name,
		                                            TRACE_ENGINES)) != TRACE_ENGINES;
	if (strcmp(key, "flops") == 0)
		return trace_read_real(value, &operation->flops);
	if (strcmp(key, "area") == 0)
		return trace_read_real(value, &operation->area);
	if (strcmp(key, "name") == 0)
		return snprintf(operation->name, sizeof operation->name, "%s", value) < TRACE_NAME;
	if (strcmp(key, "reads") == 0)
		return trace_read_areas(value, operation->read, &operation->reads);
	if (strcmp(key, "writes") == 0)
		return trace_read_areas(value, operation->write, &operation->writes);
	return strcmp(key, "host") == 0; /* where staging lies is not of interest */
}

static bool trace_read_line(char *line, struct trace_operation *operation)
{
	char *rest = NULL;
	int words = 0;
	*operation = (struct trace_operation){.engine = TRACE_ENGINE_NONE};
	for (char *word = strtok_r(line, " \n", &rest); word != NULL;
	     word = strtok_r(NULL, " \n", &rest)) {
		char *value = strchr(word, '=');
		if (value == NULL)
			return false;
		*value++ = '\0';
		words++;
		if (!trace_read_word(operation, word, value))
			return false;
	}
	return words > 0;
}

static bool trace_add(struct trace *trace, size_t *room, const struct trace_operation *operation)
{
	if (trace->count == *room) {
		const size_t more = *room == 0 ? 1024 : 2 * *room;
		void *grown = realloc(trace->operation, more * sizeof *trace->operation);
		if (grown == NULL) {
			fprintf(stderr, "schedule_check: no memory for %zu operations\n", more);
			return false;
		}
		trace->operation = grown;
		*room = more;
	}
	trace->operation[trace->count++] = *operation;
	return true;
}

static int trace_compare(const void *x, const void *y)
{
	const struct trace_operation *a = x, *b = y;
	return (a->number > b->number) - (a->number < b->number);
}

bool schedule_trace_read(const char *path, struct trace *trace)
{
	FILE *file = fopen(path, "r");
	struct trace_operation operation;
	char *line = NULL;
	size_t length = 0, room = 0;
	bool good = file != NULL;
	*trace = (struct trace){.count = 0};
	if (!good)
		fprintf(stderr, "schedule_check: %s: %s\n", path, strerror(errno));
	while (good && getline(&line, &length, file) > 0) {
		good = trace_read_line(line, &operation);
		if (!good)
			fprintf(stderr, "schedule_check: %s:%zu: not an operation\n", path,
			        trace->count + 1);
		good = good && trace_add(trace, &room, &operation);
	}
	free(line);
	if (file != NULL)
		fclose(file);
	if (trace->count > 1)
		qsort(trace->operation, trace->count, sizeof *trace->operation, trace_compare);
	return good;
}
