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
	const char *folder, *part, *machine, *belief, *policy, *share_cpu;
	int fault; /* the only one, or -1: all */
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

/* By machine and seed. */
static bool replay_fault(const struct regret_arguments *arguments, const char *name,
                         const struct call_trace *trace, const struct regret_fault *fault,
                         struct regret_count *count)
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
				fault, &arguments->options, find_belief(arguments->belief)};
			if (!regret_replay(trace, &trial, &outcome)) {
				fprintf(stderr, "regret: there is no memory for %s\n", name);
				return false;
			}
			regret_score_row(name, &trial, &outcome, count);
		}
	}
	return true;
}

static bool replay_trace(const struct regret_arguments *arguments, const char *name,
                         const struct call_trace *trace, struct regret_count counts[])
{
	const struct regret_fault *fault;
	bool fine = true;
	for (int i = 0; (fault = regret_fault_find(i)) != NULL; i++)
		if (arguments->fault < 0 || arguments->fault == i)
			fine = replay_fault(arguments, name, trace, fault, &counts[i]) && fine;
	return fine;
}

/* Cuts the file's suffix off name: the rest names the trace. */
static bool replay_file(const struct regret_arguments *arguments, char *name,
                        struct regret_count counts[])
{
	char path[PATH_BYTES], message[TRACE_MESSAGE_BYTES];
	struct call_trace trace;
	snprintf(path, sizeof path, "%s/%s", arguments->folder, name);
	if (!call_trace_read(path, &trace, message)) {
		fprintf(stderr, "regret: %s\n", message);
		return false;
	}
	name[strlen(name) - (sizeof suffix - 1)] = '\0';
	const bool fine = replay_trace(arguments, name, &trace, counts);
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
	if (options_set(&arguments->options, "policy", arguments->policy, message) &&
	    options_set(&arguments->options, "share_cpu", arguments->share_cpu, message))
		return true;
	fprintf(stderr, "regret: %s\n", message);
	return false;
}

static bool read_arguments(int argc, char **argv, struct regret_arguments *arguments)
{
	bool fine = true;
	*arguments = (struct regret_arguments){.seeds = 1, .policy = "auto", .share_cpu = "off"};
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
		else if (strcmp(argv[i], "--share-cpu") == 0 && more)
			arguments->share_cpu = argv[++i];
		else if (strcmp(argv[i], "--faults") == 0)
			arguments->fault = -1;
		else if (strcmp(argv[i], "--fault") == 0 && more)
			fine = (arguments->fault = regret_fault_name(argv[++i])) >= 0 && fine;
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

/* Replays every trace of the folder. */
static bool replay_folder(const struct regret_arguments *arguments, struct regret_count counts[])
{
	struct dirent **entries;
	bool fine = true;
	const int files = scandir(arguments->folder, &entries, is_trace, alphasort);
	if (files < 0) {
		perror(arguments->folder);
		return false;
	}
	for (int i = 0; i < files; i++) {
		if (arguments->part == NULL || strstr(entries[i]->d_name, arguments->part) != NULL)
			fine = replay_file(arguments, entries[i]->d_name, counts) && fine;
		free(entries[i]);
	}
	free(entries);
	return fine;
}

/* Whether all faults' rows hold. */
static bool tell_counts(const struct regret_arguments *arguments,
                        const struct regret_count counts[])
{
	const struct regret_fault *fault;
	bool holds = true;
	printf("\n");
	for (int i = 0; (fault = regret_fault_find(i)) != NULL; i++) {
		if (arguments->fault >= 0 && arguments->fault != i)
			continue;
		regret_score_end(fault, &counts[i]);
		holds = regret_score_holds(fault, &counts[i]) && holds;
	}
	return holds && regret_score_is_rare(counts);
}

int main(int argc, char **argv)
{
	struct regret_arguments arguments;
	static struct regret_count counts[REGRET_FAULTS_MAX];
	if (!read_arguments(argc, argv, &arguments)) {
		fprintf(stderr, "usage: regret FOLDER [--check] [--only PART OF A NAME] [--machine "
		                "NAME] [--seeds NUMBER]\n"
		                "              [--faults | --fault NAME] [--policy POLICY] "
		                "[--share-cpu SHARE] "
		                "[--tell right|wrong|none]\n");
		return 2;
	}
	for (int i = 0; i < REGRET_FAULTS_MAX; i++)
		counts[i].brief = arguments.fault < 0;
	regret_score_head();
	const bool fine = replay_folder(&arguments, counts);
	const bool holds = tell_counts(&arguments, counts);
	return !fine || (arguments.check && !holds) ? 1 : 0;
}
