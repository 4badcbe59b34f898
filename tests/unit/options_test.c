/* options_test.c - options from text, and every way in which text can be wrong */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/options.h"

static struct options options;
static char message[OPTION_MESSAGE_BYTES];

static bool set(const char *key, const char *text)
{
	message[0] = '\0';
	return options_set(&options, key, text, message);
}

Test(options, every_row_round_trips)
{
	char before[OPTION_TEXT_BYTES], after[OPTION_TEXT_BYTES];
	options_set_defaults(&options);
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_get(&options, (enum option)i, before, sizeof before);
		cr_assert(set(option_table[i].key, before), "%s: %s", option_table[i].key, message);
		options_get(&options, (enum option)i, after, sizeof after);
		cr_assert_str_eq(before, after);
		cr_assert_eq(options_find(option_table[i].key), i);
		cr_assert_gt(strlen(option_table[i].help), 20, "%s has no help", option_table[i].key);
	}
}

Test(options, defaults)
{
	options_set_defaults(&options);
	cr_assert(options.enabled);
	cr_assert_eq(options.workload_threshold, 10000000);
	cr_assert_eq(options.policy, POLICY_THRESHOLD);
	cr_assert_eq(options.log_level, LOG_DECISION);
}

Test(options, spellings)
{
	options_set_defaults(&options);
	cr_assert(set("Workload-Threshold", "1e6") && options.workload_threshold == 1000000);
	cr_assert(set("WORKLOAD_THRESHOLD", "1.5e6") && options.workload_threshold == 1500000);
	cr_assert(set("workload_threshold", "0") && options.workload_threshold == 0);
	cr_assert(set("enabled", "OFF") && !options.enabled);
	cr_assert(set("enabled", "yes") && options.enabled);
	cr_assert(set("enabled", "0") && !options.enabled);
	cr_assert(set("policy", "Always") && options.policy == POLICY_ALWAYS);
}

Test(options, each_bad_value_is_refused_with_a_sentence_and_changes_nothing)
{
	static const char *const bad[][3] = {
		{"enabled", "maybe", "true"},
		{"enabled", "", "true"},
		{"workload_threshold", "-1", "0"},
		{"workload_threshold", "ten", "ten"},
		{"workload_threshold", "1.5", "1.5"},
		{"workload_threshold", "1e30", "1e30"},
		{"workload_threshold", "99999999999999999999", ""},
		{"workload_threshold", "0x10", "0x10"},
		{"workload_threshold", "10 20", ""},
		{"workload_threshold", "", ""},
		{"memory_limit", "1000000001", "1000000000"},
		{"policy", "sometimes", "threshold"},
		{"log_level", "loud", "decision"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct options before;
		options_set_defaults(&options);
		before = options;
		cr_assert_not(set(bad[i][0], bad[i][1]), "%s = '%s'", bad[i][0], bad[i][1]);
		cr_assert_not_null(strstr(message, bad[i][0]), "'%s' does not name the option", message);
		cr_assert_not_null(strstr(message, bad[i][2]), "'%s' does not hold '%s'", message, bad[i][2]);
		cr_assert_eq(memcmp(&before, &options, sizeof before), 0);
	}
}

Test(options, unknown_keys_name_the_nearest)
{
	options_set_defaults(&options);
	cr_assert_not(set("workload_treshold", "1"));
	cr_assert_not_null(strstr(message, "workload_threshold"), "%s", message);
	cr_assert_str_eq(options_nearest_key("memorylimit"), "memory_limit");
	cr_assert_str_eq(options_nearest_key("polizy"), "policy");
	cr_assert_null(options_nearest_key("zzzzzzzzzzzzzz"));
	cr_assert_eq(options_find("nothing"), -1);
}

Test(options, too_long_a_text_is_refused)
{
	static char text[2 * OPTION_TEXT_BYTES];
	options_set_defaults(&options);
	memset(text, 'x', OPTION_TEXT_BYTES);
	cr_assert_not(set("log", text));
	text[OPTION_TEXT_BYTES - 1] = '\0';
	cr_assert(set("log", text));
	cr_assert_str_eq(options.log, text);
}

Test(options, lines_of_a_file)
{
	options_set_defaults(&options);
	cr_assert(options_parse_line(&options, "", message));
	cr_assert(options_parse_line(&options, "   # a comment", message));
	cr_assert(options_parse_line(&options, "\tpolicy =always \r", message) && options.policy == POLICY_ALWAYS);
	cr_assert(options_parse_line(&options, "log = \"/tmp/with # and = in it\"", message));
	cr_assert_str_eq(options.log, "/tmp/with # and = in it");
	cr_assert_not(options_parse_line(&options, "policy", message));
	cr_assert_not(options_parse_line(&options, "= always", message));
	cr_assert_not(options_parse_line(&options, "log = \"open", message));
	cr_assert_not(options_parse_line(&options, "config = /etc/x", message), "the environment only");
}

Test(options, lists_of_patterns)
{
	cr_assert_not(options_match_list("", "octave"));
	cr_assert(options_match_list("octave", "octave"));
	cr_assert(options_match_list(" R , octave-*", "octave-cli"));
	cr_assert(options_match_list("p?.x", "pw.x"));
	cr_assert_not(options_match_list("octave", "octave-cli"));
	cr_assert(options_match_list("*a*b*c", "xxaxxbxxc"));
	cr_assert_not(options_match_list("*a*b*c", "xxaxxbxxcx"));
	cr_assert_not(options_match_list(",,,", "x"));
}

/* 20,000 lines of bytes that resemble config files: none crashes, each refusal says something. */
Test(options, noise)
{
	static const char letters[] = "workload_threshold policy=always\"#.0123456789e+-\t\r\xff\x01*,|";
	uint64_t random = 20261121;
	for (int round = 0; round < 20000; round++) {
		char line[64];
		size_t length = 0;
		for (; length < sizeof line - 1; length++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			if ((random >> 33) % 48 == 0)
				break;
			line[length] = letters[(random >> 40) % (sizeof letters - 1)];
		}
		line[length] = '\0';
		message[0] = '\0';
		if (!options_parse_line(&options, line, message))
			cr_assert(message[0] != '\0' && strchr(message, '\n') == NULL);
	}
}
