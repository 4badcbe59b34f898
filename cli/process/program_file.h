/* program_file.h - finds a program's file and tells whether a library can be preloaded into it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_PROGRAM_FILE_H
#define GPUSHIM_CLI_PROCESS_PROGRAM_FILE_H

#include <limits.h>
#include <stdbool.h>

enum { PROGRAM_FILE_SENTENCE_BYTES = 512 };

enum program_file_kind {
	PROGRAM_FILE_FINE,
	PROGRAM_FILE_UNREACHABLE, /* runs, and ignores the preload */
	PROGRAM_FILE_FOREIGN      /* does not start with the preload, or its loader complains */
};

/*
 * error: 0, or the error number if the program cannot be run; then kind is PROGRAM_FILE_FINE. file:
 * the ELF file that the kernel loads, which is path, or the interpreter if path is a script.
 * sentence: why nothing can be preloaded; empty if it can.
 */
struct program_file {
	int error;
	enum program_file_kind kind;
	bool is_script, is_static;
	char path[PATH_MAX], file[PATH_MAX];
	char sentence[PROGRAM_FILE_SENTENCE_BYTES];
};

/* Finds name as a shell does and examines the file. */
void program_file_inspect(struct program_file *program, const char *name);

#endif
