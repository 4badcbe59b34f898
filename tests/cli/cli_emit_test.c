/* cli_emit_test.c - the emitter's forms of each fact; marks of the plotter are at their values */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/chart.h"

static int failures;

static void expect_text(const char *got, const char *want)
{
	if (strcmp(got, want) == 0)
		return;
	printf("is:\n%s\nand should be:\n%s\n", got, want);
	failures++;
}

static void write_report(struct emit *emit)
{
	const struct emit_part parts[] = {{0.5, '#', EMIT_GREEN}, {1, '.', EMIT_PLAIN}};
	emit_open(emit, "call");
	emit_label(emit, "call");
	emit_text(emit, "routine", "%-6s|", "a\"b");
	emit_count(emit, "calls", "%9s|", 1234567);
	emit_integer(emit, "pid", "%s|", -5);
	emit_size(emit, "bytes", "%s|", 4500000);
	emit_time(emit, "time_ns", NULL, -1);
	emit_time(emit, EMIT_NO_KEY, "%s, 100%\n", 1230000);
	emit_close(emit);
	emit_open_list(emit, "list");
	emit_number(emit, NULL, "%s ", 0.5);
	emit_amount(emit, NULL, "%s\n", 60.6e12, "flop/s");
	emit_close_list(emit);
	emit_flag(emit, "flag", true);
	emit_null(emit, "nothing");
	emit_bar(emit, 8, parts, 2);
	emit_bar(emit, 8, parts, 0);
	emit_share(emit, " %s", 1, 3);
	emit_print(emit, " %d\n", 7);
}

/* The report in one form; the caller frees it. */
static char *make_report(bool is_json, bool coloured, int columns)
{
	char *text = NULL;
	size_t size = 0;
	struct emit emit;
	FILE *file = open_memstream(&text, &size);
	if (file == NULL)
		exit(1);
	emit_begin(&emit, file, is_json);
	emit.coloured = coloured;
	emit.columns = columns;
	write_report(&emit);
	emit_end(&emit);
	fclose(file);
	return text;
}

static void check_report(bool is_json, bool coloured, int columns, const char *want)
{
	char *text = make_report(is_json, coloured, columns);
	expect_text(text, want);
	free(text);
}

static void check_chart(bool is_log, double most, const char *want)
{
	char *text = NULL;
	size_t size = 0;
	struct emit emit;
	struct chart chart = {.rows = 3,
	                      .columns = 4,
	                      .label_width = 3,
	                      .least = 1,
	                      .most = most,
	                      .is_log = is_log};
	FILE *file = open_memstream(&text, &size);
	if (file == NULL)
		exit(1);
	emit_begin(&emit, file, false);
	chart_clear(&chart);
	chart_rule(&chart, 10);
	strcpy(chart.label[0], "top");
	for (int i = 0; i < 2; i++)
		chart_mark(&chart, 0, 1, 'a', '*');
	chart_mark(&chart, 1, 10, 'b', '*');
	chart_mark(&chart, 2, 1e9, 'c', '*');
	chart_print(&chart, &emit);
	chart_print_axis(&chart, &emit, 0);
	chart_print_axis(&chart, &emit, 2);
	fclose(file);
	expect_text(text, want);
	free(text);
}

int main(void)
{
	check_report(
		true, true, 4,
		"{\"call\":{\"routine\":\"a\\\"b\",\"calls\":1234567,\"pid\":-5,\"bytes\":4500000,"
		"\"time_ns\":null},\"list\":[0.5,6.06e+13],\"flag\":true,\"nothing\":null}\n");
	check_report(false, false, 0,
	             "call       a\"b   |1,234,567|-5|4.50 MB|1.23 ms, 100%\n"
	             "0.5 60.6 Tflop/s\n"
	             "####....| 33.3 % 7\n");
	check_report(false, true, 12,
	             "call       a\n"
	             "0.5 60.6 Tfl\n"
	             "\033[32m####\033[0m\033[0m....\033[0m| 33\n");
	check_chart(true, 100, "top |  c\n    |-b--\n    |*\n    +----\n     +-+-\n");
	check_chart(false, 19, "top |  c\n    |-b--\n    |*\n    +----\n     +-+-\n");
	return failures != 0;
}
