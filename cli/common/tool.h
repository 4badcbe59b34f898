/* tool.h - what the commands of the tool share */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_TOOL_H
#define GPUSHIM_CLI_COMMON_TOOL_H

enum tool_status {
	TOOL_FINE = 0,
	TOOL_DIFFERENT = 1, /* also: the GPU cannot be used */
	TOOL_USAGE = 2,
	TOOL_NOT_RUN = 3,
	TOOL_SLOWER = 4 /* of compare --fail-if-slower */
};

/*
 * Each serves one command, for instance report_serve. words: what follows the command's name, ended
 * by NULL. Returns the exit status.
 */
#define COMMAND(name, usage, help, details) int name##_serve(char **words);
#include "cli/common/command.def"

#endif
