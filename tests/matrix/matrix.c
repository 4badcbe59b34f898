/* matrix.c - one situation of a program's life, with work before, in and after it */
/* SPDX-License-Identifier: Apache-2.0 */
/* usage: matrix SITUATION, or matrix list */
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hostile/hostile_work.h"

enum { SKIPPED = 77 };

const char *matrix_self;
static int wrong;

void matrix_products(void)
{
	wrong += work_dgemm(7) + work_cblas(33) + work_dgemm(48);
}

void matrix_work(void)
{
	matrix_products();
	wrong += work_fft(64) + work_fft(250);
}

void matrix_say(const char *text)
{
	char line[160];
	const int length = snprintf(line, sizeof line, "%s: %d wrong\n", text, wrong);
	if (write(1, line, (size_t)length) != length)
		_exit(9);
}

void matrix_end_child(void)
{
	_exit(wrong != 0);
}

void matrix_wait(pid_t child)
{
	char line[80];
	int status = -1;
	if (child < 0 || waitpid(child, &status, 0) != child)
		matrix_say("no child");
	snprintf(line, sizeof line, "child ended with %d, signal %d",
	         WIFEXITED(status) ? WEXITSTATUS(status) : -1,
	         WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	matrix_say(line);
}

void matrix_skip(const char *why)
{
	printf("%s\n", why);
	fflush(stdout);
	_exit(SKIPPED);
}

static const struct situation *const groups[] = {matrix_processes, matrix_endings, matrix_lives,
                                                 matrix_signals,   matrix_places,  matrix_limits,
                                                 matrix_starts};

static int run_situation(const char *name)
{
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
		for (const struct situation *row = groups[i]; row->name != NULL; row++) {
			if (strcmp(name, "list") == 0)
				printf("%s\t%s\n", row->name, row->promise);
			else if (strcmp(row->name, name) == 0)
				return row->run();
		}
	return strcmp(name, "list") == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
	matrix_self = argv[0];
	return argc == 2 ? run_situation(argv[1]) : 2;
}
