/* html_test.c - HTML pages: hostile text is escaped, empty plots say so, and a page is complete */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/plot.h"
#include "tests/driver/expect.h"

struct escape_case {
	const char *text, *shown;
};

/* Each text is a paragraph of a page of its own. */
static void test_escapes(void)
{
	static const struct escape_case cases[] = {
		{"plain", "plain"},
		{"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"</p></body>", "&lt;/p&gt;&lt;/body&gt;"},
		{"a&b &lt;", "a&amp;b &amp;lt;"},
		{"\"x' onload=", "&quot;x&#39; onload="},
		{"M\u00fcller \u6f22\u5b57 \U0001f600", "M\u00fcller \u6f22\u5b57 \U0001f600"},
		{"\xff\xfe", "\ufffd\ufffd"},
		{"cut \xe2\x82", "cut \ufffd\ufffd"},
		{"\xc0\xbcscript", "\ufffd\ufffdscript"},         /* an overlong < */
		{"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},           /* half a surrogate pair */
		{"\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"}, /* beyond the last character */
		{"a\x1b[31mb\x7f", "a\ufffd[31mb\ufffd"}, /* control characters of a terminal */
		{"abc\u202egnp.exe",
	         "abc\ufffdgnp.exe"}, /* reverses the direction of what follows */
		{"%s%n%1000000d", "%s%n%1000000d"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char expected[256];
		struct html page;
		expect(html_start(&page, cases[i].text), "a page starts");
		html_line(&page, "p", NULL, "%s", cases[i].text);
		char *text = html_take_text(&page);
		snprintf(expected, sizeof expected, "<p>%s</p>", cases[i].shown);
		expect(text != NULL && strstr(text, expected) != NULL, expected);
		snprintf(expected, sizeof expected, "<title>%s</title>", cases[i].shown);
		expect(text != NULL && strstr(text, expected) != NULL, expected);
		expect(text != NULL && strstr(text, "<script") == NULL, "no script");
		free(text);
	}
}

/* Names of series, labels and notes come from logs. */
static const char hostile[] = "<img src=x onerror=alert(1)>\"'&\xff",
		  hostile_brief[] = "<b>\"'&\xff";

static void put_lines(struct html *page, const struct plot_point *point, int count,
                      enum plot_scale scale)
{
	const struct plot_series series[] = {
		{hostile, hostile_brief, PLOT_CPU, PLOT_DOTTED_LINE, point, count},
		{hostile, hostile_brief, PLOT_GPU, PLOT_DASHES, point, count},
		{hostile, NULL, PLOT_DEVICE, PLOT_DOTS, point, count}};
	const struct plot_lines lines = {{hostile, hostile, "There is nothing.", hostile, hostile},
	                                 {.scale = scale},
	                                 {.scale = scale, .unit = PLOT_TIME_NS},
	                                 series,
	                                 3,
	                                 50,
	                                 hostile};
	plot_lines_draw(page, &lines);
}

static void put_bars(struct html *page, const double (*value)[PLOT_PARTS], int count, bool labels)
{
	static const char *const label[] = {hostile_brief, hostile_brief, hostile_brief};
	const struct plot_bars bars = {
		.head = {hostile, hostile, "There is nothing.", hostile, hostile},
		.parts = 3,
		.count = count,
		.part_name = {hostile, hostile, hostile},
		.colour = {PLOT_CPU, PLOT_GPU, PLOT_REST},
		.value = value,
		.label = labels ? label : NULL,
		.width = 1e9,
		.x_unit = PLOT_TIME_NS,
		.wide = !labels};
	plot_bars_draw(page, &bars);
}

static int count_of(const char *text, const char *what)
{
	int count = 0;
	for (; (text = strstr(text, what)) != NULL; text++)
		count++;
	return count;
}

static char *make_plots(void)
{
	static const struct plot_point odd[] = {{NAN, 1},    {1, 10},  {2, INFINITY},
	                                        {10, 1e300}, {100, 0}, {1000, 1e-300}};
	static const double bars[][PLOT_PARTS] = {
		{1, 2, 3}, {NAN, -1, INFINITY}, {1e300, 0, 1e-300}};
	struct html page;
	expect(html_start(&page, hostile), "a page starts");
	html_enter_section(&page, hostile, hostile);
	html_enter(&page, "div", "figures");
	put_lines(&page, odd, 0, PLOT_LOG);
	put_lines(&page, odd, 1, PLOT_LOG);
	put_bars(&page, bars, 0, true);
	put_bars(&page, bars + 1, 1, false);
	for (int scale = PLOT_LINEAR; scale <= PLOT_BINARY; scale++) {
		put_lines(&page, odd, 2, (enum plot_scale)scale);
		put_lines(&page, odd, 6, (enum plot_scale)scale);
	}
	put_bars(&page, bars, 3, true);
	put_bars(&page, bars, 3, false);
	return html_take_text(&page);
}

static void test_plots(void)
{
	char *text = make_plots();
	expect(text != NULL, "there is a page");
	if (text == NULL)
		return;
	expect(count_of(text, "There is nothing.") == 4, "plots of nothing say so");
	expect(count_of(text, "<figure") == 12 &&
	               count_of(text, "<figure") == count_of(text, "</figure>"),
	       "figures");
	expect(count_of(text, "<svg") == 9 && count_of(text, "</svg>") == 9,
	       "pictures: a wide figure has two");
	expect(strstr(text, "<img") == NULL && strstr(text, "<b>\"") == NULL,
	       "no element of a name's");
	expect(strstr(text, "nan") == NULL && strstr(text, "inf\"") == NULL &&
	               strstr(text, "-inf") == NULL,
	       "no NaN");
	free(text);
}

/* A file is written whole or not at all. */
static void test_store(const char *folder)
{
	char path[4096], line[64] = "";
	struct html page;
	snprintf(path, sizeof path, "%s/page.html", folder);
	for (int i = 0; i < 2; i++) {
		expect(html_start(&page, "t") && html_store(&page, path) == 0,
		       "a page is stored, also over an old one");
		FILE *file = fopen(path, "r");
		expect(file != NULL && fgets(line, sizeof line, file) != NULL, "it can be read");
		expect(strcmp(line, "<!DOCTYPE html>\n") == 0, "and begins as pages do");
		if (file != NULL)
			fclose(file);
	}
	unlink(path);
	snprintf(path, sizeof path, "%s/none/page.html", folder);
	expect(html_start(&page, "t") && html_store(&page, path) == ENOENT,
	       "a folder that is not there");
	expect(html_start(&page, "t") && html_store(&page, folder) == EISDIR, "a folder");
	if (access("/dev/full", W_OK) == 0)
		expect(html_start(&page, "t") && html_store(&page, "/dev/full") == ENOSPC,
		       "a full disk");
}

/*
 * usage: html_test FOLDER [FILE]
 *
 * FOLDER is for the files of the test. With FILE, only the page of odd plots is written to it, for
 * other tests.
 */
int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: html_test FOLDER [FILE]\n");
		return 2;
	}
	if (argc > 2) {
		char *text = make_plots();
		FILE *file = fopen(argv[2], "w");
		const bool fine = text != NULL && file != NULL && fputs(text, file) >= 0;
		free(text);
		return file != NULL && fclose(file) == 0 && fine && expect_failures == 0 ? 0 : 1;
	}
	test_escapes();
	test_plots();
	test_store(argv[1]);
	printf("pages: %d failures\n", expect_failures);
	return expect_failures == 0 ? 0 : 1;
}
