/* main.c - the command line tool: commands, help, version */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/arguments.h"
#include "cli/common/progress_bar.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/complete/complete.h"

/* With --quiet the report goes nowhere. `run` is left out: there stdout is the program's. */
static void main_hush(enum command_id id, const void *arguments)
{
	const struct command_option *quiet = command_find_option(id, "quiet");
	if (quiet == NULL || id == COMMAND_run ||
	    !*(const bool *)((const char *)arguments + quiet->offset))
		return;
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	progress_bar_hide();
	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		say("cannot open /dev/null: the report is printed");
	if (nowhere >= 0)
		close(nowhere);
}

/* Reads the words after the command's name and serves the command. */
#define COMMAND(name, place, shim, operands, missing, help)                                        \
	static int main_serve_##name(char **words)                                                 \
	{                                                                                          \
		static struct name##_arguments arguments;                                          \
		const int status = arguments_read(COMMAND_##name, words, &arguments);              \
		if (status == TOOL_FINE)                                                           \
			main_hush(COMMAND_##name, &arguments);                                     \
		return status == TOOL_FINE ? name##_serve(&arguments) : status;                    \
	}
#include "cli/common/command.def"

static int (*const main_table[])(char **words) = {
#define COMMAND(name, place, shim, operands, missing, help) main_serve_##name,
#include "cli/common/command.def"
};

static int main_refuse_command(const char *name)
{
	const enum command_id nearest = command_find_nearest(name);
	if (nearest != COMMAND_COUNT)
		return say_refusal("unknown command '%s'; the nearest is '%s'", name,
		                   command_table[nearest].name);
	return say_refusal("unknown command '%s'; `gpushim --help` lists them", name);
}

static int main_serve_help(const char *name)
{
	const enum command_id id = name != NULL ? command_find(name) : COMMAND_COUNT;
	if (name == NULL)
		command_print_list();
	else if (id != COMMAND_COUNT)
		command_print_help(id);
	else
		return main_refuse_command(name);
	return TOOL_FINE;
}

static int main_serve_command(const char *name, char **words)
{
	const enum command_id id = command_find(name);
	if (id == COMMAND_COUNT)
		return main_refuse_command(name);
	if (words[0] != NULL && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0))
		return main_serve_help(name);
	return main_table[id](words);
}

static int main_serve(char **words)
{
	if (words[0] == NULL)
		return say_refusal("no command; `gpushim --help` lists them");
	if (strcmp(words[0], "help") == 0 || strcmp(words[0], "--help") == 0 ||
	    strcmp(words[0], "-h") == 0)
		return main_serve_help(words[1]);
	if (strcmp(words[0], "--version") == 0) {
		printf("gpushim %s\n", GPUSHIM_VERSION);
		return TOOL_FINE;
	}
	/* Not in the help: the shells' completions ask it. */
	if (strcmp(words[0], "--complete") == 0)
		return complete_serve(words + 1);
	if (words[0][0] == '-')
		return say_refusal("unknown option '%s'; `gpushim --help` lists what there is",
		                   words[0]);
	return main_serve_command(words[0], words + 1);
}

/*
 * Opens those of the descriptors 0, 1 and 2 that are closed: the next file that is opened would get
 * such a number, and messages would be written into that file.
 */
static void main_hold_closed(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int count, char **words)
{
	main_hold_closed();
	say_begin();
	int status = main_serve(count > 0 ? words + 1 : words);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	say("cannot write to stdout");
	return status == TOOL_FINE ? TOOL_DIFFERENT : status;
}
