/* regret.c - time that the policy auto loses against better choices, on virtual clocks */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/regret/regret_score.h"

enum { PATH_BYTES = 4096, SEED_FIRST = 2026 };
static const char suffix[] = ".trace";

struct regret_arguments {
	const char *folder, *part, *machine, *belief, *policy;
	bool check;
	uint64_t first, seeds;
	struct options options;
};

static int is_trace(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name), least = sizeof suffix - 1;
	return length > least && strcmp(entry->d_name + length - least, suffix) == 0;
}

static int find_belief(const char *name)
{
	static const char *const names[REGRET_BELIEFS] = {"right", "wrong", "none"};
	for (int belief = 0; name != NULL && belief < REGRET_BELIEFS; belief++)
		if (strcmp(name, names[belief]) == 0)
			return belief;
	return -1;
}

static bool replay_trace(const struct regret_arguments *arguments, const char *name,
                         const struct call_trace *trace, struct regret_count *count)
{
	static struct regret_outcome outcome;
	for (int machine = 0; machine < REGRET_MACHINES; machine++) {
		if (arguments->machine != NULL &&
		    strcmp(arguments->machine, regret_machine_name(machine)) != 0)
			continue;
		for (uint64_t seed = arguments->first; seed < arguments->first + arguments->seeds;
		     seed++) {
			const struct regret_trial trial = {
				machine, SEED_FIRST + REGRET_MACHINES * seed + (uint64_t)machine,
				&arguments->options, find_belief(arguments->belief)};
			if (!regret_replay(trace, &trial, &outcome)) {
				fprintf(stderr, "regret: there is no memory for %s\n", name);
				return false;
			}
			regret_score_row(name, machine, &outcome, count);
		}
	}
	return true;
}

/* Cuts the file's suffix off name: the rest names the trace. */
static bool replay_file(const struct regret_arguments *arguments, char *name,
                        struct regret_count *count)
{
	char path[PATH_BYTES], message[TRACE_MESSAGE_BYTES];
	struct call_trace trace;
	snprintf(path, sizeof path, "%s/%s", arguments->folder, name);
	if (!call_trace_read(path, &trace, message)) {
		fprintf(stderr, "regret: %s\n", message);
		return false;
	}
	name[strlen(name) - (sizeof suffix - 1)] = '\0';
	const bool fine = replay_trace(arguments, name, &trace, count);
	call_trace_free(&trace);
	return fine;
}

static bool read_number(const char *text, uint64_t *number)
{
	char *end;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && *end == '\0';
}

static bool set_policy(struct regret_arguments *arguments)
{
	char message[OPTION_MESSAGE_BYTES];
	options_set_defaults(&arguments->options);
	if (options_set(&arguments->options, "policy", arguments->policy, message))
		return true;
	fprintf(stderr, "regret: %s\n", message);
	return false;
}

static bool read_arguments(int argc, char **argv, struct regret_arguments *arguments)
{
	bool fine = true;
	*arguments = (struct regret_arguments){.seeds = 1, .policy = "auto"};
	for (int i = 1; i < argc; i++) {
		const bool more = i + 1 < argc;
		if (strcmp(argv[i], "--check") == 0)
			arguments->check = true;
		else if (strcmp(argv[i], "--only") == 0 && more)
			arguments->part = argv[++i];
		else if (strcmp(argv[i], "--machine") == 0 && more)
			arguments->machine = argv[++i];
		else if (strcmp(argv[i], "--tell") == 0 && more)
			arguments->belief = argv[++i];
		else if (strcmp(argv[i], "--seeds") == 0 && more)
			fine = read_number(argv[++i], &arguments->seeds) && fine;
		else if (strcmp(argv[i], "--policy") == 0 && more)
			arguments->policy = argv[++i];
		else if (strcmp(argv[i], "--first") == 0 && more)
			fine = read_number(argv[++i], &arguments->first) && fine;
		else if (argv[i][0] != '-' && arguments->folder == NULL)
			arguments->folder = argv[i];
		else
			return false;
	}
	return fine && arguments->folder != NULL && arguments->seeds > 0 &&
	       (arguments->belief == NULL || find_belief(arguments->belief) >= 0) &&
	       set_policy(arguments);
}

int main(int argc, char **argv)
{
	struct regret_arguments arguments;
	struct dirent **entries;
	struct regret_count count = {0};
	bool fine = true;
	if (!read_arguments(argc, argv, &arguments)) {
		fprintf(stderr, "usage: regret FOLDER [--check] [--only PART OF A NAME] [--machine "
		                "NAME] [--seeds NUMBER]\n"
		                "              [--policy POLICY] [--tell right|wrong|none]\n");
		return 2;
	}
	const int files = scandir(arguments.folder, &entries, is_trace, alphasort);
	if (files < 0) {
		perror(arguments.folder);
		return 1;
	}
	regret_score_head();
	for (int i = 0; i < files; i++) {
		if (arguments.part == NULL || strstr(entries[i]->d_name, arguments.part) != NULL)
			fine = replay_file(&arguments, entries[i]->d_name, &count) && fine;
		free(entries[i]);
	}
	free(entries);
	regret_score_end(&count);
	return !fine || (arguments.check && (count.failed > 0 || count.rows == 0)) ? 1 : 0;
}
