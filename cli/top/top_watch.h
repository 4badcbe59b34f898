/* top_watch.h - the processes that have files of counters, from look to look */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_WATCH_H
#define GPUSHIM_CLI_TOP_TOP_WATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/top/top_read.h"

/*
 * Ended: its file says so or is gone. Killed: the file is there and the process is not. Replaced:
 * it became another program, which has a file of its own.
 */
enum top_state { TOP_RUNNING, TOP_ENDED, TOP_KILLED, TOP_REPLACED };

/*
 * A process, or one program of it. interval: what happened between the last two looks. ticks: when
 * the process started, 0 while that is not known. seen: its file was there at the last look. shown:
 * its end was.
 */
struct top_process {
	struct top_sample sample;
	struct top_count interval[REASON_COUNT];
	uint64_t ticks;
	enum top_state state;
	bool seen, shown;
};

/*
 * Files left out at the last look for one fault, the first of them, and how many it were at the
 * look before.
 */
struct top_left_out {
	size_t count, before;
	char name[NAME_MAX + 1];
};

/*
 * processes: by number, then by start. Those that were found dead at the first look are there too,
 * so that they are known; shown is true for them. dead_files: files whose process is not there.
 * seconds: between the last two looks.
 */
struct top_watch {
	struct top_process **processes;
	size_t count, dead_files;
	int64_t looked_ns;
	double seconds;
	bool looked;
	struct top_left_out left_out[TOP_FAULTS];
};

/* Looks at all files in the folders (ended by NULL), and in those of `gpushim run` there. */
void top_watch_look(struct top_watch *watch, const char *const folders[]);

/*
 * After what was seen was shown: ends are shown once, and what has no file any more is forgotten.
 */
void top_watch_settle(struct top_watch *watch);

void top_watch_free(struct top_watch *watch);

#endif
