/* environment.c - copies, sets and removes variables */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

static bool environment_is_name(const char *entry, const char *name)
{
	const size_t length = strlen(name);
	return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* Takes ownership of entry. */
static void environment_add(struct environment *environment, char *entry)
{
	const size_t size = (environment->count + 2) * sizeof *environment->entries;
	environment->entries = say_need(realloc(environment->entries, size));
	environment->entries[environment->count++] = entry;
	environment->entries[environment->count] = NULL;
}

void environment_copy(struct environment *environment, char *const *entries)
{
	environment->count = 0;
	environment->entries = say_need(calloc(1, sizeof *environment->entries));
	for (; *entries != NULL; entries++)
		environment_add(environment, say_need(strdup(*entries)));
}

void environment_free(struct environment *environment)
{
	for (size_t i = 0; i < environment->count; i++)
		free(environment->entries[i]);
	free(environment->entries);
	*environment = (struct environment){0};
}

const char *environment_get(const struct environment *environment, const char *name)
{
	for (size_t i = 0; i < environment->count; i++)
		if (environment_is_name(environment->entries[i], name))
			return environment->entries[i] + strlen(name) + 1;
	return NULL;
}

void environment_remove(struct environment *environment, const char *name)
{
	size_t kept = 0;
	for (size_t i = 0; i < environment->count; i++) {
		if (environment_is_name(environment->entries[i], name))
			free(environment->entries[i]);
		else
			environment->entries[kept++] = environment->entries[i];
	}
	environment->count = kept;
	environment->entries[kept] = NULL;
}

void environment_set(struct environment *environment, const char *name, const char *value)
{
	char *entry = say_text("%s=%s", name, value);
	environment_remove(environment, name);
	environment_add(environment, entry);
}

void environment_set_option(struct environment *environment, const char *key, const char *value)
{
	char *name = say_text("EPOCHLY_GPU_%s", key);
	for (char *letter = name; *letter != '\0'; letter++) {
		if (*letter >= 'a' && *letter <= 'z')
			*letter = (char)(*letter - 'a' + 'A');
		else if (*letter == '-')
			*letter = '_';
	}
	environment_set(environment, name, value);
	free(name);
}

/*
 * A variable with a list of paths that the loader reads, the characters between the paths, and the
 * file name of our library in the list.
 */
struct environment_list {
	const char *variable, *separators, *file;
};

static bool environment_is_file(const char *path, const char *file)
{
	const char *slash = strrchr(path, '/');
	return strcmp(slash != NULL ? slash + 1 : path, file) == 0;
}

/* Removes every path with our file name and puts path first, unless path is NULL. */
static void environment_set_list(struct environment *environment,
                                 const struct environment_list *which, const char *path)
{
	const char *present = environment_get(environment, which->variable);
	char *rest = say_need(strdup(present != NULL ? present : "")), *state = NULL;
	char *list = say_need(strdup(path != NULL ? path : ""));
	for (char *part = strtok_r(rest, which->separators, &state); part != NULL;
	     part = strtok_r(NULL, which->separators, &state)) {
		if (environment_is_file(part, which->file))
			continue;
		char *longer = say_text("%s%s%s", list, list[0] != '\0' ? ":" : "", part);
		free(list);
		list = longer;
	}
	if (list[0] != '\0')
		environment_set(environment, which->variable, list);
	else
		environment_remove(environment, which->variable);
	free(list);
	free(rest);
}

void environment_preload(struct environment *environment, const char *shim)
{
	static const struct environment_list preload = {"LD_PRELOAD", ": ", "libgpushim.so"};
	environment_set_list(environment, &preload, shim);
}

void environment_audit(struct environment *environment, const char *audit)
{
	static const struct environment_list list = {"LD_AUDIT", ":", "libgpushim-audit.so"};
	environment_set_list(environment, &list, audit);
}

void environment_count(struct environment *environment, const char *coverage)
{
	static const struct environment_list list = {"LD_AUDIT", ":", "libgpushim-coverage.so"};
	environment_set_list(environment, &list, coverage);
}
