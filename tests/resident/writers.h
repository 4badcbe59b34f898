/* writers.h - ways in which a program's memory changes without a store of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENT_WRITERS_H
#define GPUSHIM_TESTS_RESIDENT_WRITERS_H

#include <stdbool.h>
#include <stddef.h>

/* Opens files in the current folder; false, with a word to stderr, where it cannot. */
bool writers_open(void);

/* Each fills the memory (chance.h), or does nothing where it cannot. */
struct writers_row {
	const char *name;
	void (*write)(char *memory, size_t bytes);
};
extern const struct writers_row writers_all[];
extern const size_t writers_count;

/* These bytes, by a system call. */
void writers_store(char *memory, const void *bytes, size_t count);

/* A read into the memory that has begun; writers_await ends it. False: not possible here. */
bool writers_begin_read(char *memory, size_t bytes);
void writers_await(void);

/* Another io_uring, which has a descriptor, gets a buffer that is no operand. */
bool writers_register(void);

/* Pins the memory for io_uring; reads into it while it is pinned; unpins it. */
bool writers_pin(char *memory, size_t bytes);
void writers_read_pinned(char *memory, size_t bytes);
void writers_unpin(void);

#endif
