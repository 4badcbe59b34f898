/* compare_try.c - makes a side of each --try, for instance "policy=always,verify=0.1" */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/arguments.h"
#include "cli/common/say.h"
#include "cli/compare/compare_parts.h"
#include "policy/options/options.h"
#include "policy/text/words.h"

_Static_assert((int)COMMAND_LIST_MAX < (int)RUN_ORDER_SIDES,
               "each --try is a side besides the first");

/* Copies the key that text begins with, as arguments_expand_key does; false if there is none. */
static bool compare_try_take_key(const char *text, char key[OPTION_KEY_BYTES])
{
	char name[OPTION_KEY_BYTES];
	const size_t length = strcspn(text, "=,");
	if (text[length] != '=' || length == 0 || length >= sizeof name)
		return false;
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	arguments_expand_key(name, key);
	return true;
}

/* The length of a value. A comma ends it only if a key follows: lists have commas too. */
static size_t compare_try_find_end(const char *value)
{
	char key[OPTION_KEY_BYTES];
	size_t end = strcspn(value, ",");
	while (value[end] == ',' && !compare_try_take_key(value + end + 1, key))
		end += 1 + strcspn(value + end + 1, ",");
	return end;
}

static bool compare_try_set(struct environment *environment, const char *key, const char *value)
{
	char nearest[OPTION_KEY_BYTES];
	if (words_equal(words_of(key), words_of("counters"))) {
		say("compare keeps the counters itself; counters is nothing to try");
		return false;
	}
	if (options_has_key(key))
		return arguments_set_shim(environment, "--try: ", key, value);
	const bool found = options_find_nearest(key, nearest);
	say("--try: unknown option '%s'%s%s", key, found ? "; the nearest is " : "", nearest);
	return false;
}

static bool compare_try_set_all(struct environment *environment, const char *text)
{
	char key[OPTION_KEY_BYTES];
	for (const char *at = text; *at != '\0';) {
		if (!compare_try_take_key(at, key)) {
			say("--try cannot be '%s'; allowed: OPTION=VALUE, several of them with "
			    "commas between",
			    text);
			return false;
		}
		at += strcspn(at, "=") + 1;
		const size_t length = compare_try_find_end(at);
		char *value = say_text("%.*s", (int)length, at);
		const bool set = compare_try_set(environment, key, value);
		free(value);
		if (!set)
			return false;
		at += length + (at[length] == ',');
	}
	return true;
}

bool compare_try_make_sides(struct compare *compare)
{
	const struct command_list *tries = &compare->arguments->try;
	struct trial_runs *trial = &compare->trial;
	struct environment base = trial->side[TRIAL_RUNS_ON].environment;
	bool fine = true;
	if (tries->count == 0)
		return true;
	free(trial->side[TRIAL_RUNS_ON].name);
	trial->sides = TRIAL_RUNS_ON;
	for (size_t i = 0; i < tries->count; i++) {
		struct trial_side *side = &trial->side[trial->sides++];
		*side = (struct trial_side){.name = say_text("%s", tries->text[i])};
		environment_copy(&side->environment, base.entries);
		if (tries->text[i][0] == '\0') {
			say("--try is empty; allowed: OPTION=VALUE, several of them with commas "
			    "between");
			fine = false;
		}
		fine = fine && compare_try_set_all(&side->environment, tries->text[i]);
	}
	environment_free(&base);
	return fine;
}

/* A name is printed as it is, so a control character in it becomes a question mark. */
static void compare_try_name_side(struct trial_side *side, const char *name)
{
	free(side->name);
	side->name = say_text("%s", name);
	for (char *at = side->name; *at != '\0'; at++)
		if (iscntrl((unsigned char)*at))
			*at = '?';
}

bool compare_try_name_sides(struct compare *compare)
{
	const struct command_list *names = &compare->arguments->name;
	struct trial_runs *trial = &compare->trial;
	if (names->count > trial->sides - 1) {
		say("there are more --name than configurations with the shim: %zu and %zu",
		    names->count, trial->sides - 1);
		return false;
	}
	for (size_t i = 0; i < names->count; i++) {
		if (names->text[i][0] == '\0') {
			say("--name is empty");
			return false;
		}
		compare_try_name_side(&trial->side[TRIAL_RUNS_ON + i], names->text[i]);
	}
	return true;
}
