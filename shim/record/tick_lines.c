/* tick_lines.c - formats ticks as lines of the log */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/tick_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/base/fp_environment.h"
#include "shim/record/format.h"
#include "shim/record/logfile.h"
#include "shim/table/symbol.h"

enum { TICK_LINES_BYTES = 65536 };

/* The same moment on three clocks. */
struct tick_moment {
	uint64_t ticks;
	int64_t monotonic_ns, realtime_ns;
};

/* Converts ticks to nanoseconds, relative to moment. */
struct tick_scale {
	struct tick_moment moment;
	double ns_per_tick;
};

/* The last line in the buffer: where its elapsed time begins, its thread and its tick. */
struct tick_lines_last {
	const char *line;
	size_t head_bytes;
	pid_t tid;
	struct record_tick tick;
};

static struct {
	struct gate_reasons reasons;
	struct tick_moment opened;
	struct tick_scale scale;
	pid_t pid;
	struct tick_lines_last last;
	size_t used;
	char text[TICK_LINES_BYTES];
} tick_lines;

/* -- nanoseconds of the time stamp counter --------------------------------------------------- */

enum { TICK_LINES_TRIES = 5, TICK_LINES_BASE_NS = 1000000, TICK_LINES_WAITS = 100 };

/* The present moment; the clocks are read within a few microseconds. */
static void tick_lines_read_moment(struct tick_moment *moment)
{
	uint64_t best = UINT64_MAX;
	for (int i = 0; i < TICK_LINES_TRIES; i++) {
		const uint64_t before = clock_ticks();
		const int64_t monotonic_ns = clock_monotonic_ns();
		const int64_t realtime_ns = clock_realtime_ns();
		const uint64_t width = clock_ticks() - before;
		if (width >= best)
			continue;
		best = width;
		*moment = (struct tick_moment){before + width / 2, monotonic_ns, realtime_ns};
	}
}

/* The rate is 1 where no time or no tick lies between the two moments. */
static void tick_lines_make_scale(const struct tick_moment *since, const struct tick_moment *now,
                                  struct tick_scale *scale)
{
	const int64_t ticks = (int64_t)(now->ticks - since->ticks),
		      ns = now->monotonic_ns - since->monotonic_ns;
	scale->moment = *now;
	scale->ns_per_tick = ticks > 0 && ns > 0 ? (double)ns / (double)ticks : 1;
}

/*
 * The scale between since and now. Waits until they are a millisecond apart, since the rate would
 * be imprecise. The number of waits is bounded, because a filter of system calls may refuse both
 * sleep and clock.
 */
static void tick_lines_find_scale(const struct tick_moment *since, struct tick_scale *scale)
{
	struct tick_moment now;
	tick_lines_read_moment(&now);
	for (int waits = 0; waits < TICK_LINES_WAITS; waits++) {
		const int64_t missing_ns =
			since->monotonic_ns + TICK_LINES_BASE_NS - now.monotonic_ns;
		if (missing_ns <= 0)
			break;
		nanosleep(&(struct timespec){.tv_nsec = missing_ns}, NULL);
		tick_lines_read_moment(&now);
	}
	tick_lines_make_scale(since, &now, scale);
}

/* The CLOCK_REALTIME of a reading, as that clock was at the scale's moment. */
static int64_t tick_lines_to_realtime_ns(const struct tick_scale *scale, uint64_t ticks)
{
	const double distance_ns =
		(double)(int64_t)(ticks - scale->moment.ticks) * scale->ns_per_tick;
	return scale->moment.realtime_ns + (int64_t)distance_ns;
}

/* Never negative. */
static int64_t tick_lines_to_elapsed_ns(const struct tick_scale *scale, uint64_t begin,
                                        uint64_t end)
{
	const int64_t ticks = (int64_t)(end - begin);
	return ticks > 0 ? (int64_t)((double)ticks * scale->ns_per_tick + 0.5) : 0;
}

/* -- lines ------------------------------------------------------------------------------------ */

static enum reason tick_lines_find_reason(int symbol)
{
	if (symbol < 0 || symbol >= SYMBOL_COUNT)
		return REASON_BELOW_THRESHOLD;
	return gate_reason_get(&tick_lines.reasons, symbol_table[symbol].family,
	                       symbol_table[symbol].element);
}

