/* top_watch.h - the processes that have counters, followed from look to look */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_WATCH_H
#define GPUSHIM_CLI_TOP_TOP_WATCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/top/top_read.h"

/*
 * TOP_ENDED: the file says so, or is gone. TOP_KILLED: the file is there and the process is not.
 * TOP_REPLACED: the process became another program, which has a file of its own.
 */
enum top_state { TOP_RUNNING, TOP_ENDED, TOP_KILLED, TOP_REPLACED };

/*
 * A process, or one program that it ran. interval, traffic: what was counted between the last two
 * looks. ticks: when the process started, 0 while unknown. seen: its file was there at the last
 * look. shown: its end was shown.
 */
struct top_process {
	struct top_sample sample;
	struct top_count interval[REASON_COUNT];
	struct top_traffic traffic;
	uint64_t ticks;
	enum top_state state;
	bool seen, shown;
};

/*
 * Files left out at the last look for one fault: how many, how many at the look before, and the
 * name of the first.
 */
struct top_left_out {
	size_t count, before;
	char name[NAME_MAX + 1];
};

/*
 * processes: sorted by pid, then by start. Those that were dead at the first look are kept with
 * shown set, so that they are known. dead_files: files whose process does not run. seconds: between
 * the last two looks.
 */
struct top_watch {
	struct top_process **processes;
	size_t count, dead_files;
	int64_t looked_ns;
	double seconds;
	bool looked;
	struct top_left_out left_out[TOP_FAULTS];
};

/*
 * Reads all files in the folders (ended by NULL), and in the folders of `gpushim run` in them; with
 * memory, also what processes hold in shared memory.
 */
void top_watch_look(struct top_watch *watch, const char *const folders[], bool memory);

/*
 * To be called after a look was shown: an end is shown once, and processes without a file are
 * forgotten.
 */
void top_watch_settle(struct top_watch *watch);

void top_watch_free(struct top_watch *watch);

#endif
