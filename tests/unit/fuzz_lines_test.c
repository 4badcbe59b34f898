/* fuzz_lines_test.c - random lines through the parsers: no crash, no overrun, a message each */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/options/options.h"
#include "tests/unit/machine_random.h"

enum { LINES = 20000, LINE_MAX_BYTES = 300 };

/* With a fixed seed: the same lines in each run. */
static struct machine_random fuzz_random = {UINT64_C(0x9e3779b97f4a7c15)};

static size_t fuzz_below(size_t limit)
{
	return (size_t)machine_random_below(&fuzz_random, limit);
}

/* Pieces of lines, so that some lines get past their first letter. */
static const char *fuzz_piece(void)
{
	static const char *const pieces[] = {" ",
	                                     "=",
	                                     "\"",
	                                     "#",
	                                     "e",
	                                     "-",
	                                     "+",
	                                     ".",
	                                     "1",
	                                     "999999999999",
	                                     "1e",
	                                     "0",
	                                     "true",
	                                     "always",
	                                     "link_up_bytes",
	                                     "name",
	                                     "cpu_gemm_flops_d",
	                                     "cpu_dgemm_t4",
	                                     "gpu_fftw_c2c",
	                                     "64:1e9",
	                                     ":",
	                                     "end",
	                                     ",",
	                                     "*",
	                                     "\t",
	                                     "\xff",
	                                     "\xe2\x82\xac",
	                                     "\r",
	                                     "_"};
	const size_t count = sizeof pieces / sizeof pieces[0];
	const size_t which = fuzz_below(count + OPTION_COUNT);
	return which < count ? pieces[which] : option_table[which - count].key;
}

/* In a block of exactly its size, so that the address sanitizer sees a read beyond it. */
static char *fuzz_line(void)
{
	char line[LINE_MAX_BYTES];
	size_t length = 0;
	const size_t wanted = fuzz_below(LINE_MAX_BYTES - 32);
	while (length < wanted) {
		if (fuzz_below(3) == 0)
			line[length++] = (char)(1 + fuzz_below(255));
		else
			length += (size_t)snprintf(line + length, sizeof line - length, "%s",
			                           fuzz_piece());
	}
	return strndup(line, length);
}

/* "key = garbage", so that a parser of values is reached each time. */
static char *fuzz_pair(const char *key)
{
	char *line = NULL, *rest = fuzz_line();
	cr_assert_geq(asprintf(&line, "%s=%s", key, rest), 0);
	free(rest);
	return line;
}

static void expect_sentence(bool fine, const char *message)
{
	if (fine)
		return;
	cr_assert_gt(strlen(message), 0);
	for (; *message != '\0'; message++)
		cr_assert((unsigned char)*message >= ' ' && *message != 0x7f);
}

Test(fuzz_lines, options, .timeout = 60)
{
	struct options options;
	char message[OPTION_MESSAGE_BYTES];
	options_set_defaults(&options);
	for (int i = 0; i < LINES; i++) {
		char *line = i % 2 == 0 ? fuzz_line()
		                        : fuzz_pair(option_table[fuzz_below(OPTION_COUNT)].key);
		expect_sentence(options_parse_line(&options, line, message), message);
		options_match_list(line, "octave-cli");
		free(line);
		cr_assert(options.policy >= POLICY_AUTO && options.policy <= POLICY_NEVER);
		cr_assert_leq(options.memory_limit, 1000000000);
	}
}

/* The keys whose values have parsers of their own. */
static const char *fuzz_machine_key(void)
{
	static const char *const keys[] = {"link_up_bytes", "cpu_dgemm_t4", "gpu_fftw_c2c",
	                                   "profile",       "host",         "end"};
	return keys[fuzz_below(sizeof keys / sizeof keys[0])];
}

Test(fuzz_lines, machine, .timeout = 60)
{
	static struct machine machine;
	char message[MACHINE_MESSAGE_BYTES];
	for (int i = 0; i < LINES; i++) {
		char *line = i % 2 == 0 ? fuzz_line() : fuzz_pair(fuzz_machine_key());
		expect_sentence(machine_parse_line(&machine, line, message), message);
		free(line);
		cr_assert(machine.link_up_bytes >= 0 && machine.link_up_bytes <= __DBL_MAX__);
		cr_assert(machine.curve_count >= 0 && machine.curve_count <= 2);
		machine.ended = false; /* otherwise all later lines would be refused */
	}
}

