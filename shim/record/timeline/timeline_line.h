/* timeline_line.h - events as lines of the trace event format */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_LINE_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "shim/record/format.h"

/* Room for any line: a record and what stands around it. */
enum { TIMELINE_LINE_BYTES = FORMAT_LINE_BYTES + 256, TIMELINE_TEXT_BYTES = 80 };

/* The thread of an event, or a track that is numbered like one. */
struct timeline_place {
	int64_t pid, tid;
};

/* A line being built. */
struct timeline_line {
	char text[TIMELINE_LINE_BYTES];
	char *end;
};

/*
 * Begins a span (ph X), an instant (ph i) or metadata (ph M); key and value pairs may follow, its
 * args; end finishes the line with its newline and returns its length. Names are short and need no
 * escapes. Texts, from the program or a thread, are cut, and what JSON escapes or is not ASCII
 * becomes '?'.
 */
void timeline_line_begin_span(struct timeline_line *line, const char *name, const char *category,
                              const struct timeline_place *place, int64_t begin_ns, int64_t end_ns);
void timeline_line_begin_instant(struct timeline_line *line, const char *name,
                                 const struct timeline_place *place, int64_t at_ns);
void timeline_line_begin_metadata(struct timeline_line *line, const char *name,
                                  const struct timeline_place *place);
void timeline_line_add_count(struct timeline_line *line, const char *key, uint64_t value);
void timeline_line_add_time(struct timeline_line *line, const char *key, int64_t at_ns);
void timeline_line_add_text(struct timeline_line *line, const char *key, const char *text);
void timeline_line_add_record(struct timeline_line *line, const struct record *record,
                              const struct format_author *author);
size_t timeline_line_end(struct timeline_line *line);

#endif
