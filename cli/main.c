/* main.c - the command line tool: commands, help, version */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "policy/text/words.h"

struct main_row {
	const char *name, *usage, *help, *details;
	int (*serve)(char **words);
};

static const struct main_row main_table[] = {
#define COMMAND(name, usage, help, details) {#name, usage, help, details, name##_serve},
#include "cli/common/command.def"
};
enum { MAIN_COMMANDS = sizeof main_table / sizeof main_table[0] };

static const struct main_row *main_find_command(const char *name)
{
	for (int i = 0; i < MAIN_COMMANDS; i++)
		if (strcmp(main_table[i].name, name) == 0)
			return &main_table[i];
	return NULL;
}

static const char *main_find_nearest(const char *name)
{
	const char *nearest = NULL;
	unsigned least = WORDS_FAR;
	for (int i = 0; i < MAIN_COMMANDS; i++) {
		const unsigned distance = words_distance(words_of(name), main_table[i].name);
		if (distance < least) {
			least = distance;
			nearest = main_table[i].name;
		}
	}
	return nearest;
}

static int main_refuse_command(const char *name)
{
	const char *nearest = main_find_nearest(name);
	if (nearest != NULL)
		return say_refusal("unknown command '%s'; the nearest is '%s'", name, nearest);
	return say_refusal("unknown command '%s'; `gpushim --help` lists them", name);
}

static int main_print_help(void)
{
	printf("gpushim %s: BLAS and FFTW calls of unmodified programs on an NVIDIA GPU\n\n",
	       GPUSHIM_VERSION);
	for (int i = 0; i < MAIN_COMMANDS; i++)
		printf("  gpushim %s %s\n      %s\n", main_table[i].name, main_table[i].usage,
		       main_table[i].help);
	printf("  gpushim help COMMAND\n      tell more about a command\n  gpushim --version\n");
	printf("\nWithout the tool: LD_PRELOAD=libgpushim.so PROGRAM, options in the environment as EPOCHLY_GPU_<OPTION>.\n");
	return TOOL_FINE;
}

static int main_print_command(const struct main_row *row)
{
	printf("usage: gpushim %s %s\n\n%s.\n%s", row->name, row->usage, row->help, row->details);
	return TOOL_FINE;
}

static int main_serve_help(char **words)
{
	if (words[0] == NULL)
		return main_print_help();
	const struct main_row *row = main_find_command(words[0]);
	return row != NULL ? main_print_command(row) : main_refuse_command(words[0]);
}

static int main_serve_command(const struct main_row *row, char **words)
{
	if (words[0] != NULL && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0))
		return main_print_command(row);
	return row->serve(words);
}

static int main_serve(char **words)
{
	if (words[0] == NULL)
		return say_refusal("no command; `gpushim --help` lists them");
	if (strcmp(words[0], "help") == 0 || strcmp(words[0], "--help") == 0 ||
	    strcmp(words[0], "-h") == 0)
		return main_serve_help(words + 1);
	if (strcmp(words[0], "--version") == 0) {
		printf("gpushim %s\n", GPUSHIM_VERSION);
		return TOOL_FINE;
	}
	if (words[0][0] == '-')
		return say_refusal("unknown option '%s'; `gpushim --help` lists what there is",
		                   words[0]);
	const struct main_row *row = main_find_command(words[0]);
	return row != NULL ? main_serve_command(row, words + 1) : main_refuse_command(words[0]);
}

/*
 * A descriptor of the first three that is closed would be that of the next file, and take what is
 * meant for people.
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
	int status = main_serve(count > 0 ? words + 1 : words);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	say("cannot write to stdout");
	return status == TOOL_FINE ? TOOL_DIFFERENT : status;
}
