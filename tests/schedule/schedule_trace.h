/* schedule_trace.h - what the simulated CUDA writes in clock mode: one line per operation */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_TRACE_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_kind {
	TRACE_UP,
	TRACE_DOWN,
	TRACE_WITHIN,
	TRACE_KERNEL,
	TRACE_RECORD,
	TRACE_WAIT,
	TRACE_KINDS
};
enum trace_engine {
	TRACE_ENGINE_UP,
	TRACE_ENGINE_DOWN,
	TRACE_ENGINE_WORK,
	TRACE_ENGINE_NONE,
	TRACE_ENGINES
};

enum { TRACE_AREAS = 8, TRACE_NAME = 48 };

/* height runs of width bytes of a device's memory, pitch apart. */
struct trace_area {
	uint64_t begin, pitch, width, height;
};

/*
 * Copies name the area of the device's side that they read or write. mark is of records and waits.
 */
struct trace_operation {
	uint64_t number; /* in the order in which they were issued */
	enum trace_kind kind;
	enum trace_engine engine;
	int device;
	uint64_t stream, mark, bytes, error;
	uint64_t issue_ns, start_ns, end_ns;
	double flops, area; /* area: elements of a kernel's result */
	char name[TRACE_NAME];
	int reads, writes;
	struct trace_area read[TRACE_AREAS], write[TRACE_AREAS];
};

/* By number. */
struct trace {
	struct trace_operation *operation;
	size_t count;
};

/* false after a sentence on stderr: the file cannot be read, or a line of it not be understood. */
bool schedule_trace_read(const char *path, struct trace *trace);

#endif
