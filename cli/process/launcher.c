/* launcher.c - the options of launchers that pass on variables, and that count processes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/launcher.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "policy/text/number.h"
#include "policy/text/words.h"

enum { LAUNCHER_RANKS_MAX = 1 << 24 };

static const char launcher_list[] = "OMPI_MCA_mca_base_env_list",
		  launcher_delimiter[] = "OMPI_MCA_mca_base_env_list_delimiter",
		  launcher_list_option[] = "mca_base_env_list", launcher_preload[] = "LD_PRELOAD";

static const char *launcher_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

const char *launcher_name(const struct front_words *front)
{
	return launcher_base(*front->launcher);
}

bool launcher_queues(const char *word)
{
	const char *name = launcher_base(word);
	return strcmp(name, "sbatch") == 0 || strcmp(name, "qsub") == 0 ||
	       strcmp(name, "bsub") == 0;
}

/* -- variables that are handed over ------------------------------------------------------------ */

/* PRRTE's own commands know no list. */
static bool launcher_knows_list(const struct front_words *front)
{
	const char *name = launcher_name(front);
	return strcmp(name, "prterun") != 0 && strcmp(name, "prun") != 0;
}

/* The list that the user gave as an option: the place of its value; NULL: none. */
static char *const *launcher_find_list(const struct front_words *front)
{
	static const char *const option[] = {"mca", "gmca", "omca", "gomca"};
	for (size_t i = 0; i < sizeof option / sizeof option[0]; i++) {
		char *const *at = front->launcher;
		while ((at = front_words_next_option(front, at, option[i])) != NULL)
			if (at[1] != NULL && at[2] != NULL &&
			    strcmp(at[1], launcher_list_option) == 0)
				return at + 2;
	}
	return NULL;
}

/* Whether an entry of the environment has to reach the ranks; *length is its name's. */
static bool launcher_must_pass(const char *entry, size_t *length)
{
	static const char ours[] = "EPOCHLY_GPU_";
	const char *end = strchr(entry, '=');
	*length = end != NULL ? (size_t)(end - entry) : 0;
	return strncmp(entry, ours, sizeof ours - 1) == 0 ||
	       strncmp(entry, "LD_PRELOAD=", sizeof "LD_PRELOAD") == 0 ||
	       strncmp(entry, "LD_AUDIT=", sizeof "LD_AUDIT") == 0;
}

/* The list with the names, to be freed. Names that appear twice do no harm. */
static char *launcher_join(const struct environment *environment, const char *list)
{
	const char *named = environment_get(environment, launcher_delimiter);
	const char delimiter = named != NULL && named[0] != '\0' ? named[0] : ';';
	char *joined = say_text("%s", list);
	for (size_t i = 0; i < environment->count; i++) {
		size_t length;
		if (!launcher_must_pass(environment->entries[i], &length))
			continue;
		const size_t used = strlen(joined);
		const bool apart = used > 0 && joined[used - 1] != delimiter;
		char *longer = say_text("%s%.*s%.*s", joined, apart ? 1 : 0, &delimiter,
		                        (int)length, environment->entries[i]);
		free(joined);
		joined = longer;
	}
	return joined;
}

static size_t launcher_count_words(char *const *words)
{
	size_t count = 0;
	while (words[count] != NULL)
		count++;
	return count;
}

/* -x NAME for each variable, at this place of the words. */
static char **launcher_add_options(char **words, size_t place,
                                   const struct environment *environment)
{
	const size_t count = launcher_count_words(words), room = 2 * environment->count;
	const size_t behind = count - place + 1;
	char **longer = say_need(realloc(words, (count + room + 1) * sizeof *longer));
	for (size_t i = 0; i < environment->count; i++) {
		size_t length;
		if (!launcher_must_pass(environment->entries[i], &length))
			continue;
		memmove(longer + place + 2, longer + place, behind * sizeof *longer);
		longer[place++] = say_text("-x");
		longer[place++] = say_text("%.*s", (int)length, environment->entries[i]);
	}
	return longer;
}

static char **launcher_copy(char *const *words)
{
	const size_t count = launcher_count_words(words);
	char **copy = say_need(calloc(count + 1, sizeof *copy));
	for (size_t i = 0; i < count; i++)
		copy[i] = say_text("%s", words[i]);
	return copy;
}