static struct format_tick tick_lines_scale(const struct record_tick *tick,
                                           const struct tick_scale *scale)
{
	return (struct format_tick){
		.tick = tick,
		.start_ns = tick_lines_to_realtime_ns(scale, tick->tsc_begin),
		.elapsed_ns = tick_lines_to_elapsed_ns(scale, tick->tsc_begin, tick->tsc_end),
		.reason = tick_lines_find_reason(tick->symbol)};
}

void tick_lines_open(const struct gate_reasons *reasons)
{
	tick_lines.reasons = *reasons;
	tick_lines_read_moment(&tick_lines.opened);
}

void tick_lines_begin(void)
{
	tick_lines.pid = getpid();
	tick_lines_find_scale(&tick_lines.opened, &tick_lines.scale);
}

/*
 * Programs repeat calls: if only the times differ (the first and the last field), the last line is
 * copied and these two are replaced.
 */
enum tick_lines_field {
#define FIELD(key, type, help) TICK_LINES_FIELD_##key,
#include "shim/record/field.def"
	TICK_LINES_FIELD_COUNT
};
_Static_assert(TICK_LINES_FIELD_time == 0 &&
                       TICK_LINES_FIELD_elapsed_ns == TICK_LINES_FIELD_COUNT - 1,
               "tick_lines_repeat relies on it");

static bool tick_lines_is_alike(const struct record_tick *tick, pid_t tid)
{
	const struct tick_lines_last *last = &tick_lines.last;
	return last->line != NULL && last->tid == tid && last->tick.symbol == tick->symbol &&
	       last->tick.problems == tick->problems &&
	       memcmp(last->tick.sizes, tick->sizes, sizeof(tick->sizes)) == 0;
}

static size_t tick_lines_repeat(const struct format_tick *tick, char *out)
{
	static const size_t time_offset = sizeof("{\"time\":\"") - 1;
	char time[FORMAT_TIME_BYTES];
	memcpy(out, tick_lines.last.line, tick_lines.last.head_bytes);
	format_write_time(tick->start_ns, time);
	memcpy(out + time_offset, time, sizeof(time) - 1);
	char *end = format_write_integer(out + tick_lines.last.head_bytes, tick->elapsed_ns);
	memcpy(end, "}\n", 2);
	return (size_t)(end + 2 - out);
}

static size_t tick_lines_write(const struct format_tick *tick, pid_t tid, char *out)
{
	const struct format_author author = {.pid = tick_lines.pid, .tid = tid};
	const size_t size = format_write_tick(tick, &author, out);
	const char *colon = memrchr(out, ':', size);
	tick_lines.last =
		(struct tick_lines_last){out, (size_t)(colon + 1 - out), tid, *tick->tick};
	return size;
}

void tick_lines_add(const struct record_tick *tick, pid_t tid)
{
	const struct format_tick scaled = tick_lines_scale(tick, &tick_lines.scale);
	if (tick_lines.used > TICK_LINES_BYTES - FORMAT_LINE_BYTES)
		tick_lines_end();
	char *out = tick_lines.text + tick_lines.used;
	tick_lines.used += tick_lines_is_alike(tick, tid) ? tick_lines_repeat(&scaled, out)
	                                                  : tick_lines_write(&scaled, tid, out);
}

void tick_lines_end(void)
{
	if (tick_lines.used > 0)
		logfile_write(tick_lines.text, tick_lines.used);
	tick_lines.used = 0;
	tick_lines.last.line = NULL;
}

void tick_lines_write_now(const struct record_tick *tick)
{
	const int saved_errno = errno;
	const struct format_author author = {.pid = getpid(), .tid = gettid()};
	char line[FORMAT_LINE_BYTES];
	struct tick_scale scale;
	struct fp_environment program;
	fp_environment_enter(&program);
	tick_lines_find_scale(&tick_lines.opened, &scale);
	const struct format_tick scaled = tick_lines_scale(tick, &scale);
	logfile_write(line, format_write_tick(&scaled, &author, line));
	fp_environment_leave(&program);
	errno = saved_errno;
}
