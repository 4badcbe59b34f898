/* libc_find.h - finds libc's own functions, whatever the program has of the same names */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_LIBC_LIBC_FIND_H
#define GPUSHIM_SHIM_LIBC_LIBC_FIND_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/libc/libc_rows.h"

/* The functions' addresses, 0 until found. */
extern uintptr_t libc_slots[LIBC_ROWS];

/* Whether the process runs on glibc; false for musl, whose loader also takes LD_PRELOAD. */
bool libc_find_is_glibc(void);

/*
 * The address of a row's function, which is also put into its slot. From any thread, from a signal
 * handler, and while another thread is inside the loader: on glibc it calls nothing, takes no lock,
 * and needs less than 500 bytes of stack. The exception: glibc before 2.34, in a program that has
 * loaded no libpthread or libdl, which is then loaded.
 */
uintptr_t libc_find_row(unsigned row);

#endif
