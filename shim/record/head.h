/* head.h - the keys of a process's first record: program, host, machine, rank, job */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_HEAD_H
#define GPUSHIM_SHIM_RECORD_HEAD_H

#include <stddef.h>

/*
 * The machine that expected times come from: the name of its profile, empty without one, and when
 * it was measured, empty where its figures are assumed.
 */
struct record_head {
	const char *machine, *measured;
};

/* Letters of a value, in which quotes count twice; room for all keys with their values. */
enum { HEAD_VALUE_BYTES = 160, HEAD_BYTES = 1024 };

/* Writes the keys of head.def, "key":"value", with a comma behind each, terminated. */
void head_write(const struct record_head *head, char out[HEAD_BYTES]);

/*
 * Copies a line of the log, of size bytes with its newline, and inserts the head behind its third
 * key. Returns the new size; 0 if there is no room, or the line has no third key.
 */
size_t head_insert(const char *head, const char *line, size_t size, char *out, size_t room);

#endif
