/* options_test.c - every row of option.def in and out as text; bad text gets one message */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "policy/options/options.h"

static struct options options;
static char message[OPTION_MESSAGE_BYTES];

static void start(void)
{
	options_set_defaults(&options);
	memset(message, 0, sizeof message);
}

TestSuite(options, .init = start);

static void expect_value(enum option option, const char *wanted)
{
	char text[OPTION_TEXT_BYTES];
	options_get(&options, option, text, sizeof text);
	cr_expect_str_eq(text, wanted, "%s", option_table[option].key);
}

static void expect_refused(const char *key, const char *text, const char *sentence)
{
	struct options before = options;
	cr_expect_not(options_set(&options, key, text, message), "%s %s", key, text);
	cr_expect_str_eq(message, sentence);
	cr_expect_eq(memcmp(&before, &options, sizeof options), 0, "%s is unchanged", key);
}

/* A value of each kind that is not the default of any row. */
static const char *other_value(const struct option_row *row)
{
	switch (row->kind) {
	case OPTION_SWITCH: return strcmp(row->initial, "true") == 0 ? "false" : "true";
	case OPTION_COUNT_KIND: return "12345";
	case OPTION_SHARE: return "0.125";
	case OPTION_CHOICE: return strrchr(row->range, '|') + 1;
	case OPTION_TEXT:
		if (strcmp(row->key, "share_cpu") == 0)
			return "37";
		return row->range[0] == '\0' ? "some text, with # and = in it" : "/a/path";
	}
	return "";
}

Test(options, rows_start_at_their_defaults)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		expect_value((enum option)i, option_table[i].initial);
	cr_expect(options.enabled);
	cr_expect_eq(options.workload_threshold, 10000000);
	cr_expect_eq(options.policy, POLICY_AUTO);
	cr_expect_eq(options.warmup, WARMUP_BACKGROUND);
	cr_expect_eq(options.log_level, LOG_DECISION);
}

Test(options, a_switch_says_where_the_summary_goes)
{
	static const char *const row[][2] = {
		{"on", "stderr"},   {"1", "stderr"},  {" yes", "stderr"},     {"TRUE", "stderr"},
		{"true", "stderr"}, {"off", "off"},   {"0", "off"},           {"no ", "off"},
		{"false", "off"},   {"./on", "./on"}, {"a file ", "a file "}, {"", ""}};
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		cr_assert(options_set(&options, "summary", row[i][0], message), "%s", message);
		expect_value(OPTION_summary, row[i][1]);
	}
}

Test(options, rows_go_in_and_out)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_table[i];
		cr_expect(options_set(&options, row->key, other_value(row), message), "%s: %s",
		          row->key, message);
		expect_value((enum option)i, other_value(row));
		cr_expect(options_set(&options, row->key, row->initial, message), "%s: %s",
		          row->key, message);
		expect_value((enum option)i, row->initial);
	}
}

Test(options, rows_touch_no_other_row)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_set_defaults(&options);
		options_set(&options, option_table[i].key, other_value(&option_table[i]), message);
		for (int other = 0; other < OPTION_COUNT; other++)
			if (other != i)
				expect_value((enum option)other, option_table[other].initial);
	}
}

Test(options, rows_go_through_a_file_line)
{
	char line[OPTION_TEXT_BYTES];
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (i == OPTION_config)
			continue;
		snprintf(line, sizeof line, "  %s = \"%s\"\r\n", option_table[i].key,
		         other_value(&option_table[i]));
		cr_expect(options_parse_line(&options, line, message), "%s: %s", line, message);
		expect_value((enum option)i, other_value(&option_table[i]));
	}
}

Test(options, choices_are_their_enums)
{
	static const char *const policies[] = {"auto", "threshold", "always", "never"};
	for (int i = POLICY_AUTO; i <= POLICY_NEVER; i++) {
		cr_assert(options_set(&options, "policy", policies[i], message));
		cr_expect_eq(options.policy, i);
	}
	cr_assert(options_set(&options, "warmup", "wait", message));
	cr_expect_eq(options.warmup, WARMUP_WAIT);
	cr_assert(options_set(&options, "log_level", "call", message));
	cr_expect_eq(options.log_level, LOG_CALL);
	cr_assert(options_set(&options, "log_level", "summary", message));
	cr_expect_eq(options.log_level, LOG_SUMMARY);
}

Test(options, switches_have_four_spellings)
{
	static const char *const on[] = {"true", "on", "yes", "1", "TRUE", " Yes "};
	static const char *const off[] = {"false", "off", "no", "0", "Off"};
	for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
		options.enabled = false;
		cr_expect(options_set(&options, "enabled", on[i], message) && options.enabled, "%s",
		          on[i]);
	}
	for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
		options.enabled = true;
		cr_expect(options_set(&options, "enabled", off[i], message) && !options.enabled,
		          "%s", off[i]);
	}
}

