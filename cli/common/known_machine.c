/* known_machine.c - finds a machine profile, and fills its gaps by assumptions */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/known_machine.h"

#include <float.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "policy/text/number.h"
#include "policy/text/sentence.h"
#include "shim/execute/gpu/node/device_nodes.h"
#include "shim/execute/gpu/node/processors.h"
#include "shim/settings/settings_machine.h"

/* The names of the profiles that come with the shim, in one text; to be freed. */
static char *known_machine_join_names(void)
{
	char *text = say_text("%s", "");
	for (char **name = install_paths_list_machines(); *name != NULL; name++) {
		char *longer = say_text("%s%s %s", text, text[0] == '\0' ? ":" : ",", *name);
		free(text);
		text = longer;
	}
	return text;
}

char *known_machine_find(const char *name)
{
	char *path = NULL;
	if (strchr(name, '/') == NULL)
		path = install_paths_find_machine(name);
	if (path == NULL && access(name, F_OK) == 0)
		path = say_need(strdup(name));
	if (path == NULL) {
		char *names = known_machine_join_names();
		say("there is no machine profile '%s': neither a file nor one of those that come "
		    "with the shim%s",
		    name, names);
		free(names);
	}
	return path;
}

static bool known_machine_read(struct known_machine *machine, const char *name,
                               const struct options *options)
{
	if (name == NULL) {
		/* As a dry run finds it. */
		static struct options of_dry;
		of_dry = *options;
		of_dry.policy = POLICY_DRY;
		routine_policy_clear(&of_dry.policies);
		machine->found = settings_machine_find_machine(&of_dry, &machine->profile);
		machine->is_named = options->profile[0] != '\0';
		return true;
	}
	machine->is_named = machine->is_asked = true;
	char *path = known_machine_find(name);
	machine->found = path != NULL && settings_machine_load_machine(path, &machine->profile);
	if (machine->found && machine->profile.name[0] == '\0')
		snprintf(machine->profile.name, sizeof machine->profile.name, "%s", name);
	free(path);
	return machine->found;
}

/* Fills what follows from the profile. A profile is believed as if it was measured here. */
static void known_machine_complete(struct known_machine *machine)
{
	char message[MACHINE_MESSAGE_BYTES];
	struct machine here;
	settings_machine_describe_machine(&here);
	machine->is_reference =
		machine->found && (machine->profile.host[0] == '\0' ||
	                           !machine_holds_for(&machine->profile, &here, message));
	machine->complete = machine->profile;
	machine_assume(&machine->complete, 0, 0);
	machine->source = machine->found ? EXPERIENCE_MEASURED : EXPERIENCE_ASSUMED;
	machine->here.absence = device_nodes_find_absence("");
	machine->here.is_it = machine->found && !machine->is_reference;
}

bool known_machine_load(struct known_machine *machine, const char *name,
                        const struct options *options)
{
	memset(machine, 0, sizeof *machine);
	if (!known_machine_read(machine, name, options))
		return false;
	known_machine_complete(machine);
	return true;
}

static bool known_machine_is_called(const char *path, struct words name, struct machine *profile)
{
	return settings_machine_load_machine(path, profile) &&
	       words_equal(name, words_of(profile->name));
}

bool known_machine_load_called(struct known_machine *machine, struct words name)
{
	static struct machine profile;
	char *first = install_paths_find_machine("h200");
	glob_t found = {0};
	bool is_there = false;
	if (first != NULL) {
		char *all = say_text("%.*s/*.conf", (int)(strrchr(first, '/') - first), first);
		if (glob(all, 0, NULL, &found) == 0)
			for (size_t i = 0; i < found.gl_pathc && !is_there; i++)
				is_there =
					known_machine_is_called(found.gl_pathv[i], name, &profile);
		globfree(&found);
		free(all);
	}
	free(first);
	if (!is_there)
		return false;
	*machine = (struct known_machine){.profile = profile, .found = true};
	known_machine_complete(machine);
	return true;
}

/* The threads that the environment allows OpenBLAS or OpenMP; 0 where it does not say. */
static uint64_t known_machine_read_threads(void)
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

int known_machine_threads(const struct known_machine *machine)
{
	if (machine->is_reference && machine->is_named)
		return machine->complete.cpu_threads >= 1 ? (int)machine->complete.cpu_threads : 1;
	const int processors = processors_count("");
	const uint64_t told = known_machine_read_threads();
	return told > 0 && told < (uint64_t)processors ? (int)told : processors;
}

static bool known_machine_knows(const struct machine *machine, enum machine_side side,
                                const struct call *call)
{
	return machine_find_rate(machine, side, call->family, call->element, cost_find_size(call),
	                         1) > 0;
}

static void known_machine_add(struct sentence *sentence, bool assumed, const char *what, bool *more)
{
	if (!assumed)
		return;
	sentence_add(sentence, *more ? ", " : "");
	sentence_add(sentence, what);
	*more = true;
}

void known_machine_list_assumed(const struct known_machine *machine, const struct call *call,
                                char text[KNOWN_MACHINE_ASSUMED_BYTES])
{
	const struct machine *profile = &machine->profile;
	struct sentence sentence = sentence_start(text, KNOWN_MACHINE_ASSUMED_BYTES);
	bool more = false;
	known_machine_add(&sentence, !known_machine_knows(profile, MACHINE_CPU, call), "CPU rate",
	                  &more);
	known_machine_add(&sentence, !known_machine_knows(profile, MACHINE_GPU, call), "GPU rate",
	                  &more);
	known_machine_add(&sentence, profile->link_up_bytes <= 0 || profile->link_down_bytes <= 0,
	                  "links", &more);
	known_machine_add(&sentence, profile->call_fixed_ns <= 0, "cost of a call", &more);
	known_machine_add(&sentence, profile->start_ns <= 0, "CUDA's start", &more);
	if (family_is_fft(call->family))
		known_machine_add(&sentence, profile->fft_plan_ns <= 0, "cuFFT plan", &more);
	if (family_is_lapack(call->family))
		known_machine_add(&sentence, profile->solver_start_ns <= 0, "cuSOLVER's start",
		                  &more);
}

void known_machine_emit(struct emit *emit, const struct known_machine *machine,
                        const struct cost_setting *setting)
{
	const struct machine *profile = &machine->profile;
	const bool named = machine->found && profile->name[0] != '\0';
	emit_open(emit, "machine");
	emit_label(emit, "machine");
	emit_text(emit, "name",
	          named            ? "%s\n"
	          : machine->found ? "this one\n"
	                           : "this one, not measured: `gpushim calibrate` does that\n",
	          profile->name);
	if (machine_is_measured(profile)) {
		emit_label(emit, "");
		emit_print(emit, "measured on %.30s, %.25s\n", profile->host, profile->measured);
	}
	emit_label(emit, "");
	emit_flag(emit, "profile", machine->found);
	emit_flag(emit, "reference", machine->is_reference);
	emit_integer(emit, "threads", setting->cpu_threads == 1 ? "%s thread" : "%s threads",
	             setting->cpu_threads);
	emit_integer(emit, "sharers", setting->gpu_sharers > 1 ? ", %s processes on one GPU" : NULL,
	             setting->gpu_sharers > 1 ? setting->gpu_sharers : 1);
	emit_print(emit, "\n");
	emit_close(emit);
}
