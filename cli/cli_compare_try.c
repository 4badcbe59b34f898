/* cli_compare_try.c - configurations of --try, each a side: "threshold=1e6", "policy=always,verify=0.1" */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_compare.h"
#include "cli/cli_say.h"
#include "policy/options.h"
#include "policy/words.h"

enum { TRY_KEY_BYTES = 64 };

/* The key at the beginning of text, in the options' own spelling; false where none stands there. */
static bool cli_compare_try_take_key(const char *text, char key[TRY_KEY_BYTES])
{
	const size_t length = strcspn(text, "=,");
	if (text[length] != '=' || length == 0 || length >= TRY_KEY_BYTES)
		return false;
	snprintf(key, TRY_KEY_BYTES, "%.*s", (int)length, text);
	if (words_equal(words_of(key), words_of("threshold")))
		strcpy(key, "workload_threshold");
	return true;
}

/* A comma ends a value only in front of the next key: lists have commas too. */
static size_t cli_compare_try_find_end(const char *value)
{
	char key[TRY_KEY_BYTES];
	size_t end = strcspn(value, ",");
	while (value[end] == ',' && !cli_compare_try_take_key(value + end + 1, key))
		end += 1 + strcspn(value + end + 1, ",");
	return end;
}

static bool cli_compare_try_set(struct cli_environment *environment, const char *key, const char *value)
{
	static struct options scratch;
	char message[OPTION_MESSAGE_BYTES], nearest[OPTION_KEY_BYTES];
	if (words_equal(words_of(key), words_of("counters"))) {
		cli_say("compare keeps the counters itself; counters is nothing to try");
		return false;
	}
	if (!options_has_key(key)) {
		const bool found = options_find_nearest(key, nearest);
		cli_say("--try: unknown option '%s'%s%s", key, found ? "; the nearest is " : "", nearest);
		return false;
	}
	if (!options_set(&scratch, key, value, message)) {
		cli_say("--try: %s", message);
		return false;
	}
	cli_environment_set_option(environment, key, value);
	return true;
}

static bool cli_compare_try_set_all(struct cli_environment *environment, const char *text)
{
	char key[TRY_KEY_BYTES];
	for (const char *at = text; *at != '\0';) {
		if (!cli_compare_try_take_key(at, key)) {
			cli_say("--try cannot be '%s'; allowed: OPTION=VALUE, several of them with commas between",
			        text);
			return false;
		}
		at += strcspn(at, "=") + 1;
		const size_t length = cli_compare_try_find_end(at);
		char *value = cli_say_text("%.*s", (int)length, at);
		const bool set = cli_compare_try_set(environment, key, value);
		free(value);
		if (!set)
			return false;
		at += length + (at[length] == ',');
	}
	return true;
}

bool cli_compare_try_make_sides(struct cli_compare *compare)
{
	struct cli_trial *trial = &compare->trial;
	struct cli_environment base = trial->side[CLI_TRIAL_ON].environment;
	bool fine = true;
	if (compare->try_count == 0)
		return true;
	free(trial->side[CLI_TRIAL_ON].name);
	trial->sides = CLI_TRIAL_ON;
	for (size_t i = 0; i < compare->try_count; i++) {
		struct cli_side *side = &trial->side[trial->sides++];
		*side = (struct cli_side){.name = cli_say_text("%s", compare->tries[i])};
		cli_environment_copy(&side->environment, base.entries);
		if (compare->tries[i][0] == '\0') {
			cli_say("--try is empty; allowed: OPTION=VALUE, several of them with commas between");
			fine = false;
		}
		fine = fine && cli_compare_try_set_all(&side->environment, compare->tries[i]);
	}
	cli_environment_free(&base);
	return fine;
}
