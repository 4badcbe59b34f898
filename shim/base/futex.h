/* futex.h - sleeps on a word of memory, without a lock and without a cancellation point */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_FUTEX_H
#define GPUSHIM_SHIM_BASE_FUTEX_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Sleeps while the word is value, until woken or timeout_ns has passed (negative: no limit). May
 * return early: the caller checks its condition again.
 */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns)
{
	const struct timespec timeout = {(time_t)(timeout_ns / 1000000000),
	                                 (long)(timeout_ns % 1000000000)};
	syscall(SYS_futex, word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, value,
	        timeout_ns < 0 ? NULL : &timeout, NULL, 0);
}

/* Wakes at most count sleepers. The word itself is not read: it may be freed already. */
static inline void futex_wake(_Atomic uint32_t *word, int count)
{
	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, NULL, NULL, 0);
}

#endif
