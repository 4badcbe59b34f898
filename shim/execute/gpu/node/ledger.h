/* ledger.h - the processes of this user on each GPU of the node */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_LEDGER_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

enum { LEDGER_CARDS = 32 };

/*
 * A file of the user, gpushim-UID in /dev/shm, else in XDG_RUNTIME_DIR, has a row for each process
 * and GPU. It is made by the first process that starts CUDA, and removed by the last one
 * that ends. Rows of processes that were killed do not count. A process reads and writes it, and
 * never maps it: neither a full file system nor one that cuts the file ends the program.
 *
 * key: a number that stands for a GPU of the node, see cuda_key.h.
 */

/*
 * Other processes: on each GPU those that live, and of them those that had joined or used a GPU in
 * the ten seconds before. Of the same launch: those that see the same GPUs as this one, and those
 * that see others.
 */
struct ledger_found {
	int live[LEDGER_CARDS], users[LEDGER_CARDS];
	int same_view, other_views;
};

/* Returns the GPUs that this process works on, as bits. */
typedef uint32_t ledger_choose(const struct ledger_found *found, void *self);

/*
 * Adds the process to the GPUs that choose returns; no other process joins meanwhile, so that each
 * counts those before it. Called by one thread, with all signals blocked, for a file that is full
 * would end the program by one. Waits for others for a fifth of a second, and then no longer: who
 * is stopped while others wait does not hold them up. Where there is no file, choose is called with
 * zeros, and the error of the system is returned, else 0.
 */
int ledger_join(const uint64_t key[], int count, ledger_choose *choose, void *self);

/* The one GPU on which this process works is another. In the thread that joined. */
void ledger_move(uint64_t key);

/*
 * Adds the process as a guest to a further GPU, on which there is no other process and no other
 * guest; false: there is, or they cannot be counted. Guests do not count as processes on it. In one
 * thread at a time, with all signals blocked.
 */
bool ledger_borrow(uint64_t key);

/*
 * The processes beside this one on the GPU, as they were last read; 0 before ledger_join. Those of
 * them that had joined or used a GPU in the ten seconds before. Some loads, from any thread.
 */
int ledger_count_others(uint64_t key);
int ledger_count_users(uint64_t key);

/* Processes of the launch, see struct ledger_found. */
int ledger_count_same_view(void);
int ledger_count_other_views(void);
/* Whether the file was read since this process joined: those that started with it are there. */
bool ledger_is_settled(void);

/*
 * This process has used a GPU. Once a second notes that in the file, and reads it anew: some system
 * calls and 8 KiB of stack. Puts back rows that are gone, with the whole file perhaps. From any
 * thread; nothing happens in fork children.
 */
void ledger_note_use(void);

/* Removes the process, and the file if it was the last one. Nothing happens in fork children. */
void ledger_leave(void);

/* For a process that has not joined: removes a file in which no process lives. */
void ledger_sweep(void);

/* For tests: a folder in the place of /dev/shm, and the root of /proc. */
void ledger_set_folder(const char *folder, const char *root);

#endif
