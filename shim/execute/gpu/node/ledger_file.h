/* ledger_file.h - the file of the ledger: its place, its lock, its rows */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_LEDGER_FILE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_LEDGER_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* More rows are not read, nor written. The file stands in one of so many places. */
enum { LEDGER_FILE_ROWS = 1024, LEDGER_FILE_PLACES = 2 };

/*
 * A process on a GPU. All zeros, or a wrong check: the row is free. The check covers what stands
 * before it, which stays as it is while the row is used: a row is never found free because its
 * process was stopped amid a write of the stamp.
 */
struct ledger_row {
	uint32_t mark;
	int32_t pid;
	uint64_t start, space; /* of the process, see process_life.h */
	uint64_t card;
	uint32_t guest;  /* 1: the process borrows the GPU, see ledger_borrow */
	uint32_t launch; /* stands for the launch that started the process, by its name */
	uint64_t view; /* stands for the GPUs that the process sees; 0: unknown, or another row's */
	uint64_t check;
	int64_t stamp_ns; /* when the process last used a GPU, or joined, by the time of day */
};

/* Opens the file for reading and writing, and makes it; or the error negated. */
int ledger_file_make(void);
/*
 * Opens the file that ledger_file_make has opened last, if it still stands under its name; else
 * below 0.
 */
int ledger_file_open(void);

/* Opens the file in a place, if it is there, and is this user's; else below 0. */
int ledger_file_find(int place);

/* Waits for a millisecond. */
void ledger_file_pause(void);

/* Tries for so long. Closing the file ends it. */
bool ledger_file_lock(int file, int64_t patience_ns);

/* Whether the opened file has lost its name to a process that thought itself the last one. */
bool ledger_file_is_removed(int file);
/* Removes its name. The lock is held. */
void ledger_file_remove(void);

/* Calls visit for each row; row is NULL where it is free. *end: behind the last row. */
typedef void ledger_visit(const struct ledger_row *row, off_t offset, void *self);
void ledger_file_visit(int file, ledger_visit *visit, void *self, off_t *end);

/* Each returns 0 or the error of the system. */
int ledger_file_write(int file, off_t offset, struct ledger_row row);
int ledger_file_clear(int file, off_t offset);

void ledger_file_set_folder(const char *folder);

#endif
