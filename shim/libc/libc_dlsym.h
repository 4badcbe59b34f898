/* libc_dlsym.h - dlsym of a C library that is not glibc */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_LIBC_LIBC_DLSYM_H
#define GPUSHIM_SHIM_LIBC_LIBC_DLSYM_H

/* Part of the preloaded library alone, the only one that such a C library loads. */
void *libc_dlsym_call(void *scope, const char *name) __attribute__((weak));

#endif
