/* cli_difference_test.c - the tool's parts that judge results: outputs, medians */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/common/statistics.h"
#include "cli/compare/difference.h"
#include "tests/driver/expect.h"

static int make_file(const char *text, size_t length)
{
	const int fd = memfd_create("text", MFD_CLOEXEC);
	if (fd < 0 || write(fd, text, length) != (ssize_t)length)
		exit(77);
	return fd;
}

static const struct {
	const char *before, *after;
	enum difference_kind kind;
	size_t line;
} pairs[] = {
	{"", "", DIFFERENCE_NONE, 0},
	{"a\nb\n", "a\nb\n", DIFFERENCE_NONE, 0},
	{"a\nb\n", "a\nb", DIFFERENCE_NUMBERS, 0}, /* only the end of the last line */
	{"a\nb\n", "a\n", DIFFERENCE_FOUND, 2},
	{"a\n", "", DIFFERENCE_FOUND, 1},
	{"x 1.0\n", "x 1.00\n", DIFFERENCE_NUMBERS, 0},
	{"x 1.0\n", "x 1.00000000001\n", DIFFERENCE_NUMBERS, 0},
	{"x 1.0\n", "x 1.00001\n", DIFFERENCE_FOUND, 1},
	{"x 1.0 2e-17\n", "x 1.0 -3e-18\n", DIFFERENCE_NUMBERS,
         0}, /* small beside the line's largest */
	{"2e-17\n", "-3e-18\n", DIFFERENCE_FOUND, 1},
	{"n 1000000000000 3\n", "n 1000000000000 4\n", DIFFERENCE_FOUND,
         1}, /* whole numbers are equal or not */
	{"1.0,2.0;(3.0)\n", "1.0,2.0;(3.00)\n", DIFFERENCE_NUMBERS, 0},
	{"e=1.5\n", "e=1.50\n", DIFFERENCE_NUMBERS, 0},
	{"x  1.5\n", "x -1.5\n", DIFFERENCE_FOUND, 1},
	{"x  0.0\n", "x -0.0\n", DIFFERENCE_NUMBERS, 0},
	{"x 1.0 nan\n", "x 1.0 inf\n", DIFFERENCE_FOUND, 1},
	{"x 1.0 nan\n", "x 1.00 nan\n", DIFFERENCE_NUMBERS, 0},
	{"0x10\n", "0x10 \n", DIFFERENCE_NUMBERS, 0},
	{"0x10\n", "0x11\n", DIFFERENCE_FOUND, 1},
	{"v1.0\n", "v1.00\n", DIFFERENCE_FOUND, 1}, /* part of a name */
	{"1 2\n", "12\n", DIFFERENCE_FOUND, 1},
	{"a b\n", "ab\n", DIFFERENCE_FOUND, 1},
	{"1.0\n", "one\n", DIFFERENCE_FOUND, 1},
	{"n 9007199254740992\n", "n 9007199254740993\n", DIFFERENCE_FOUND, 1},
	{"n 12345678901234567890 1.0\n", "n 12345678901234567890 1.00\n", DIFFERENCE_NUMBERS, 0},
	{"1e999\n", "2e999\n", DIFFERENCE_NUMBERS, 0}, /* both infinite */
};

/* Compares two texts that are not known to differ from themselves. */
static struct difference_verdict find(int before, int after)
{
	static const struct difference none;
	struct difference found = {0};
	expect(difference_add(&found, NULL, before, after, 1e-9) == 0, "files can be read");
	struct difference_verdict verdict = difference_judge(&found, &none);
	verdict.quote = NULL;
	difference_free(&found);
	return verdict;
}

static void test_differences(void)
{
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		const int before = make_file(pairs[i].before, strlen(pairs[i].before));
		const int after = make_file(pairs[i].after, strlen(pairs[i].after));
		const struct difference_verdict found = find(before, after);
		if (found.kind != pairs[i].kind ||
		    (found.kind == DIFFERENCE_FOUND && found.line != pairs[i].line)) {
			printf("FAIL '%s' and '%s': kind %d, line %zu\n", pairs[i].before,
			       pairs[i].after, found.kind, found.line);
			expect_failures++;
		}
		close(before);
		close(after);
	}
}

