/* libc_rows.h - the rows of libc.def by number */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_LIBC_LIBC_ROWS_H
#define GPUSHIM_SHIM_LIBC_LIBC_ROWS_H

enum libc_row {
#define LIBC(name) LIBC_ROW_##name,
#include "shim/libc/libc.def"
#undef LIBC
	LIBC_ROWS
};

#endif
