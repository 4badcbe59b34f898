/* front_words.c - reads the words of launchers by the table of their options */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/front_words.h"

#include <string.h>

/* FRONT_DEPTH: commands in front of each other. Values below 0 are those of front.def. */
enum { FRONT_DEPTH = 8, FRONT_UNKNOWN = -3, FRONT_LISTED = -2, FRONT_FILE = -1 };

static const struct front_row {
	enum front_kind kind;
	const char *name;
	int words;
} front_rows[] = {
#define FRONT(kind, name, words) {FRONT_##kind, name, words},
#include "cli/process/front.def"
};

static const struct front_option {
	enum front_kind kind;
	const char *name;
	int values;
} front_options[] = {
#define FRONT_OPTION(kind, name, values) {FRONT_##kind, name, values},
#include "cli/process/front.def"
};

static const struct front_row *front_words_find_row(const char *word)
{
	const char *slash = strrchr(word, '/'), *name = slash != NULL ? slash + 1 : word;
	for (size_t i = 0; i < sizeof front_rows / sizeof front_rows[0]; i++)
		if (strcmp(front_rows[i].name, name) == 0)
			return &front_rows[i];
	return NULL;
}

static bool front_words_is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0';
}

static const char *front_words_skip_dashes(const char *word)
{
	return word + (word[0] == '-') + (word[0] == '-' && word[1] == '-');
}

static int front_words_look_up(enum front_kind kind, const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof front_options / sizeof front_options[0]; i++)
		if (front_options[i].kind == kind && strlen(front_options[i].name) == length &&
		    memcmp(front_options[i].name, name, length) == 0)
			return front_options[i].values;
	return FRONT_UNKNOWN;
}

/* How many words follow the option; a negative number as in front.def, or FRONT_UNKNOWN. */
static int front_words_count_values(enum front_kind kind, const char *word)
{
	const char *name = front_words_skip_dashes(word);
	const int values = front_words_look_up(kind, name, strlen(name));
	if (values != FRONT_UNKNOWN)
		return values;
	if (strchr(name, '=') != NULL)
		return 0;
	/* -n4: a letter, and its value. */
	const bool joined = kind != FRONT_MPI && name == word + 1 && name[0] != '\0';
	return joined && front_words_look_up(kind, name, 1) == 1 ? 0 : FRONT_UNKNOWN;
}

/* A colon ends what belongs to one program. */
static bool front_words_is_end(const char *word)
{
	return word == NULL || strcmp(word, ":") == 0;
}

static bool front_words_can_run(const char *word)
{
	static struct program_file program;
	program_file_inspect(&program, word);
	return program.error == 0;
}

/* words: the command's own words that still have to come. unsure: an option was unknown. */
struct front_reader {
	const struct front_row *row;
	struct front_words *front;
	int words;
	bool unsure, listed;
};

/* Takes an option with its values; returns the last of these words. */
static char *const *front_words_take_option(struct front_reader *reader, char *const *at)
{
	int values = front_words_count_values(reader->row->kind, *at);
	if (values == FRONT_FILE && strchr(*at, '=') == NULL && at[1] != NULL)
		reader->front->list = at[1];
	else if (values == FRONT_FILE)
		reader->front->list = front_words_find_value(at);
	reader->listed = reader->listed || values == FRONT_LISTED;
	reader->unsure = reader->unsure || values == FRONT_UNKNOWN;
	values = values == FRONT_FILE ? 1 : values;
	for (; values > 0 && !front_words_is_end(at[1]); values--)
		at++;
	return at;
}

/* env's assignments, and the words of the command itself. */
static bool front_words_is_own(struct front_reader *reader, const char *word)
{
	if (strcmp(reader->row->name, "env") == 0 && strchr(word, '=') != NULL)
		return true;
	return reader->words > 0 && reader->words-- > 0;
}

/*
 * The first word behind the command's options and own words; at its end where there is none. Behind
 * an unknown option it is the first that can be run; where none can, the first.
 */
static char *const *front_words_skip(struct front_reader *reader, char *const *at)
{
	char *const *first = NULL;
	for (; !front_words_is_end(*at); at++) {
		if (strcmp(*at, "--") == 0)
			return at + 1;
		if (front_words_is_option(*at)) {
			at = front_words_take_option(reader, at);
			continue;
		}
		if (front_words_is_own(reader, *at))
			continue;
		first = first != NULL ? first : at;
		if (!reader->unsure || reader->listed || front_words_can_run(*at))
			return at;
	}
	return first != NULL ? first : at;
}

static bool front_words_has_more(char *const *at)
{
	while (*at != NULL && strcmp(*at, ":") != 0)
		at++;
	return *at != NULL;
}

struct front_words front_words_find(char *const *words)
{
	struct front_words front = {.kind = FRONT_NONE};
	char *const *at = words;
	for (int depth = 0; depth < FRONT_DEPTH && !front_words_is_end(*at); depth++) {
		const struct front_row *row = front_words_find_row(*at);
		struct front_reader reader = {.row = row, .front = &front};
		if (row == NULL)
			break;
		reader.words = row->words;
		if (row->kind != FRONT_PREFIX && front.launcher == NULL) {
			front.kind = row->kind;
			front.launcher = at;
		}
		at = front_words_skip(&reader, at + 1);
		if (reader.listed && !front_words_is_end(*at))
			front.list = *at;
		if (front.list != NULL)
			return front;
	}
	front.program = !front_words_is_end(*at) ? at : front.launcher == NULL ? words : NULL;
	front.several =
		front.kind == FRONT_MPI && front.program != NULL && front_words_has_more(at);
	return front;
}

/* The words of a value may look like options: only what the table leaves is one. */
char *const *front_words_next_option(const struct front_words *front, char *const *from,
                                     const char *name)
{
	const size_t length = strlen(name);
	if (from != front->launcher) {
		const int values = front_words_count_values(front->kind, *from);
		for (int i = 0; i < values && from[1] != NULL; i++)
			from++;
	}
	for (char *const *at = from + 1; !front_words_is_end(*at) && at != front->program; at++) {
		const char *own = front_words_skip_dashes(*at);
		if (front_words_is_option(*at) && strncmp(own, name, length) == 0 &&
		    (own[length] == '\0' || own[length] == '='))
			return at;
		const int values =
			front_words_is_option(*at) ? front_words_count_values(front->kind, *at) : 0;
		for (int i = 0; i < values && at[1] != NULL; i++)
			at++;
	}
	return NULL;
}

const char *front_words_find_value(char *const *option)
{
	const char *equals = strchr(*option, '=');
	if (equals != NULL)
		return equals + 1;
	return option[1] != NULL ? option[1] : "";
}

void front_words_inspect(struct program_file *program, char *const *words)
{
	static struct program_file behind;
	const struct front_words front = front_words_find(words);
	program_file_inspect(program, words[0]);
	/* A static launcher hands LD_PRELOAD on all the same. */
	const bool barred = program->sentence[0] != '\0' && !program->is_static;
	if (program->error != 0 || barred || front.program == NULL || front.program == words)
		return;
	program_file_inspect(&behind, *front.program);
	if (behind.error == 0)
		*program = behind;
}
