/* sheaf.c - turns ticks into lines */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/sheaf.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "shim/record/format.h"
#include "shim/record/logfile.h"
#include "shim/record/ticks.h"

enum { SHEAF_BYTES = 65536 };

/* The last line of the sheaf: where its elapsed time begins, and whose it is. */
struct sheaf_last {
	const char *line;
	size_t head_bytes;
	pid_t tid;
	struct record_tick tick;
};

static struct {
	enum reason reason;
	struct ticks_moment opened;
	struct ticks_scale scale;
	pid_t pid;
	struct sheaf_last last;
	size_t used;
	char text[SHEAF_BYTES];
} sheaf;

static struct format_tick sheaf_scale(const struct record_tick *tick, const struct ticks_scale *scale)
{
	return (struct format_tick){.tick = tick,
	                            .start_ns = ticks_to_realtime_ns(scale, tick->tsc_begin),
	                            .elapsed_ns = ticks_to_elapsed_ns(scale, tick->tsc_begin, tick->tsc_end),
	                            .reason = sheaf.reason};
}

void sheaf_open(enum reason reason)
{
	sheaf.reason = reason;
	ticks_read_moment(&sheaf.opened);
}

void sheaf_begin(void)
{
	sheaf.pid = getpid();
	ticks_find_scale(&sheaf.opened, &sheaf.scale);
}

/* Programs make the same call again and again: then only the times differ, the first and the last field. */
enum sheaf_field {
#define FIELD(key, type, help) SHEAF_FIELD_##key,
#include "shim/record/field.def"
	SHEAF_FIELD_COUNT
};
_Static_assert(SHEAF_FIELD_time == 0 && SHEAF_FIELD_elapsed_ns == SHEAF_FIELD_COUNT - 1, "sheaf_repeat relies on it");

static bool sheaf_is_alike(const struct record_tick *tick, pid_t tid)
{
	const struct sheaf_last *last = &sheaf.last;
	return last->line != NULL && last->tid == tid && last->tick.symbol == tick->symbol &&
	       last->tick.problems == tick->problems && memcmp(last->tick.sizes, tick->sizes, sizeof(tick->sizes)) == 0;
}

static size_t sheaf_repeat(const struct format_tick *tick, char *out)
{
	static const size_t time_offset = sizeof("{\"time\":\"") - 1;
	char time[FORMAT_TIME_BYTES];
	memcpy(out, sheaf.last.line, sheaf.last.head_bytes);
	format_write_time(tick->start_ns, time);
	memcpy(out + time_offset, time, sizeof(time) - 1);
	char *end = format_write_integer(out + sheaf.last.head_bytes, tick->elapsed_ns);
	memcpy(end, "}\n", 2);
	return (size_t)(end + 2 - out);
}

static size_t sheaf_write(const struct format_tick *tick, pid_t tid, char *out)
{
	const struct format_author author = {.pid = sheaf.pid, .tid = tid};
	const size_t size = format_write_tick(tick, &author, out);
	const char *colon = memrchr(out, ':', size);
	sheaf.last = (struct sheaf_last){out, (size_t)(colon + 1 - out), tid, *tick->tick};
	return size;
}

void sheaf_add(const struct record_tick *tick, pid_t tid)
{
	const struct format_tick scaled = sheaf_scale(tick, &sheaf.scale);
	if (sheaf.used > SHEAF_BYTES - FORMAT_LINE_BYTES)
		sheaf_end();
	char *out = sheaf.text + sheaf.used;
	sheaf.used += sheaf_is_alike(tick, tid) ? sheaf_repeat(&scaled, out) : sheaf_write(&scaled, tid, out);
}

void sheaf_end(void)
{
	if (sheaf.used > 0)
		logfile_write(sheaf.text, sheaf.used);
	sheaf.used = 0;
	sheaf.last.line = NULL;
}

void sheaf_write_now(const struct record_tick *tick)
{
	const int saved_errno = errno;
	const struct format_author author = {.pid = getpid(), .tid = gettid()};
	char line[FORMAT_LINE_BYTES];
	struct ticks_scale scale;
	ticks_find_scale(&sheaf.opened, &scale);
	const struct format_tick scaled = sheaf_scale(tick, &scale);
	logfile_write(line, format_write_tick(&scaled, &author, line));
	errno = saved_errno;
}
