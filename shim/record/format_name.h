/* format_name.h - names that others chose, as a record has them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_FORMAT_NAME_H
#define GPUSHIM_SHIM_RECORD_FORMAT_NAME_H

enum { FORMAT_OBJECT_BYTES = 64, FORMAT_MACHINE_BYTES = 128 };
#define FORMAT_NO_OBJECT "-"

/*
 * The file's name, cleaned. path is empty for the program: then libc's name for it, which
 * the program may be changing, is read in the same way. NULL: unknown.
 */
const char *format_name_object(const char *path, char out[FORMAT_OBJECT_BYTES]);

/* The machine of a dry run, cleaned; NULL where there is none. */
const char *format_name_machine(const char *name, char out[FORMAT_MACHINE_BYTES]);

#endif
