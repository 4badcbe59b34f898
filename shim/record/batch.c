/* batch.c - turns ticks into lines */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/batch.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "shim/record/format.h"
#include "shim/record/logfile.h"
#include "shim/record/ticks.h"

enum { BATCH_BYTES = 65536 };

/* The last line of the batch: where its elapsed time begins, and whose it is. */
struct batch_last {
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
	struct batch_last last;
	size_t used;
	char text[BATCH_BYTES];
} batch;

static struct format_tick batch_scale(const struct record_tick *tick, const struct ticks_scale *scale)
{
	return (struct format_tick){.tick = tick,
	                            .start_ns = ticks_to_realtime_ns(scale, tick->tsc_begin),
	                            .elapsed_ns = ticks_to_elapsed_ns(scale, tick->tsc_begin, tick->tsc_end),
	                            .reason = batch.reason};
}

void batch_open(enum reason reason)
{
	batch.reason = reason;
	ticks_read_moment(&batch.opened);
}

void batch_begin(void)
{
	batch.pid = getpid();
	ticks_find_scale(&batch.opened, &batch.scale);
}

/* Programs make the same call again and again: then only the times differ, the first and the last field. */
enum batch_field {
#define FIELD(key, type, help) BATCH_FIELD_##key,
#include "shim/record/field.def"
	BATCH_FIELD_COUNT
};
_Static_assert(BATCH_FIELD_time == 0 && BATCH_FIELD_elapsed_ns == BATCH_FIELD_COUNT - 1, "batch_repeat relies on it");

static bool batch_is_alike(const struct record_tick *tick, pid_t tid)
{
	const struct batch_last *last = &batch.last;
	return last->line != NULL && last->tid == tid && last->tick.symbol == tick->symbol &&
	       memcmp(last->tick.sizes, tick->sizes, sizeof(tick->sizes)) == 0;
}

static size_t batch_repeat(const struct format_tick *tick, char *out)
{
	static const size_t time_offset = sizeof("{\"time\":\"") - 1;
	char time[FORMAT_TIME_BYTES];
	memcpy(out, batch.last.line, batch.last.head_bytes);
	format_write_time(tick->start_ns, time);
	memcpy(out + time_offset, time, sizeof(time) - 1);
	char *end = format_write_integer(out + batch.last.head_bytes, tick->elapsed_ns);
	memcpy(end, "}\n", 2);
	return (size_t)(end + 2 - out);
}

static size_t batch_write(const struct format_tick *tick, pid_t tid, char *out)
{
	const struct format_author author = {batch.pid, tid};
	const size_t size = format_write_tick(tick, &author, out);
	const char *colon = memrchr(out, ':', size);
	batch.last = (struct batch_last){out, (size_t)(colon + 1 - out), tid, *tick->tick};
	return size;
}

void batch_add(const struct record_tick *tick, pid_t tid)
{
	const struct format_tick scaled = batch_scale(tick, &batch.scale);
	if (batch.used > BATCH_BYTES - FORMAT_LINE_BYTES)
		batch_end();
	char *out = batch.text + batch.used;
	batch.used += batch_is_alike(tick, tid) ? batch_repeat(&scaled, out) : batch_write(&scaled, tid, out);
}

void batch_end(void)
{
	if (batch.used > 0)
		logfile_write(batch.text, batch.used);
	batch.used = 0;
	batch.last.line = NULL;
}

void batch_write_now(const struct record_tick *tick)
{
	const int saved_errno = errno;
	const struct format_author author = {getpid(), gettid()};
	char line[FORMAT_LINE_BYTES];
	struct ticks_scale scale;
	ticks_find_scale(&batch.opened, &scale);
	const struct format_tick scaled = batch_scale(tick, &scale);
	logfile_write(line, format_write_tick(&scaled, &author, line));
	errno = saved_errno;
}
