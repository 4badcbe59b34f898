/* call_filter.h - filters of system calls, which may end the program for a rare one */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RIGHTS_CALL_FILTER_H
#define GPUSHIM_SHIM_RIGHTS_CALL_FILTER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether one is in force for the calling thread. It may refuse the question: then one is. */
static inline bool call_filter_is_on(void)
{
	return syscall(SYS_prctl, PR_GET_SECCOMP, 0L, 0L, 0L, 0L) != SECCOMP_MODE_DISABLED;
}

#endif
