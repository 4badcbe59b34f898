/* cli_program.h - a program before it runs: where its file is, and whether a preload can work in it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_PROGRAM_H
#define GPUSHIM_CLI_CLI_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

enum { CLI_PROGRAM_SENTENCE_BYTES = 512 };

enum cli_program_kind {
	CLI_PROGRAM_FINE,
	CLI_PROGRAM_UNREACHABLE, /* runs as always with the preload in its environment; it does nothing there */
	CLI_PROGRAM_FOREIGN      /* a preload would keep it from starting, or make its loader complain */
};

/* file: what the kernel loads: the program, or the interpreter of the script that it is. error: an error number. */
struct cli_program {
	int error;
	enum cli_program_kind kind;
	bool is_script;
	char path[PATH_MAX], file[PATH_MAX];
	char sentence[CLI_PROGRAM_SENTENCE_BYTES]; /* why a preload cannot work; empty where it can */
};

/* Finds name as a shell does and looks into the file. */
void cli_program_inspect(struct cli_program *program, const char *name);

#endif