enum { FILES = 4000, FILE_MAX_BYTES = 1 << 16 };

/* A random profile as text. */
static size_t fuzz_write_profile(char text[FILE_MAX_BYTES])
{
	static struct machine machine;
	char line[512];
	size_t length = 0;
	machine_random_make(&fuzz_random, &machine);
	for (int position = 0; machine_write_line(&machine, &position, line, sizeof line);)
		length += (size_t)snprintf(text + length, FILE_MAX_BYTES - length, "%s\n", line);
	return length;
}

/* Cuts the text, changes bytes, or moves a part of it. */
static size_t fuzz_mutate(char *text, size_t length)
{
	const size_t at = fuzz_below(length), from = fuzz_below(length);
	switch (fuzz_below(4)) {
	case 0: return at;
	case 1: text[at] = (char)(1 + fuzz_below(255)); break;
	case 2: text[at] = "0123456789-+.e:_ =\"\n"[fuzz_below(20)]; break;
	default:
		memmove(text + at, text + from, fuzz_below(length - (at > from ? at : from)));
		break;
	}
	return length;
}

static bool fuzz_read_profile(char *text, struct machine *machine,
                              char message[MACHINE_MESSAGE_BYTES])
{
	memset(machine, 0, sizeof *machine);
	for (char *line = text, *rest = text; line != NULL; line = rest) {
		strsep(&rest, "\n");
		if (!machine_parse_line(machine, line, message))
			return false;
	}
	return machine_is_usable(machine, message);
}

/* Whatever was read: each rate is known and finite, also those that are assumed. */
static void expect_finite(struct machine *machine)
{
	machine_assume(machine, (int)fuzz_below(130), (int)fuzz_below(200));
	for (int i = 0; i < 50; i++) {
		const enum family family = (enum family)fuzz_below(FAMILY_COUNT);
		const double size = machine_random_real(&fuzz_random, 1, 0x1p62);
		const double rate = machine_find_rate(
			machine, (enum machine_side)fuzz_below(MACHINE_SIDES), family,
			(enum element)(ELEMENT_C + fuzz_below(2)), size, (int)fuzz_below(300));
		cr_assert(rate >= 1 && rate <= 1e60, "%g", rate);
	}
#define MACHINE_TEXT(field)                                                                        \
	cr_assert_lt(strnlen(machine->field, MACHINE_NAME_BYTES), MACHINE_NAME_BYTES);
#define MACHINE_NUMBER(key, field)                                                                 \
	cr_assert(machine->field >= 0 && machine->field <= __DBL_MAX__, "%s", key);
#include "policy/machine/machine.def"
}

Test(fuzz_lines, whole_profiles, .timeout = 60)
{
	static char text[FILE_MAX_BYTES];
	static struct machine machine;
	char message[MACHINE_MESSAGE_BYTES];
	int usable = 0;
	for (int i = 0; i < FILES; i++) {
		size_t length = fuzz_write_profile(text);
		for (size_t changes = fuzz_below(4); changes > 0 && length > 0; changes--)
			length = fuzz_mutate(text, length);
		/* In a block of exactly its size, for the address sanitizer. */
		char *file = strndup(text, length);
		const bool fine = fuzz_read_profile(file, &machine, message);
		expect_sentence(fine, message);
		free(file);
		if (!fine)
			continue;
		usable++;
		expect_finite(&machine);
	}
	cr_expect(usable > FILES / 8 && usable < FILES, "%d of %d were usable", usable, FILES);
}

/* A profile cut at any place lacks its end and is not used. */
Test(fuzz_lines, truncated_profiles, .timeout = 60)
{
	static char text[FILE_MAX_BYTES];
	static struct machine machine;
	char message[MACHINE_MESSAGE_BYTES];
	size_t length = fuzz_write_profile(text);
	cr_assert_str_eq(text + length - strlen("end = true\n"), "end = true\n");
	for (length -= strlen("\n"); length > 0; length--) {
		char *file = strndup(text, length - 1);
		cr_expect_not(fuzz_read_profile(file, &machine, message), "cut to %zu bytes",
		              length - 1);
		expect_sentence(false, message);
		free(file);
	}
}
