/* chart.h - a plot made of characters, for any terminal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_CHART_H
#define GPUSHIM_CLI_COMMON_CHART_H

#include <stdbool.h>

#include "cli/common/emit.h"

enum { CHART_ROWS = 20, CHART_COLUMNS = 72 };

/*
 * The plotting area, rows lines high and columns characters wide, at most CHART_ROWS and
 * CHART_COLUMNS. The middle of the bottom line stands for the value least and the middle of the top
 * line for most, least < most; is_log: equal distances are equal factors, and least > 0. label:
 * what stands left of a row, label_width columns wide; row 0 is the top. cell is for the functions
 * below.
 */
struct chart {
	int rows, columns, label_width;
	double least, most;
	bool is_log;
	char label[CHART_ROWS][HUMAN_BYTES];
	char cell[CHART_ROWS][CHART_COLUMNS + 1];
};

/* Empties the plotting area; the labels stay. To be called before the first mark. */
void chart_clear(struct chart *chart);

/* The row of a value; values outside the axis have the row at its end. The value of a row. */
int chart_find_row(const struct chart *chart, double value);
double chart_find_value(const struct chart *chart, int row);

/* A horizontal line at a value, which marks take the place of. */
void chart_rule(struct chart *chart, double value);

/* Puts a mark; several stands where another mark was. */
void chart_mark(struct chart *chart, int column, double value, char mark, char several);

/* Writes the rows as text, "LABEL |MARKS", without blanks at their ends; nothing in JSON. */
void chart_print(const struct chart *chart, struct emit *emit);

/* Writes the axis below the rows: a line with a + at every step-th column (0: none), "LABEL +". */
void chart_print_axis(const struct chart *chart, struct emit *emit, int step);

#endif