static void test_bytes(void)
{
	const int a = make_file("a\0b\n", 4), b = make_file("a\0b\n", 4),
		  c = make_file("a\0c\n", 4);
	struct difference_verdict found = find(a, b);
	expect(found.kind == DIFFERENCE_NONE, "equal bytes with a 0 among them");
	found = find(a, c);
	expect(found.kind == DIFFERENCE_FOUND && found.line == 1, "bytes that differ behind a 0");
	close(a);
	close(b);
	close(c);
}

/* count times words, then last. The file offset is left at the end, which must have no effect. */
static int make_long_file(const char *words, size_t count, const char *last)
{
	const size_t length = strlen(words), rest = strlen(last);
	char *text = malloc(count * length + rest);
	if (text == NULL)
		exit(77);
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * length, words, length);
	memcpy(text + count * length, last, rest);
	const int fd = make_file(text, count * length + rest);
	free(text);
	return fd;
}

static void test_long(const char *what, const int files[2], enum difference_kind kind, size_t line)
{
	const struct difference_verdict found = find(files[0], files[1]);
	expect(found.kind == kind && (kind != DIFFERENCE_FOUND || found.line == line), what);
	close(files[0]);
	close(files[1]);
}

/* Texts longer than one read, and lines longer than the 16 MiB that are compared as a line. */
static void test_long_texts(void)
{
	static const char line[] = "the energy of this step is 1.25, as was to be expected of it\n";
	static const char near[] =
		"the energy of this step is 1.2500000000001, as was to be expected of it\n";
	enum { LINES = 600000, WORDS = 1 << 17, MANY_WORDS = 3 << 20, MANY_LINES = 3 << 22 };
	test_long("equal texts",
	          (int[]){make_long_file(line, LINES, "x"), make_long_file(line, LINES, "x")},
	          DIFFERENCE_NONE, 0);
	test_long("numbers that are near",
	          (int[]){make_long_file(line, LINES, ""), make_long_file(near, LINES, "")},
	          DIFFERENCE_NUMBERS, 0);
	test_long(
		"the last line",
		(int[]){make_long_file(line, LINES, "2.5\n"), make_long_file(near, LINES, "2.6\n")},
		DIFFERENCE_FOUND, LINES + 1);
	test_long("a long line",
	          (int[]){make_long_file("1.25 ", WORDS, "\n"),
	                  make_long_file("1.250 ", WORDS, "\n")},
	          DIFFERENCE_NUMBERS, 0);
	test_long("a line beyond all bounds",
	          (int[]){make_long_file("1.5 2 ", MANY_WORDS, "\n1.0\n"),
	                  make_long_file("1.5 2 ", MANY_WORDS, "\n1.00\n")},
	          DIFFERENCE_NUMBERS, 0);
	test_long("its numbers are bytes",
	          (int[]){make_long_file("1.5 2 ", MANY_WORDS, ""),
	                  make_long_file("1.50 2 ", MANY_WORDS, "")},
	          DIFFERENCE_FOUND, 1);
	/* Each number has to be read without a look at the rest of the line. */
	test_long("a long line of whole numbers",
	          (int[]){make_long_file("12345 ", 2 << 20, "6 1.0\n"),
	                  make_long_file("12345 ", 2 << 20, "7 1.0\n")},
	          DIFFERENCE_FOUND, 1);
	test_long("empty lines",
	          (int[]){make_long_file("\n", MANY_LINES, "1"),
	                  make_long_file("\n", MANY_LINES, "2")},
	          DIFFERENCE_FOUND, MANY_LINES + 1);
}

/* A text, how others without the shim and one with it differ from it, and the verdict. */
static const struct {
	const char *first, *without, *with;
	enum difference_kind kind;
	size_t line, unsteady;
} triples[] = {
	{"1\na\nb\n", "2\na\nb\n", "3\na\nb\n", DIFFERENCE_NONE, 0, 1},
	{"1\na\nb\n", "2\na\nb\n", "3\na\nc\n", DIFFERENCE_FOUND, 3, 1},
	{"1\na\nb\n", "2\na\nb\n", "3\na\nb\nc\n", DIFFERENCE_FOUND, 4, 1},
	{"1\na\nb\n", "2\na\nb\n", "3\na\n", DIFFERENCE_FOUND, 3, 1},
	{"a\nb\n1\n", "a\nb\n2\n", "a\nb\n", DIFFERENCE_FOUND, 3,
         1}, /* ends in a line that varies */
	{"1\n1.0\n", "2\n1.0\n", "3\n1.00\n", DIFFERENCE_NUMBERS, 0, 1},
	{"1\n2\n", "3\n4\n", "1\n2\n", DIFFERENCE_UNSTEADY, 0, 2},
	{"1\na\n", "1\n2\na\n", "1\na\n", DIFFERENCE_UNSTEADY, 0, 2},
	{"1\na\n", "1\n", "1\nb\n", DIFFERENCE_UNSTEADY, 0, 1},
	{"", "", "a\n", DIFFERENCE_FOUND, 1, 0},
};