Test(options, counts_keep_their_range)
{
	cr_expect(options_set(&options, "workload_threshold", "9000000000000000000", message));
	cr_expect_eq(options.workload_threshold, UINT64_C(9000000000000000000));
	cr_expect(options_set(&options, "workload_threshold", "1.5e6", message));
	cr_expect_eq(options.workload_threshold, 1500000);
	cr_expect(options_set(&options, "memory_limit", "1e9", message));
	static const char *const bad[] = {"9000000000000000001",
	                                  "1e19",
	                                  "1e30",
	                                  "99999999999999999999999",
	                                  "-1",
	                                  "1.5",
	                                  "1e-3",
	                                  "ten",
	                                  "",
	                                  "0x10",
	                                  "1e6 bytes"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char sentence[OPTION_MESSAGE_BYTES];
		snprintf(sentence, sizeof sentence,
		         "workload_threshold cannot be '%s'; allowed: a whole number from 0 to "
		         "9000000000000000000 bytes, for instance 10MB",
		         bad[i]);
		expect_refused("workload_threshold", bad[i], sentence);
	}
	expect_refused("memory_limit", "1000000001",
	               "memory_limit cannot be '1000000001'; allowed: a whole number from 0 to "
	               "1000000000 MB, for instance 8GB");
}

Test(options, units_are_read_in_all_sources)
{
	cr_expect(options_set(&options, "workload_threshold", "10 MB", message), "%s", message);
	cr_expect_eq(options.workload_threshold, 10000000);
	cr_expect(options_set(&options, "workload_threshold_dgemm", "1.5GB", message), "%s",
	          message);
	cr_expect_eq(routine_threshold_get(&options.thresholds, FAMILY_GEMM, ELEMENT_D, 0),
	             1500000000);
	cr_expect(options_parse_line(&options, "memory_limit = 8G", message), "%s", message);
	cr_expect_eq(options.memory_limit, 8000);
	cr_expect(options_parse_line(&options, "work_threshold = \"2 Gflop\"", message), "%s",
	          message);
	cr_expect_eq(options.work_threshold, 2000000000);
	cr_expect(options_set(&options, "patience", "2min", message), "%s", message);
	cr_expect_eq(options.patience, 120);
	cr_expect(options_set(&options, "verify", "80%", message), "%s", message);
	cr_expect_eq(options.verify, 0.8);
	expect_refused("patience", "5ms",
	               "patience cannot be '5ms'; allowed: a whole number from 0 to 1000000 "
	               "seconds, for instance 2min");
	expect_refused("verify", "101%",
	               "verify cannot be '101%'; allowed: a number from 0 to 1, for instance 5%");
	expect_refused("k_threshold", "5MB",
	               "k_threshold cannot be '5MB'; allowed: a whole number from 0 to "
	               "9000000000000000000");
}

Test(options, bad_words_name_what_is_allowed)
{
	expect_refused("enabled", "maybe", "enabled cannot be 'maybe'; allowed: true or false");
	expect_refused("enabled", "", "enabled cannot be ''; allowed: true or false");
	expect_refused("policy", "fast",
	               "policy cannot be 'fast'; allowed: auto, threshold, always, never, dry");
	expect_refused(
		"policy", "auto|threshold",
		"policy cannot be 'auto|threshold'; allowed: auto, threshold, always, never, dry");
	expect_refused("warmup", "", "warmup cannot be ''; allowed: background, wait");
}

Test(options, texts_have_a_length)
{
	char text[OPTION_TEXT_BYTES + 1];
	memset(text, 'x', sizeof text);
	text[OPTION_TEXT_BYTES] = '\0';
	expect_refused(
		"log", text,
		"log cannot be 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'; allowed: "
		"at most 1023 bytes");
	text[OPTION_TEXT_BYTES - 1] = '\0';
	cr_expect(options_set(&options, "log", text, message));
	cr_expect_str_eq(options.log, text);
	cr_expect(options_set(&options, "log", options.log, message),
	          "a value may be set to itself");
	cr_expect_str_eq(options.log, text);
}

Test(options, unknown_keys_get_the_nearest)
{
	expect_refused("workload_treshold", "1",
	               "unknown option 'workload_treshold'; the nearest is 'workload_threshold'");
	expect_refused("threshold", "1",
	               "unknown option 'threshold'; the nearest is 'workload_threshold'");
	expect_refused("treshold", "1e6",
	               "unknown option 'treshold'; the nearest is 'workload_threshold'");
	expect_refused("Polciy", "auto", "unknown option 'Polciy'; the nearest is 'policy'");
	expect_refused("zzzzzzzz", "1", "unknown option 'zzzzzzzz'");
	expect_refused("", "1", "unknown option ''");
	expect_refused("a\nb\x1b[31m", "1", "unknown option 'a?b?[31m'");
}

Test(options, every_key_is_near_its_misspellings)
{
	char name[64], nearest[OPTION_KEY_BYTES];
	for (int i = 0; i < OPTION_COUNT; i++) {
		const char *key = option_table[i].key;
		snprintf(name, sizeof name, "%sx", key);
		cr_expect(options_find_nearest(name, nearest));
		cr_expect_str_eq(nearest, key);
		snprintf(name, sizeof name, "%s", key);
		name[strlen(name) - 1] = '\0';
		cr_expect(options_find_nearest(name, nearest), "%s", name);
	}
	cr_expect(options_find_nearest("memorylimit", nearest));
	cr_expect_str_eq(nearest, "memory_limit");
	cr_expect_not(options_find_nearest("quite_something_else", nearest));
	cr_expect_str_empty(nearest);
}

