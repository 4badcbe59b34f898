/* fuzz_options.c - lines of config files: refused with a sentence, or shown as they were set */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/options/options.h"
#include "tests/fuzz/fuzz.h"

/* What an option shows is a text that sets it to the same again. */
static void check_shown(const struct options *options)
{
	char shown[OPTION_TEXT_BYTES], again[OPTION_TEXT_BYTES], message[OPTION_MESSAGE_BYTES];
	static struct options copy;
	options_set_defaults(&copy);
	for (int i = 0; i < OPTION_COUNT; i++) {
		options_get(options, (enum option)i, shown, sizeof shown);
		FUZZ_CHECK(options_set(&copy, option_table[i].key, shown, message));
		options_get(&copy, (enum option)i, again, sizeof again);
		FUZZ_CHECK(strcmp(shown, again) == 0);
	}
}

static void check_line(struct options *options, const char *line)
{
	static struct options before;
	char message[OPTION_MESSAGE_BYTES] = "";
	before = *options;
	if (options_parse_line(options, line, message))
		return;
	fuzz_check_message(message);
	FUZZ_CHECK(memcmp(&before, options, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct options options;
	char *text = fuzz_copy_text(data, size), *rest = text;
	memset(&options, 0, sizeof options);
	options_set_defaults(&options);
	while (rest != NULL)
		check_line(&options, strsep(&rest, "\n"));
	check_shown(&options);
	options_settle(&options);
	options_match_list(options.only, "octave-cli");
	options_match_list(options.except, "");
	check_shown(&options);
	free(text);
	return 0;
}
