/* words_test.c - trimming, comparing, matching, splitting, sentences */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "policy/text/sentence.h"

Test(words, trims_blanks)
{
	const struct words trimmed = words_trim(words_of(" \t a b\r\n"));
	cr_expect_eq(trimmed.length, 3);
	cr_expect_eq(strncmp(trimmed.text, "a b", 3), 0);
	cr_expect_eq(words_trim(words_of(" \t\r\n")).length, 0);
}

Test(words, compares_as_keys_are_spelled)
{
	cr_expect(words_equal(words_of("LOG-LEVEL"), words_of("log_level")));
	cr_expect_not(words_equal(words_of("log"), words_of("log_level")));
	cr_expect_not(words_equal(words_of("l\xc3\xb6g"), words_of("l\xc3\x96g")));
}

Test(words, takes_parts)
{
	struct words rest = words_of("a,,bc");
	cr_expect_eq(words_next(&rest, ',').length, 1);
	cr_expect_eq(words_next(&rest, ',').length, 0);
	cr_expect_eq(words_next(&rest, ',').length, 2);
	cr_expect_null(rest.text);
	rest = words_of("");
	cr_expect_eq(words_next(&rest, ',').length, 0);
	cr_expect_null(rest.text);
}

Test(words, measures_distance)
{
	cr_expect_eq(words_distance(words_of("policy"), "policy"), 1,
	             "the whole is a part of itself");
	cr_expect_eq(words_distance(words_of("polciy"), "policy"), 1, "a swap");
	cr_expect_eq(words_distance(words_of("polic"), "policies"), 1, "a part");
	cr_expect_eq(words_distance(words_of("pxlxcy"), "policy"), 2);
	cr_expect_eq(words_distance(words_of("workload_treshhold"), "workload_threshold"), 2);
	cr_expect_eq(words_distance(words_of("xyz"), "policy"), WORDS_FAR);
	cr_expect_eq(words_distance(words_of(""), "log"), WORDS_FAR);
	cr_expect_eq(words_distance(words_of("lo"), "workload"), WORDS_FAR, "too short a part");
	char long_name[1000];
	memset(long_name, 'a', sizeof long_name);
	cr_expect_eq(words_distance(words_make(long_name, sizeof long_name), "log"), WORDS_FAR);
}

Test(words, matches_patterns)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} cases[] = {
		{"octave", "octave", true},
		{"octave", "octave-cli", false},
		{"octave*", "octave-cli", true},
		{"*.x", "pw.x", true},
		{"*.x", "pw.x.old", false},
		{"p?.x", "pw.x", true},
		{"p?.x", "p.x", false},
		{"*", "", true},
		{"?", "", false},
		{"", "", true},
		{"", "a", false},
		{"**a**b**", "xxaxxbxx", true},
		{"a*b*c", "abcabcab", false},
		{"a*b*c", "abcabc", true},
		{"*a", "aaab", false},
		{"[ab]", "a", false},
		{"Octave", "octave", false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		cr_expect_eq(words_match(words_of(cases[i].pattern), cases[i].text),
		             cases[i].matches, "%s %s", cases[i].pattern, cases[i].text);
}

/* Exponential matchers need years for this one. */
Test(words, matches_in_bounded_time, .timeout = 10)
{
	char text[1000];
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	cr_expect_not(words_match(words_of("*a*a*a*a*a*a*a*a*a*a*a*a*b"), text));
}

static void expect_pair(const char *line, const char *key, const char *value)
{
	struct words got_key, got_value;
	cr_assert_eq(words_split_line(line, &got_key, &got_value), WORDS_PAIR, "%s", line);
	cr_expect(got_key.length == strlen(key) && memcmp(got_key.text, key, got_key.length) == 0,
	          "%s", line);
	cr_expect(got_value.length == strlen(value) &&
	                  memcmp(got_value.text, value, got_value.length) == 0,
	          "%s", line);
}

Test(words, splits_pairs)
{
	expect_pair("a=b", "a", "b");
	expect_pair("  a  =  b c  \r\n", "a", "b c");
	expect_pair("a = \"  b  \"", "a", "  b  ");
	expect_pair("a = \"\"", "a", "");
	expect_pair("a =", "a", "");
	expect_pair("a = b=c#d", "a", "b=c#d");
	expect_pair("a = \"b\"c\"", "a", "b\"c");
	expect_pair("a = b\"", "a", "b\"");
}

Test(words, knows_other_lines)
{
	struct words key, value;
	cr_expect_eq(words_split_line("", &key, &value), WORDS_BLANK);
	cr_expect_eq(words_split_line(" \t\r\n", &key, &value), WORDS_BLANK);
	cr_expect_eq(words_split_line("  # a = b", &key, &value), WORDS_BLANK);
	cr_expect_eq(words_split_line("a b", &key, &value), WORDS_NO_EQUALS);
	cr_expect_eq(words_split_line(" = b", &key, &value), WORDS_NO_KEY);
	cr_expect_eq(words_split_line("a = \"b", &key, &value), WORDS_OPEN_QUOTE);
	cr_expect_eq(words_split_line("a = \"", &key, &value), WORDS_OPEN_QUOTE);
	cr_expect_not_null(words_describe_line(WORDS_OPEN_QUOTE));
	cr_expect_null(words_describe_line(WORDS_PAIR));
}

Test(words, sentences_are_cut_not_overrun)
{
	char out[8];
	memset(out, '!', sizeof out);
	struct sentence sentence = sentence_start(out, 5);
	sentence_add(&sentence, "abc");
	sentence_add(&sentence, "def");
	sentence_add(&sentence, "ghi");
	cr_expect_str_eq(out, "abcd");
	cr_expect_eq(out[5], '!');
	sentence = sentence_start(out, 1);
	sentence_add(&sentence, "abc");
	cr_expect_str_eq(out, "");
}

Test(words, quotes_harmlessly)
{
	char out[128], text[80];
	struct sentence sentence = sentence_start(out, sizeof out);
	sentence_quote(&sentence, words_of("a\n\x1b[31m\x7f"));
	cr_expect_str_eq(out, "'a??[31m?'");
	memset(text, 'x', sizeof text);
	memcpy(text + 47, "\xe2\x82\xac", 3);
	sentence = sentence_start(out, sizeof out);
	sentence_quote(&sentence, words_make(text, sizeof text));
	cr_expect_str_eq(out + 48, "\xe2\x82\xac...'", "a letter of several bytes is not cut");
}
