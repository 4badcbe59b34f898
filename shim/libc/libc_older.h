/* libc_older.h - functions of libc that an older glibc lacks */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_LIBC_LIBC_OLDER_H
#define GPUSHIM_SHIM_LIBC_LIBC_OLDER_H

#include <stdint.h>

/* The function that stands in for a row of libc.def; 0 for a row that glibc 2.17 has. */
uintptr_t libc_older_find(unsigned row);

/*
 * The compiler includes this file in front of each source (cmake/options.cmake). libc_older.c
 * defines these functions for the tool.
 */
#include <features.h>
#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 32)
#include <sys/types.h>
pid_t gettid(void);
int tgkill(pid_t process, pid_t thread, int signal);
const char *strerrordesc_np(int error);
#endif

#endif
