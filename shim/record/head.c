/* head.c - writes the keys of a process's first record, and inserts them into its line */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/head.h"

#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

#include "policy/text/sentence.h"
#include "shim/libc/program.h"

/* Where the values of head.def come from; the pointers are valid while the head is written. */
struct head_values {
	struct utsname system;
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

void head_write(const struct record_head *head, char out[HEAD_BYTES])
{
	struct head_values values = {
		.program = program_name(), .machine = head->machine, .measured = head->measured};
	struct sentence sentence = sentence_start(out, HEAD_BYTES);
	if (uname(&values.system) != 0)
		values.system.nodename[0] = '\0';
	values.host = values.system.nodename;
#define HEAD(key, help)                                                                            \
	sentence_add(&sentence, "\"" #key "\":\"");                                                \
	head_add_value(&sentence, values.key);                                                     \
	sentence_add(&sentence, "\",");
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
