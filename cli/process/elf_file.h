/* elf_file.h - what an ELF file says about itself: how it is loaded, which symbols it wants and has */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_ELF_FILE_H
#define GPUSHIM_CLI_PROCESS_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * bytes: the mapped file. is_native: of this machine's class, order and processor; only then is the
 * rest known.
 */
struct elf_file {
	const unsigned char *bytes;
	size_t size;
	bool is_elf, is_32bit, is_native;
	bool is_dynamic;       /* has a dynamic section */
	bool is_symbolic;      /* binds its own calls itself */
	char interpreter[256]; /* of a program: its loader; else empty */
};

/*
 * Maps and reads path; 0 or an error number. Whatever is in the file, nothing outside it is read.
 */
int elf_file_open(struct elf_file *elf, const char *path);
void elf_file_close(struct elf_file *elf);

/*
 * Calls visit for each symbol: of the dynamic table, or with all of the full one too (functions
 * that are linked into a program). defined: the file has it, else it wants it.
 */
void elf_file_visit_symbols(const struct elf_file *elf, bool all,
                            void (*visit)(void *context, const char *name, bool defined),
                            void *context);

#endif
