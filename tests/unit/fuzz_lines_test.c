/* fuzz_lines_test.c - random lines through the parsers: no crash, no overrun, a sentence for each refusal */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/machine.h"
#include "policy/options.h"

enum { LINES = 20000, LINE_MAX_BYTES = 300 };

/* xorshift64 with a fixed seed: the same lines in each run. */
static uint64_t fuzz_state = UINT64_C(0x9e3779b97f4a7c15);

static size_t fuzz_below(size_t limit)
{
	fuzz_state ^= fuzz_state << 13;
	fuzz_state ^= fuzz_state >> 7;
	fuzz_state ^= fuzz_state << 17;
	return (size_t)(fuzz_state % limit);
}

/* What lines are made of, so that some get past the first letter. */
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

/* In memory of exactly its size, so that reading one byte too many is seen by the address sanitizer. */
static char *fuzz_line(void)
{
	char line[LINE_MAX_BYTES];
	size_t length = 0;
	const size_t wanted = fuzz_below(LINE_MAX_BYTES - 32);
	while (length < wanted) {
		if (fuzz_below(3) == 0)
			line[length++] = (char)(1 + fuzz_below(255));
		else
			length += (size_t)snprintf(line + length, sizeof line - length, "%s", fuzz_piece());
	}
	return strndup(line, length);
}

/* key = garbage, for a parser of values to be reached each time. */
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
		char *line = i % 2 == 0 ? fuzz_line() : fuzz_pair(option_table[fuzz_below(OPTION_COUNT)].key);
		expect_sentence(options_parse_line(&options, line, message), message);
		options_match_list(line, "octave-cli");
		free(line);
		cr_assert(options.policy >= POLICY_AUTO && options.policy <= POLICY_NEVER);
		cr_assert_leq(options.memory_limit, 1000000000);
	}
}

Test(fuzz_lines, machine, .timeout = 60)
{
	struct machine machine = {0};
	char message[MACHINE_MESSAGE_BYTES];
	for (int i = 0; i < LINES; i++) {
		char *line = i % 2 == 0 ? fuzz_line() : fuzz_pair("link_up_bytes");
		expect_sentence(machine_parse_line(&machine, line, message), message);
		free(line);
		cr_assert(machine.link_up_bytes >= 0 && machine.link_up_bytes <= __DBL_MAX__);
	}
}
