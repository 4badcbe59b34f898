/* readable.h - whether a page can be read, asked without a signal and without a rare system call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RIGHTS_READABLE_H
#define GPUSHIM_SHIM_RIGHTS_READABLE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The page of which address is one of the first bytes. The kernel reads the set of signals there
 * before it refuses the unknown operation. Changes errno.
 */
static inline bool readable_page(uintptr_t address)
{
	const long unknown = -1, set_bytes = 8;
	return syscall(SYS_rt_sigprocmask, unknown, address, NULL, set_bytes) == 0 ||
	       errno != EFAULT;
}

#endif
