/* chart.c - marks in rows of characters */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/chart.h"

#include <math.h>
#include <string.h>

void chart_clear(struct chart *chart)
{
	memset(chart->cell, '\0', sizeof chart->cell);
	for (int row = 0; row < chart->rows; row++)
		memset(chart->cell[row], ' ', (size_t)chart->columns);
}

int chart_find_row(const struct chart *chart, double value)
{
	const double part = chart->is_log
	                            ? log(value / chart->least) / log(chart->most / chart->least)
	                            : (value - chart->least) / (chart->most - chart->least);
	return (int)((1 - fmin(fmax(part, 0), 1)) * (chart->rows - 1) + 0.5);
}

double chart_find_value(const struct chart *chart, int row)
{
	const double part = 1 - (double)row / (chart->rows - 1);
	return chart->is_log ? chart->least * pow(chart->most / chart->least, part)
	                     : chart->least + (chart->most - chart->least) * part;
}

void chart_rule(struct chart *chart, double value)
{
	memset(chart->cell[chart_find_row(chart, value)], '-', (size_t)chart->columns);
}

void chart_mark(struct chart *chart, int column, double value, char mark, char several)
{
	char *at = &chart->cell[chart_find_row(chart, value)][column];
	*at = *at == ' ' || *at == '-' ? mark : several;
}

void chart_print(const struct chart *chart, struct emit *emit)
{
	for (int row = 0; row < chart->rows; row++) {
		int length = chart->columns;
		while (length > 0 && chart->cell[row][length - 1] == ' ')
			length--;
		emit_print(emit, "%*s |%.*s\n", chart->label_width, chart->label[row], length,
		           chart->cell[row]);
	}
}

void chart_print_axis(const struct chart *chart, struct emit *emit, int step)
{
	emit_print(emit, "%*s %s", chart->label_width, "", step == 0 ? "+" : " ");
	for (int column = 0; column < chart->columns; column++)
		emit_print(emit, "%c", step > 0 && column % step == 0 ? '+' : '-');
	emit_print(emit, "\n");
}
