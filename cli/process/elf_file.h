/* elf_file.h - ELF files: class, interpreter, dynamic section and symbols */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_ELF_FILE_H
#define GPUSHIM_CLI_PROCESS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * bytes: the mapped file. is_native: 64-bit, little-endian and for this processor; otherwise the
 * fields below are not set.
 */
struct elf_file {
	const unsigned char *bytes;
	size_t size;
	bool is_elf, is_32bit, is_native;
	bool is_dynamic;       /* it has a dynamic section */
	bool is_symbolic;      /* linked with -Bsymbolic */
	char interpreter[256]; /* the loader of a program; else empty */
};

/*
 * Maps and examines path; returns 0 or an error number. However broken the file is, no byte outside
 * the map is read. To be closed in either case.
 */
int elf_file_open(struct elf_file *elf, const char *path);
void elf_file_close(struct elf_file *elf);

/*
 * Calls visit for each symbol of the dynamic symbol table; with all also for the symbols of the
 * full table that the file defines (functions that are linked into a program). defined: the file
 * defines the symbol, else it needs it.
 */
void elf_file_visit_symbols(const struct elf_file *elf, bool all,
                            void (*visit)(void *context, const char *name, bool defined),
                            void *context);

#endif
