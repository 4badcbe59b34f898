/* arguments.c - options of commands and of option.def on the command line */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/arguments.h"

#include <stdio.h>
#include <string.h>

#include "cli/common/say.h"
#include "policy/options/options.h"
#include "policy/text/words.h"

/* Keys are shown as they are typed: with dashes. */
static void arguments_dash(char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '_')
			*text = '-';
}

bool arguments_take(struct arguments *arguments)
{
	char *word = arguments->rest[0];
	if (word == NULL || word[0] != '-' || word[1] == '\0')
		return false;
	arguments->rest++;
	if (strcmp(word, "--") == 0)
		return false;
	const char *name = word + (word[1] == '-' ? 2 : 0);
	const size_t length = strcspn(name, "=");
	arguments->word = word;
	arguments->value = name[length] == '=' ? (char *)name + length + 1 : NULL;
	snprintf(arguments->option, sizeof arguments->option, "%.*s", (int)length, name);
	return true;
}

bool arguments_is(const struct arguments *arguments, const char *name)
{
	return words_equal(words_of(arguments->option), words_of(name));
}

const char *arguments_take_value(struct arguments *arguments)
{
	if (arguments->value == NULL && arguments->rest[0] != NULL &&
	    strcmp(arguments->rest[0], "--") != 0)
		arguments->value = *arguments->rest++;
	if (arguments->value == NULL)
		say("the option --%s needs a value", arguments->option);
	return arguments->value;
}

bool arguments_check_flag(const struct arguments *arguments)
{
	if (arguments->value != NULL)
		say("the option --%s takes no value", arguments->option);
	return arguments->value == NULL;
}

static bool arguments_refuse(const struct arguments *arguments, const char *own)
{
	char nearest[OPTION_KEY_BYTES];
	const bool found = options_find_nearest(arguments->option, nearest);
	arguments_dash(nearest);
	if (found)
		say("unknown option '%s'; the nearest is --%s", arguments->word, nearest);
	else
		say("unknown option '%s'; allowed: %s%sthe keys of `gpushim show options`",
		    arguments->word, own, own[0] != '\0' ? ", and " : "");
	return false;
}

bool arguments_set_option(struct arguments *arguments, struct environment *environment,
                          const char *own)
{
	static struct options scratch;
	char message[OPTION_MESSAGE_BYTES];
	if (arguments->word[1] != '-' || !options_has_key(arguments->option))
		return arguments_refuse(arguments, own);
	const char *value = arguments_take_value(arguments);
	if (value == NULL)
		return false;
	if (!options_set(&scratch, arguments->option, value, message)) {
		say("%s", message);
		return false;
	}
	environment_set_option(environment, arguments->option, value);
	return true;
}
