/* schedule_call.c - a call as key=value words */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_call.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *key;
	size_t offset, size_bytes; /* 0: a number */
} call_key[] = {
	{"routine", offsetof(struct schedule_call, routine), SCHEDULE_WORD},
	{"element", offsetof(struct schedule_call, element), 2},
	{"side", offsetof(struct schedule_call, side), 2},
	{"uplo", offsetof(struct schedule_call, uplo), 2},
	{"transa", offsetof(struct schedule_call, transa), 2},
	{"transb", offsetof(struct schedule_call, transb), 2},
	{"m", offsetof(struct schedule_call, m), 0},
	{"n", offsetof(struct schedule_call, n), 0},
	{"k", offsetof(struct schedule_call, k), 0},
	{"beta", offsetof(struct schedule_call, beta), 0},
	{"howmany", offsetof(struct schedule_call, howmany), 0},
	{"in_place", offsetof(struct schedule_call, in_place), 0},
	{"order", offsetof(struct schedule_call, order), SCHEDULE_WORD},
	{"group", offsetof(struct schedule_call, group), 0},
	{"width", offsetof(struct schedule_call, width), 0},
	{"last", offsetof(struct schedule_call, last), 0},
	{"slice", offsetof(struct schedule_call, slice), 0},
	{"memory_mb", offsetof(struct schedule_call, memory_mb), 0},
	{"whole", offsetof(struct schedule_call, whole), 0},
	{"rank", offsetof(struct schedule_call, rank), 0},
	{"l3_mb", offsetof(struct schedule_call, l3_mb), 0},
	{"threads", offsetof(struct schedule_call, threads), 0},
	{"cores", offsetof(struct schedule_call, cores), 0},
	{"copy_gbytes_s", offsetof(struct schedule_call, copy_gbytes_s), 0},
	{"wake_us", offsetof(struct schedule_call, wake_us), 0},
};

enum { CALL_KEYS = sizeof call_key / sizeof call_key[0] };

_Static_assert((int)CALL_KEYS <= (int)SCHEDULE_CALL_WORDS, "as many words as there are keys");

static bool call_read_value(char *field, size_t size_bytes, const char *value)
{
	if (size_bytes > 0)
		return *value != '\0' && snprintf(field, size_bytes, "%s", value) < (int)size_bytes;
	char *end;
	*(int64_t *)field = strtoll(value, &end, 10);
	return *value != '\0' && *end == '\0' && *(int64_t *)field >= 0;
}

bool schedule_call_read(struct schedule_call *call, const char *word)
{
	const size_t length = strcspn(word, "=");
	for (int i = 0; i < CALL_KEYS; i++)
		if (word[length] == '=' && strlen(call_key[i].key) == length &&
		    strncmp(word, call_key[i].key, length) == 0)
			return call_read_value((char *)call + call_key[i].offset,
			                       call_key[i].size_bytes, word + length + 1);
	return false;
}

int schedule_call_write(const struct schedule_call *call, char *text, size_t text_bytes,
                        char *words[SCHEDULE_CALL_WORDS])
{
	size_t used = 0;
	int count = 0;
	for (int i = 0; i < CALL_KEYS; i++) {
		const char *field = (const char *)call + call_key[i].offset;
		const bool number = call_key[i].size_bytes == 0;
		const int64_t value = number ? *(const int64_t *)field : 0;
		char *word = text + used;
		if (number ? value == 0 : *field == '\0')
			continue;
		const int length =
			number ? snprintf(word, text_bytes - used, "%s=%" PRId64, call_key[i].key,
		                          value)
			       : snprintf(word, text_bytes - used, "%s=%s", call_key[i].key, field);
		if (length < 0 || (size_t)length >= text_bytes - used)
			break;
		words[count++] = word;
		used += (size_t)length + 1;
	}
	return count;
}
