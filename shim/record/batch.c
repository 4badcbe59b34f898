/* batch.c - turns ticks into lines */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/batch.h"

#include <errno.h>
#include <unistd.h>

#include "shim/record/format.h"
#include "shim/record/logfile.h"
#include "shim/record/ticks.h"

enum { BATCH_BYTES = 65536 };

static struct {
	enum reason reason;
	struct ticks_moment opened;
	struct ticks_scale scale;
	pid_t pid;
	size_t used;
	char text[BATCH_BYTES];
} batch;

static size_t batch_format(const struct record_tick *tick, const struct ticks_scale *scale,
                           const struct format_author *author, char *out)
{
	const struct format_tick line = {.tick = tick,
	                                 .start_ns = ticks_to_realtime_ns(scale, tick->tsc_begin),
	                                 .elapsed_ns = ticks_to_elapsed_ns(scale, tick->tsc_begin, tick->tsc_end),
	                                 .reason = batch.reason};
	return format_write_tick(&line, author, out);
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

void batch_add(const struct record_tick *tick, pid_t tid)
{
	const struct format_author author = {batch.pid, tid};
	if (batch.used > BATCH_BYTES - FORMAT_LINE_BYTES)
		batch_end();
	batch.used += batch_format(tick, &batch.scale, &author, batch.text + batch.used);
}

void batch_end(void)
{
	if (batch.used > 0)
		logfile_write(batch.text, batch.used);
	batch.used = 0;
}

void batch_write_now(const struct record_tick *tick)
{
	const int saved_errno = errno;
	const struct format_author author = {getpid(), gettid()};
	char line[FORMAT_LINE_BYTES];
	struct ticks_scale scale;
	ticks_find_scale(&batch.opened, &scale);
	logfile_write(line, batch_format(tick, &scale, &author, line));
	errno = saved_errno;
}
