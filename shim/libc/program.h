/* program.h - the name that the program was called by */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_LIBC_PROGRAM_H
#define GPUSHIM_SHIM_LIBC_PROGRAM_H

#include <stddef.h>

/*
 * Without folders; the program may set it. By the name that is reserved for libc: a program may
 * have a program_invocation_short_name of its own.
 */
static inline const char *program_name(void)
{
	extern char *__progname;
	return __progname != NULL ? __progname : "";
}

#endif
