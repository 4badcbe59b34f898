/* format.h - records as lines of JSON, keys from field.def */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_FORMAT_H
#define GPUSHIM_SHIM_RECORD_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "policy/call/reason.h"
#include "shim/record/record_data.h"

/* Room for any line with its newline, and for a time with its terminator. */
enum { FORMAT_LINE_BYTES = 1024, FORMAT_TIME_BYTES = 28 };

/*
 * The line's process and thread. object: the path of the object that called; empty for the program,
 * NULL if unknown.
 */
struct format_author {
	int64_t pid, tid;
	const char *object;
};

/* A tick with its times in nanoseconds. */
struct format_tick {
	const struct record_tick *tick;
	int64_t start_ns, elapsed_ns;
	enum reason reason;
};

/*
 * Calls of one routine with one reason. symbol: -1 for calls of any. elapsed_ns, size_bytes: of
 * those that were timed and sized.
 */
struct format_total {
	int symbol;
	enum reason reason;
	int64_t time_ns;
	uint64_t calls, elapsed_ns, size_bytes;
};

/* Write one line with its newline, no terminator; return its length. */
size_t format_write_record(const struct record *record, const struct format_author *author,
                           char out[FORMAT_LINE_BYTES]);
size_t format_write_tick(const struct format_tick *tick, const struct format_author *author,
                         char out[FORMAT_LINE_BYTES]);
size_t format_write_total(const struct format_total *total, const struct format_author *author,
                          char out[FORMAT_LINE_BYTES]);

/*
 * CLOCK_REALTIME in RFC 3339 form, UTC, cut to microseconds, terminated:
 * "2026-11-21T02:10:25.123456Z".
 */
void format_write_time(int64_t realtime_ns, char out[FORMAT_TIME_BYTES]);

/* Decimal digits, at most 20 bytes with the sign. Returns the end of what was written. */
char *format_write_integer(char *out, int64_t value);

#endif
