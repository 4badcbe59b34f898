/* cli_explain_machine.c - finds the profile, fills its gaps, and remembers which they were */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_explain_machine.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_place.h"
#include "cli/cli_say.h"
#include "policy/number.h"
#include "policy/words.h"
#include "shim/execute/gpu/processors.h"
#include "shim/settings_machine.h"

/* A path, or the name of one of config/machines; to be freed. NULL after a sentence. */
static char *cli_explain_machine_find(const char *name)
{
	char *path = NULL;
	if (strchr(name, '/') == NULL)
		path = cli_place_find_machine(name);
	if (path == NULL && access(name, F_OK) == 0)
		path = cli_say_need(strdup(name));
	if (path == NULL)
		cli_say("there is no machine profile '%s': neither a file nor one of those that come with the shim",
		        name);
	return path;
}

static bool cli_explain_machine_read(struct cli_explain_machine *machine, const char *name,
                                     const struct options *options)
{
	if (name == NULL) {
		machine->found = settings_find_machine(options, &machine->profile);
		return true;
	}
	char *path = cli_explain_machine_find(name);
	machine->found = path != NULL && settings_load_machine(path, &machine->profile);
	if (machine->found && machine->profile.name[0] == '\0')
		snprintf(machine->profile.name, sizeof machine->profile.name, "%s", name);
	free(path);
	return machine->found;
}

bool cli_explain_machine_load(struct cli_explain_machine *machine, const char *name, const struct options *options)
{
	char message[MACHINE_MESSAGE_BYTES];
	struct machine here;
	memset(machine, 0, sizeof *machine);
	if (!cli_explain_machine_read(machine, name, options))
		return false;
	settings_describe_machine(&here);
	machine->is_reference = machine->found && (machine->profile.host[0] == '\0' ||
	                                           !machine_holds_for(&machine->profile, &here, message));
	machine->complete = machine->profile;
	machine_assume(&machine->complete, 0, 0);
	/* A profile that was asked for is taken at its word. */
	if (machine->found && (name != NULL || machine_is_measured(&machine->profile)))
		machine->source = EXPERIENCE_MEASURED;
	return true;
}

/* What OpenBLAS and OpenMP are told; 0 where it is nothing. */
static uint64_t cli_explain_machine_read_threads(void)
{
	static const char *const name[] = {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"};
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		const char *value = getenv(name[i]);
		const uint64_t threads = value != NULL ? number_scan_count(value, NULL) : 0;
		if (threads > 0)
			return threads;
	}
	return 0;
}

int cli_explain_machine_threads(const struct cli_explain_machine *machine)
{
	if (machine->is_reference)
		return machine->complete.cpu_threads >= 1 ? (int)machine->complete.cpu_threads : 1;
	const int processors = processors_count("");
	const uint64_t told = cli_explain_machine_read_threads();
	return told > 0 && told < (uint64_t)processors ? (int)told : processors;
}

static bool cli_explain_machine_knows(const struct machine *machine, enum machine_side side, const struct call *call)
{
	return machine_find_rate(machine, side, call->family, call->element, cost_find_size(call), 1) > 0;
}

static void cli_explain_machine_add(struct sentence *sentence, bool assumed, const char *what, bool *more)
{
	if (!assumed)
		return;
	sentence_add(sentence, *more ? ", " : "");
	sentence_add(sentence, what);
	*more = true;
}

void cli_explain_machine_list_assumed(const struct cli_explain_machine *machine, const struct call *call,
                                      char text[CLI_EXPLAIN_ASSUMED_BYTES])
{
	const struct machine *profile = &machine->profile;
	struct sentence sentence = sentence_start(text, CLI_EXPLAIN_ASSUMED_BYTES);
	bool more = false;
	cli_explain_machine_add(&sentence, !cli_explain_machine_knows(profile, MACHINE_CPU, call), "CPU rate", &more);
	cli_explain_machine_add(&sentence, !cli_explain_machine_knows(profile, MACHINE_GPU, call), "GPU rate", &more);
	cli_explain_machine_add(&sentence, profile->link_up_bytes <= 0 || profile->link_down_bytes <= 0, "links",
	                        &more);
	cli_explain_machine_add(&sentence, profile->call_fixed_ns <= 0, "cost of a call", &more);
	cli_explain_machine_add(&sentence, profile->start_ns <= 0, "CUDA's start", &more);
	if (family_is_fft(call->family))
		cli_explain_machine_add(&sentence, profile->fft_plan_ns <= 0, "cuFFT plan", &more);
}