void launcher_free_words(char **words)
{
	for (size_t i = 0; words != NULL && words[i] != NULL; i++)
		free(words[i]);
	free(words);
}

static void launcher_set_list(struct environment *environment)
{
	const char *named = environment_get(environment, launcher_list);
	char *joined = launcher_join(environment, named != NULL ? named : "");
	environment_set(environment, launcher_list, joined);
	free(joined);
}

char **launcher_forward(const struct front_words *front, char *const *words,
                        struct environment *environment)
{
	char **copy = launcher_copy(words);
	if (front->kind != FRONT_MPI)
		return copy;
	char *const *list = launcher_find_list(front);
	const bool by_option = front_words_next_option(front, front->launcher, "x") != NULL &&
	                       environment_get(environment, launcher_list) == NULL;
	if (!launcher_knows_list(front) || (list == NULL && by_option))
		return launcher_add_options(copy, (size_t)(front->launcher - words) + 1,
		                            environment);
	if (list == NULL) {
		launcher_set_list(environment);
		return copy;
	}
	char **value = &copy[list - words];
	char *joined = launcher_join(environment, *value);
	free(*value);
	*value = joined;
	return copy;
}

/* -- what keeps variables from the ranks ------------------------------------------------------- */

/* Whether a list such as "ALL,A=b,C" has this word, with or without a value. */
static bool launcher_lists(const char *list, const char *name)
{
	struct words rest = words_of(list);
	while (rest.text != NULL) {
		struct words entry = words_next(&rest, ',');
		if (words_equal(words_next(&entry, '='), words_of(name)))
			return true;
	}
	return false;
}

/* Of srun's: "ALL", or a list, hands the variable on. */
static bool launcher_exports(const char *list)
{
	return launcher_lists(list, "ALL") || launcher_lists(list, launcher_preload);
}

static char *launcher_refuse_slurm(const struct front_words *front, const char *variable)
{
	char *const *option = front_words_next_option(front, front->launcher, "export");
	if (option != NULL && !launcher_exports(front_words_find_value(option)))
		return say_text("--export=%s", front_words_find_value(option));
	if (option == NULL && variable != NULL && !launcher_exports(variable))
		return say_text("SLURM_EXPORT_ENV=%s", variable);
	return NULL;
}

/* Hydra hands all variables on unless it is told otherwise. */
static char *launcher_refuse_hydra(const struct front_words *front)
{
	static const char *const none[] = {"genvnone", "envnone"}, *const lists[] = {"genvlist",
	                                                                             "envlist"};
	for (int i = 0; i < 2; i++)
		if (front_words_next_option(front, front->launcher, none[i]) != NULL)
			return say_text("-%s", none[i]);
	for (int i = 0; i < 2; i++) {
		char *const *option = front_words_next_option(front, front->launcher, lists[i]);
		if (option != NULL &&
		    !launcher_lists(front_words_find_value(option), launcher_preload))
			return say_text("-%s %s", lists[i], front_words_find_value(option));
	}
	return NULL;
}

char *launcher_find_obstacle(const struct front_words *front, const char *slurm_export)
{
	switch (front->kind) {
	case FRONT_SLURM: return launcher_refuse_slurm(front, slurm_export);
	case FRONT_MPI: return launcher_refuse_hydra(front);
	default: return NULL;
	}
}

/* -- ranks ------------------------------------------------------------------------------------- */

static uint64_t launcher_read_count(const char *text)
{
	const char *end = "";
	const uint64_t count = number_scan_count(text, &end);
	return *end == '\0' && count < LAUNCHER_RANKS_MAX ? count : 0;
}

uint64_t launcher_count_ranks(const struct front_words *front)
{
	static const char *const option[] = {"n", "np", "ntasks"};
	uint64_t count = 0;
	if (front->launcher == NULL || front->several)
		return 0;
	for (size_t i = 0; i < sizeof option / sizeof option[0]; i++) {
		char *const *at = front_words_next_option(front, front->launcher, option[i]);
		if (at != NULL)
			count = launcher_read_count(front_words_find_value(at));
	}
	return count;
}
