/* timeline_line.c - writes a line of the trace event format without stdio or locale */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline_line.h"

#include <stdbool.h>
#include <string.h>

static void timeline_line_put(struct timeline_line *line, const char *text)
{
	const size_t length = strlen(text);
	memcpy(line->end, text, length);
	line->end += length;
}

static void timeline_line_put_integer(struct timeline_line *line, const char *before, int64_t value)
{
	timeline_line_put(line, before);
	line->end = format_write_integer(line->end, value);
}

/* In microseconds, the format's unit, with the nanoseconds as decimals. */
static void timeline_line_put_time(struct timeline_line *line, const char *before, int64_t at_ns)
{
	timeline_line_put_integer(line, before, at_ns / 1000);
	*line->end++ = '.';
	for (int64_t digit = 100; digit > 0; digit /= 10)
		*line->end++ = (char)('0' + at_ns % 1000 / digit % 10);
}

static void timeline_line_begin(struct timeline_line *line, const char *name, const char *kind,
                                const struct timeline_place *place)
{
	line->end = line->text;
	timeline_line_put(line, "{\"name\":\"");
	timeline_line_put(line, name);
	timeline_line_put(line, kind);
	timeline_line_put_integer(line, ",\"pid\":", place->pid);
	timeline_line_put_integer(line, ",\"tid\":", place->tid);
}

void timeline_line_begin_span(struct timeline_line *line, const char *name, const char *category,
                              const struct timeline_place *place, int64_t begin_ns, int64_t end_ns)
{
	timeline_line_begin(line, name, "\",\"ph\":\"X\"", place);
	timeline_line_put(line, ",\"cat\":\"");
	timeline_line_put(line, category);
	timeline_line_put_time(line, "\",\"ts\":", begin_ns);
	timeline_line_put_time(line, ",\"dur\":", end_ns > begin_ns ? end_ns - begin_ns : 0);
	timeline_line_put(line, ",\"args\":{");
}

void timeline_line_begin_instant(struct timeline_line *line, const char *name,
                                 const struct timeline_place *place, int64_t at_ns)
{
	timeline_line_begin(line, name, "\",\"ph\":\"i\",\"s\":\"p\"", place);
	timeline_line_put_time(line, ",\"ts\":", at_ns);
	timeline_line_put(line, ",\"args\":{");
}

void timeline_line_begin_metadata(struct timeline_line *line, const char *name,
                                  const struct timeline_place *place)
{
	timeline_line_begin(line, name, "\",\"ph\":\"M\"", place);
	timeline_line_put(line, ",\"args\":{");
}

static void timeline_line_put_key(struct timeline_line *line, const char *key)
{
	timeline_line_put(line, line->end[-1] == '{' ? "\"" : ",\"");
	timeline_line_put(line, key);
}

void timeline_line_add_count(struct timeline_line *line, const char *key, uint64_t value)
{
	timeline_line_put_key(line, key);
	timeline_line_put_integer(line, "\":", value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

void timeline_line_add_time(struct timeline_line *line, const char *key, int64_t at_ns)
{
	timeline_line_put_key(line, key);
	timeline_line_put_time(line, "\":", at_ns);
}

void timeline_line_add_text(struct timeline_line *line, const char *key, const char *text)
{
	timeline_line_put_key(line, key);
	timeline_line_put(line, "\":\"");
	for (int i = 0; i < TIMELINE_TEXT_BYTES && text[i] != '\0'; i++) {
		const bool plain =
			text[i] >= ' ' && text[i] <= '~' && text[i] != '"' && text[i] != '\\';
		*line->end++ = plain ? text[i] : '?';
	}
	*line->end++ = '"';
}

/* The line of the log without its braces and newline. */
void timeline_line_add_record(struct timeline_line *line, const struct record *record,
                              const struct format_author *author)
{
	char text[FORMAT_LINE_BYTES];
	const size_t size = format_write_record(record, author, text) - sizeof "}\n";
	*line->end++ = ',';
	memcpy(line->end, text + 1, size);
	line->end += size;
}

size_t timeline_line_end(struct timeline_line *line)
{
	timeline_line_put(line, "}},\n");
	return (size_t)(line->end - line->text);
}
