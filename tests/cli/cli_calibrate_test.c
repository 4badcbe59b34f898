/* cli_calibrate_test.c - the printed rates: columns below their titles, in lines of 80 columns */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"

enum { PRINTED_COLUMNS = 80, PRINTED_NAME = 20, PRINTED_CELL = 15 };

static struct calibrate_board board;
static struct calibrate calibrate = {.board = &board};
static int failures;

static void add_curve(enum machine_side side, int threads, double rate)
{
	struct machine_curve curve = {.side = side,
	                              .family = calibrate_cpu_rows[0].family,
	                              .element = calibrate_cpu_rows[0].element,
	                              .rigour = calibrate_cpu_rows[0].rigour,
	                              .threads = threads};
	calibrate_add_point(&calibrate, &curve, 4096, rate, 0.123);
	calibrate_add_curve(&board.machine, &curve);
}

/* Numbers of threads as on a large machine, and a GPU. */
static void make(int counts)
{
	memset(&board, 0, sizeof board);
	calibrate.thread_counts = counts;
	for (int i = 0; i < counts; i++) {
		calibrate.threads[i] = 2 << i;
		add_curve(MACHINE_CPU, 2 << i, 1e12);
	}
	add_curve(MACHINE_GPU, 0, 67e12);
}

static void expect(bool fine, const char *what, const char *line, int length)
{
	if (fine)
		return;
	fprintf(stderr, "%s: %.*s\n", what, length, line);
	failures++;
}

/* Titles and shares end where a cell ends. Returns how many lines of the table there were. */
static int check_lines(const char *text)
{
	int lines = 0;
	for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
		const int length = (int)strcspn(line, "\n");
		const char *share = memchr(line, '%', (size_t)length);
		const bool titles = length > 7 && (strncmp(line + length - 7, "threads", 7) == 0 ||
		                                   strncmp(line + length - 3, "GPU", 3) == 0);
		expect(length <= PRINTED_COLUMNS, "too wide", line, length);
		if (strncmp(line, "steadiness", 10) == 0)
			break;
		if (!titles && share == NULL)
			continue;
		expect((length - PRINTED_NAME) % PRINTED_CELL == 0, "not in a column", line,
		       length);
		lines++;
	}
	return lines;
}

static void check(int counts, int lines)
{
	char *text = NULL;
	size_t size = 0;
	FILE *former = stdout;
	make(counts);
	stdout = open_memstream(&text, &size);
	calibrate_print(&calibrate);
	fclose(stdout);
	stdout = former;
	const int found = check_lines(text);
	expect(found == lines, "not so many lines of the table", text, (int)size);
	free(text);
}

int main(void)
{
	check(2, 2);
	check(4, 4);
	check(CALIBRATE_THREADS_MAX, 6);
	return failures == 0 ? 0 : 1;
}
