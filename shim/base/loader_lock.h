/* loader_lock.h - which threads hold the locks of the dynamic loader */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LOADER_LOCK_H
#define GPUSHIM_SHIM_BASE_LOADER_LOCK_H

#include <sys/types.h>

/*
 * A set of these. MINE: the calling thread, as in a constructor that dlopen runs. FRIEND: the
 * thread that is asked about. OTHER: any other thread. UNKNOWN, alone: this libc does not tell.
 */
enum loader_holder {
	LOADER_HOLDER_MINE = 1,
	LOADER_HOLDER_FRIEND = 2,
	LOADER_HOLDER_OTHER = 4,
	LOADER_HOLDER_UNKNOWN = 8
};

/*
 * Who holds a lock of the loader at this moment; 0: nobody. friend: a thread's number, 0: none.
 * Takes no lock and allocates nothing; less than a microsecond.
 */
unsigned loader_lock_find_holders(pid_t friend);

/*
 * A fork child hangs in its next dlopen if another thread of the parent held the lock of the list
 * of objects, because glibc renews its other locks in the child, and not this one (seen in 2.36).
 * The shim's threads take it too, so it is found once, before any fork, and renewed in the child.
 */
void loader_lock_find_list(void);
void loader_lock_after_fork_child(void);

/*
 * Renews the locks of the loader whose owner is no thread of this process: those of a child whose
 * fork came before the lock of the list was found. Without such an owner a microsecond, no call.
 * The lock of the list is also renewed where a thread of the parent was about to take it or to give
 * it back when the process was made; that takes 20 ms.
 */
void loader_lock_renew_orphans(void);

#endif