Test(options, keys_of_routines_are_near_their_misspellings)
{
	expect_refused("policy_dgem", "never",
	               "unknown option 'policy_dgem'; the nearest is 'policy_dgemm'");
	expect_refused("POLICY_FFTW_C2", "never",
	               "unknown option 'POLICY_FFTW_C2'; the nearest is 'policy_fftw_c2c'");
	expect_refused("workload-threshold-zhrek", "1",
	               "unknown option 'workload-threshold-zhrek'; the nearest is "
	               "'workload_threshold_zherk'");
	expect_refused("policy_nothing", "never", "unknown option 'policy_nothing'");
}

Test(options, keys_are_found_in_any_spelling)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		cr_expect_eq(options_find(option_table[i].key), i);
		cr_expect_gt(strlen(option_help[i]), 20, "%s needs help", option_table[i].key);
	}
	cr_expect_eq(options_find("WORKLOAD_THRESHOLD"), OPTION_workload_threshold);
	cr_expect_eq(options_find("workload-threshold"), OPTION_workload_threshold);
	cr_expect_eq(options_find("workload"), -1);
	cr_expect_eq(options_find(""), -1);
}

/* Every message that names an option takes its variable from the option's row. */
Test(options, a_variable_is_accepted_under_its_own_and_its_former_name)
{
	char variable[OPTION_VARIABLE_BYTES];
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_name_variable((enum option)i, variable);
		cr_expect_eq(options_find(variable + strlen("EPOCHLY_GPU_")), i, "%s", variable);
	}
	options_name_variable(OPTION_patience, variable);
	cr_expect_str_eq(variable, "EPOCHLY_GPU_PATIENCE");
	cr_expect(options_set(&options, "PATIENCE", "7", message), "%s", message);
	cr_expect_eq(options.patience, 7);
	cr_expect(options_set(&options, "GPU_PATIENCE", "8", message), "%s", message);
	cr_expect_eq(options.patience, 8);
	cr_expect(options_parse_line(&options, "gpu-patience = 9", message), "%s", message);
	cr_expect_eq(options.patience, 9);
	cr_expect(options_has_key("gpu_patience"));
	expect_refused("gpu_patience", "soon",
	               "patience cannot be 'soon'; allowed: a whole number from 0 to 1000000 "
	               "seconds, for instance 2min");
}

Test(options, the_words_of_a_choice_are_in_the_order_of_its_enum)
{
	char word[OPTION_KEY_BYTES];
	static const struct {
		enum option option;
		int index;
		const char *word;
	} rows[] = {
#define ROW(id, word) {OPTION_OF, id, word},
#define OPTION_OF OPTION_policy
		OPTION_POLICY_WORDS(ROW)
#undef OPTION_OF
#define OPTION_OF OPTION_log_level
			OPTION_LOG_LEVEL_WORDS(ROW)
#undef OPTION_OF
#undef ROW
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		options_name_choice(rows[i].option, rows[i].index, word, sizeof word);
		cr_expect_str_eq(word, rows[i].word);
	}
}

Test(options, get_is_cut_to_its_buffer)
{
	char text[4];
	options_get(&options, OPTION_workload_threshold, text, sizeof text);
	cr_expect_str_eq(text, "100");
}

Test(options, lines_that_set_nothing)
{
	const struct options before = options;
	static const char *const fine[] = {"", "   ", "# policy = never", "\t#", "\r\n"};
	for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++)
		cr_expect(options_parse_line(&options, fine[i], message), "'%s'", fine[i]);
	cr_expect_not(options_parse_line(&options, "policy", message));
	cr_expect_str_eq(message, "no equals sign between key and value");
	cr_expect_not(options_parse_line(&options, "= never", message));
	cr_expect_str_eq(message, "no key before the equals sign");
	cr_expect_not(options_parse_line(&options, "log = \"never", message));
	cr_expect_str_eq(message, "a value that begins with a double quote does not end with one");
	cr_expect_not(options_parse_line(&options, "config = other.conf", message));
	cr_expect_str_eq(message, "config can be set in the environment only");
	cr_expect_eq(memcmp(&before, &options, sizeof options), 0);
}

Test(options, numbers_ignore_the_locale)
{
	if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
		cr_skip_test("the locale de_DE.UTF-8 is not installed");
	cr_expect(options_set(&options, "workload_threshold", "1.5e6", message));
	cr_expect_eq(options.workload_threshold, 1500000);
}

Test(options, lists_match)
{
	cr_expect(options_match_list("pw.x, lmp*, octave-cli", "lmp_mpi"));
	cr_expect(options_match_list("pw.x, lmp*, octave-cli", "octave-cli"));
	cr_expect_not(options_match_list("pw.x, lmp*, octave-cli", "octave"));
	cr_expect_not(options_match_list("", "octave"));
	cr_expect_not(options_match_list(" , ,", ""));
	cr_expect(options_match_list("*", "anything"));
}
