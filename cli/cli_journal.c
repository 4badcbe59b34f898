/* cli_journal.c - a strict little reader of our own records */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_journal.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { JOURNAL_DEPTH = 2 };

static const struct journal_key {
	const char *name;
	bool is_word;
	size_t offset;
} journal_keys[] = {
	{"symbol", true, offsetof(struct cli_journal, symbol)},
	{"target", true, offsetof(struct cli_journal, target)},
	{"reason", true, offsetof(struct cli_journal, reason)},
	{"bytes", false, offsetof(struct cli_journal, bytes)},
	{"predicted_cpu_ns", false, offsetof(struct cli_journal, predicted_cpu_ns)},
	{"predicted_gpu_ns", false, offsetof(struct cli_journal, predicted_gpu_ns)},
	{"elapsed_ns", false, offsetof(struct cli_journal, elapsed_ns)},
};
enum { JOURNAL_KEYS = sizeof journal_keys / sizeof journal_keys[0] };

/* seen: a bit per key. */
struct journal_reader {
	const char *at;
	struct cli_journal *journal;
	unsigned seen;
};

static bool cli_journal_take(struct journal_reader *reader, char letter)
{
	if (*reader->at != letter)
		return false;
	reader->at++;
	return true;
}

/* Text with its quotes; escapes stay as they are, but for \" and \\. */
static bool cli_journal_take_word(struct journal_reader *reader, char out[CLI_JOURNAL_WORD_BYTES])
{
	size_t used = 0;
	if (!cli_journal_take(reader, '"'))
		return false;
	while (*reader->at != '"') {
		if ((unsigned char)*reader->at < ' ' || used + 2 > CLI_JOURNAL_WORD_BYTES)
			return false;
		if (*reader->at == '\\' && (reader->at[1] == '"' || reader->at[1] == '\\'))
			reader->at++;
		out[used++] = *reader->at++;
	}
	out[used] = '\0';
	return cli_journal_take(reader, '"');
}

static bool cli_journal_take_number(struct journal_reader *reader, int64_t *value)
{
	char *end = NULL;
	const char first = reader->at[0] == '-' ? reader->at[1] : reader->at[0];
	if (first < '0' || first > '9')
		return false;
	errno = 0;
	*value = strtoll(reader->at, &end, 10);
	reader->at = end;
	return errno == 0;
}

/* The key of a record's own level that is wanted, or -1. */
static int cli_journal_find_key(const char *name, int depth)
{
	for (int i = 0; depth == 0 && i < JOURNAL_KEYS; i++)
		if (strcmp(journal_keys[i].name, name) == 0)
			return i;
	return -1;
}

static bool cli_journal_keep(struct journal_reader *reader, int key, bool is_word, const char *word, int64_t number)
{
	char *field = (char *)reader->journal + journal_keys[key].offset;
	if (journal_keys[key].is_word != is_word || (reader->seen & 1u << key) != 0)
		return false;
	reader->seen |= 1u << key;
	if (is_word)
		memcpy(field, word, CLI_JOURNAL_WORD_BYTES);
	else
		memcpy(field, &number, sizeof number);
	return true;
}

/* Nested at most JOURNAL_DEPTH deep. */
static bool cli_journal_take_object(struct journal_reader *reader, int depth);

static bool cli_journal_take_member(struct journal_reader *reader, int depth)
{
	char name[CLI_JOURNAL_WORD_BYTES], word[CLI_JOURNAL_WORD_BYTES] = "";
	int64_t number = 0;
	if (!cli_journal_take_word(reader, name) || !cli_journal_take(reader, ':'))
		return false;
	const int key = cli_journal_find_key(name, depth);
	if (*reader->at == '{')
		return key < 0 && cli_journal_take_object(reader, depth + 1);
	const bool is_word = *reader->at == '"';
	if (is_word ? !cli_journal_take_word(reader, word) : !cli_journal_take_number(reader, &number))
		return false;
	return key < 0 || cli_journal_keep(reader, key, is_word, word, number);
}

static bool cli_journal_take_object(struct journal_reader *reader, int depth)
{
	if (depth >= JOURNAL_DEPTH || !cli_journal_take(reader, '{'))
		return false;
	if (cli_journal_take(reader, '}'))
		return true;
	do
		if (!cli_journal_take_member(reader, depth))
			return false;
	while (cli_journal_take(reader, ','));
	return cli_journal_take(reader, '}');
}

bool cli_journal_parse(struct cli_journal *journal, const char *line)
{
	struct journal_reader reader = {.at = line, .journal = journal};
	*journal = (struct cli_journal){.bytes = 0};
	if (!cli_journal_take_object(&reader, 0))
		return false;
	cli_journal_take(&reader, '\n');
	return *reader.at == '\0' && reader.seen == (1u << JOURNAL_KEYS) - 1;
}
