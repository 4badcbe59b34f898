/* program_file.h - a program before it runs: where its file is, and whether a preload can work in it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_PROGRAM_FILE_H
#define GPUSHIM_CLI_PROCESS_PROGRAM_FILE_H

#include <limits.h>
#include <stdbool.h>

enum { PROGRAM_FILE_SENTENCE_BYTES = 512 };

enum program_file_kind {
	PROGRAM_FILE_FINE,
	PROGRAM_FILE_UNREACHABLE, /* runs as always with the preload in its environment; it does nothing there */
	PROGRAM_FILE_FOREIGN /* a preload would keep it from starting, or make its loader complain */
};

/*
 * file: what the kernel loads: the program, or the interpreter of the script that it is. error: an
 * error number.
 */
struct program_file {
	int error;
	enum program_file_kind kind;
	bool is_script;
	char path[PATH_MAX], file[PATH_MAX];
	char sentence
		[PROGRAM_FILE_SENTENCE_BYTES]; /* why a preload cannot work; empty where it can */
};

/* Finds name as a shell does and looks into the file. */
void program_file_inspect(struct program_file *program, const char *name);

#endif
