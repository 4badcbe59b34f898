/* head.c - writes the keys of a process's first record, and inserts them into its line */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/head.h"

#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

#include "policy/decide/launch.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "shim/base/variables.h"
#include "shim/libc/program.h"

/* Where the values of head.def come from; the pointers are valid while the head is written. */
struct head_values {
	struct utsname system;
	struct launch_world world;
	char number[3][NUMBER_DIGITS_BYTES];
#define HEAD(key, help) const char *key;
#include "shim/record/head.def"
};

static bool head_continues(const char *at)
{
	return ((unsigned char)*at & 0xc0) == 0x80;
}

/*
 * The bytes of the character in UTF-8 beyond ASCII that text begins with; 0 if it is none: another
 * encoding, a longer form than needed, half of a surrogate pair.
 */
static size_t head_count_utf8(const char *text)
{
	const unsigned lead = (unsigned char)text[0], next = (unsigned char)text[1];
	const size_t length = lead >= 0xf5   ? 0
	                      : lead >= 0xf0 ? 4
	                      : lead >= 0xe0 ? 3
	                      : lead >= 0xc2 ? 2
	                                     : 0;
	if ((lead == 0xe0 && next < 0xa0) || (lead == 0xed && next >= 0xa0) ||
	    (lead == 0xf0 && next < 0x90) || (lead == 0xf4 && next >= 0x90))
		return 0;
	for (size_t i = 1; i < length; i++)
		if (!head_continues(text + i))
			return 0;
	return length;
}

/* As JSON: quotes are escaped; controls, and bytes that are not UTF-8, become '?'. */
static void head_add_value(struct sentence *sentence, const char *text)
{
	char value[HEAD_VALUE_BYTES];
	size_t used = 0;
	while (*text != '\0' && used + 4 < sizeof value) {
		const size_t length = (unsigned char)*text >= 0x80 ? head_count_utf8(text) : 1;
		const bool fine = length > 1 || (*text >= ' ' && *text <= '~');
		if (*text == '"' || *text == '\\')
			value[used++] = '\\';
		memcpy(value + used, fine ? text : "?", fine ? length : 1);
		used += fine ? length : 1;
		text += length > 0 ? length : 1;
	}
	sentence_add_words(sentence, words_make(value, used));
}

/* Empty for a number below 0. */
static const char *head_format_number(int number, char out[NUMBER_DIGITS_BYTES])
{
	out[0] = '\0';
	if (number >= 0)
		number_format_count((uint64_t)number, out);
	return out;
}

static void head_find_launch(struct head_values *values)
{
	values->world = launch_describe_world(variables_find);
	const struct launch_world *world = &values->world;
	const bool ranked = world->rank >= 0;
	const int local_rank = ranked ? launch_describe(variables_find).rank : -1;
	values->rank = head_format_number(world->rank, values->number[0]);
	values->size = head_format_number(ranked ? world->size : -1, values->number[1]);
	values->local_rank = head_format_number(local_rank, values->number[2]);
	values->launcher = world->launcher;
	values->job = world->job;
	values->step = world->step;
}

static void head_add(struct sentence *sentence, const char *key, const char *text)
{
	sentence_add(sentence, "\"");
	sentence_add(sentence, key);
	sentence_add(sentence, "\":\"");
	head_add_value(sentence, text);
	sentence_add(sentence, "\",");
}

void head_write(const struct record_head *head, char out[HEAD_BYTES])
{
	struct head_values values = {
		.program = program_name(), .machine = head->machine, .measured = head->measured};
	struct sentence sentence = sentence_start(out, HEAD_BYTES);
	head_find_launch(&values);
	if (uname(&values.system) != 0)
		values.system.nodename[0] = '\0';
	values.host = values.system.nodename;
#define HEAD(key, help) head_add(&sentence, #key, values.key);
#define HEAD_MAYBE(key, help)                                                                      \
	if (values.key[0] != '\0')                                                                 \
		head_add(&sentence, #key, values.key);
#include "shim/record/head.def"
}

size_t head_insert(const char *head, const char *line, size_t size, char *out, size_t room)
{
	const size_t length = strlen(head);
	size_t at = 0;
	for (int comma = 0; comma < 3; comma++) {
		const char *found = memchr(line + at, ',', size - at);
		if (found == NULL)
			return 0;
		at = (size_t)(found + 1 - line);
	}
	if (size + length > room)
		return 0;
	memcpy(out, line, at);
	memcpy(out + at, head, length);
	memcpy(out + at + length, line + at, size - at);
	return size + length;
}
