/* libc_find.h - finds libc's own functions, whatever the program has of the same names */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_LIBC_LIBC_FIND_H
#define GPUSHIM_SHIM_LIBC_LIBC_FIND_H

#include <stdint.h>

enum libc_row {
#define LIBC(name) LIBC_ROW_##name,
#include "shim/libc/libc.def"
#undef LIBC
	LIBC_ROWS
};

/* The functions' addresses, 0 until found. */
extern uintptr_t libc_slots[LIBC_ROWS];

/*
 * The address of a row's function, which is also put into its slot. From any thread, from a signal
 * handler, and while another thread is inside the loader: it calls nothing, takes no lock, and
 * needs less than 500 bytes of stack.
 */
uintptr_t libc_find_row(unsigned row);

#endif