static void test_unsteady(void)
{
	for (size_t i = 0; i < sizeof triples / sizeof triples[0]; i++) {
		struct difference with = {0}, without = {0};
		const int first = make_file(triples[i].first, strlen(triples[i].first));
		const int other = make_file(triples[i].without, strlen(triples[i].without));
		const int third = make_file(triples[i].with, strlen(triples[i].with));
		difference_add(&with, &without.lines, first, third, 1e-9);
		difference_add(&without, NULL, first, other, 1e-9);
		const struct difference_verdict found = difference_judge(&with, &without);
		if (found.kind != triples[i].kind || found.line != triples[i].line ||
		    found.unsteady != triples[i].unsteady) {
			printf("FAIL triple %zu: kind %d, line %zu, %zu unsteady\n", i, found.kind,
			       found.line, found.unsteady);
			expect_failures++;
		}
		difference_free(&with);
		difference_free(&without);
		close(first);
		close(other);
		close(third);
	}
}

/* More lines that vary than quotes are kept of do not hide the one that matters. */
static void test_quotes(void)
{
	static const char first[] = "1\n2\n3\n4\n5\n6\nresult 1.5\n";
	static const char other[] = "2\n3\n4\n5\n6\n7\nresult 1.5\n";
	static const char third[] = "3\n4\n5\n6\n7\n8\nresult 2.5\n";
	struct difference with = {0}, without = {0};
	const int a = make_file(first, strlen(first)), b = make_file(other, strlen(other)),
		  c = make_file(third, strlen(third));
	difference_add(&with, &without.lines, a, c, 1e-9);
	difference_add(&without, NULL, a, b, 1e-9);
	expect(difference_judge(&with, &without).line == 7, "the line with the result");
	difference_add(&with, &without.lines, a, c, 1e-9);
	const struct difference_verdict found = difference_judge(&with, &without);
	expect(found.quote != NULL && strcmp(found.quote->after, "result 2.5") == 0,
	       "quotes of lines that vary make room");
	difference_free(&with);
	difference_free(&without);
	close(a);
	close(b);
	close(c);
}

static void test_quoted_part(void)
{
	static const char long_line[] =
		"............................................................"
		"............................................................"
		"\xc3\xa9 value 1.5 and more of this line, as long as it may be\n";
	char other[sizeof long_line];
	static const struct difference none;
	struct difference found = {0};
	memcpy(other, long_line, sizeof other);
	*strchr(other, '5') = '6';
	other[2] = '.';
	const int a = make_file(long_line, strlen(long_line)), b = make_file(other, strlen(other));
	difference_add(&found, NULL, a, b, 1e-9);
	const struct difference_verdict verdict = difference_judge(&found, &none);
	expect(verdict.quote != NULL && strstr(verdict.quote->before, "value 1.5") != NULL &&
	               strstr(verdict.quote->after, "value 1.6") != NULL &&
	               strncmp(verdict.quote->after, "...", 3) == 0,
	       "the place of the difference is quoted");
	difference_free(&found);
	close(a);
	close(b);
}

static void test_statistics(void)
{
	double odd[] = {5, 1, 9}, even[] = {4, 1, 3, 2}, one[] = {7};
	struct statistics found = statistics_compute(odd, 3);
	expect(found.median == 5 && found.least == 1 && found.most == 9 && found.deviation == 4,
	       "three values");
	found = statistics_compute(even, 4);
	expect(found.median == 2.5 && found.deviation == 1, "four values");
	found = statistics_compute(one, 1);
	expect(found.median == 7 && found.least == 7 && found.deviation == 0, "one value");
	found = statistics_compute(NULL, 0);
	expect(found.median == 0, "no value");
}

int main(void)
{
	test_differences();
	test_bytes();
	test_long_texts();
	test_unsteady();
	test_quotes();
	test_quoted_part();
	test_statistics();
	printf("%d failed\n", expect_failures);
	return expect_failures != 0;
}
