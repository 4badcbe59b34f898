/* settings_machine.c - finds and reads the machine profile, and refuses one of another machine */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/settings/settings_machine.h"

#include <limits.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "policy/machine/machine_merge.h"
#include "policy/text/sentence.h"
#include "shim/base/diag.h"
#include "shim/base/loader.h"
#include "shim/base/privilege.h"
#include "shim/execute/gpu/node/device_nodes.h"
#include "shim/execute/gpu/node/kernel_text.h"
#include "shim/settings/settings_file.h"

static const char settings_machine_without[] =
	"the profile is not used; `gpushim calibrate` makes a new one";

static bool settings_machine_parse(void *target, const char *line, char *message)
{
	return machine_parse_line(target, line, message);
}

static const struct settings_purpose settings_for_machine = {
	settings_machine_parse, settings_machine_without, settings_machine_without, true, false};

static bool settings_machine_read(const char *path, bool may_be_missing, struct machine *machine)
{
	char message[MACHINE_MESSAGE_BYTES];
	memset(machine, 0, sizeof *machine);
	const enum settings_outcome outcome =
		settings_file_read(path, &settings_for_machine, machine, may_be_missing);
	if (outcome != SETTINGS_FINE)
		return false;
	if (machine_is_usable(machine, message))
		return true;
	diag_warn("%s: %s; %s", path, message, settings_machine_without);
	return false;
}

static bool settings_machine_is_here(const char *path, const struct machine *machine)
{
	static struct machine here; /* too large for a small stack; called once */
	char message[MACHINE_MESSAGE_BYTES];
	settings_machine_describe_machine(&here);
	if (machine_holds_for(machine, &here, message))
		return true;
	diag_warn("%s: %s; the profile is not used; `gpushim calibrate` measures this machine",
	          path, message);
	return false;
}

/* The file that this code is in: the shim's, or the tool's; the loader has no path of a program. */
static const char *settings_machine_find_own(char path[PATH_MAX])
{
	const char *own = loader_path_of((const void *)settings_machine_without);
	if (own == NULL || own[0] != '\0')
		return own;
	const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (length <= 0)
		return NULL;
	path[length] = '\0';
	return path;
}

/* Folders of reference machines: beside the built shim, and beside lib/ and lib/<multiarch>/. */
static bool settings_machine_find_reference(const char *name, char path[PATH_MAX])
{
	static const char *const folders[] = {"/machines/", "/../share/gpushim/machines/",
	                                      "/../../share/gpushim/machines/"};
	char program[PATH_MAX];
	const char *own = settings_machine_find_own(program);
	const char *slash = own != NULL ? strrchr(own, '/') : NULL;
	for (size_t i = 0; slash != NULL && i < sizeof folders / sizeof *folders; i++) {
		struct sentence sentence = sentence_start(path, PATH_MAX);
		sentence_add_words(&sentence, words_make(own, (size_t)(slash - own)));
		sentence_add(&sentence, folders[i]);
		sentence_add(&sentence, name);
		sentence_add(&sentence, ".conf");
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

static bool settings_machine_has_policy(const struct options *options, enum policy policy)
{
	return routine_policy_is_any(&options->policies, options->policy, policy);
}

/*
 * Whether the options ask about a machine: there is a dry run, and no call goes to a GPU by the
 * profile's figures, as there is none or no policy sends any there.
 */
static bool settings_machine_is_asked(const struct options *options)
{
	return settings_machine_has_policy(options, POLICY_DRY) &&
	       (!device_nodes_exist("") ||
	        !(settings_machine_has_policy(options, POLICY_AUTO) ||
	          settings_machine_has_policy(options, POLICY_ALWAYS) ||
	          settings_machine_has_policy(options, POLICY_THRESHOLD)));
}

/* A file, or if there is none of that name, the reference machine of that name. */
static bool settings_machine_find_named(const struct options *options, struct machine *machine)
{
	char path[PATH_MAX];
	const char *named = options->profile;
	if (strchr(named, '/') == NULL && access(named, F_OK) != 0) {
		if (!settings_machine_find_reference(named, path)) {
			diag_warn("there is neither a file nor a reference machine '%s'; "
			          "the profile is not used",
			          named);
			return false;
		}
		named = path;
	}
	return settings_machine_read(named, false, machine) &&
	       (settings_machine_is_asked(options) || settings_machine_is_here(named, machine));
}

/*
 * Where no GPU is and a dry run names none, it asks about the reference machine; what was measured
 * of this machine, without a GPU, is kept.
 */
static bool settings_machine_complete(struct machine *machine, bool found)
{
	static const char name[] = "h200";
	static struct machine reference;
	char path[PATH_MAX];
	if (found && machine->link_up_bytes > 0)
		return true;
	if (!settings_machine_find_reference(name, path) ||
	    !settings_machine_read(path, true, &reference))
		return found;
	if (!found) {
		*machine = reference;
		return true;
	}
	machine->name[0] = machine->host[0] = machine->measured[0] = '\0';
	machine_merge_complete(machine, &reference);
	return true;
}

static bool settings_machine_find_here(struct machine *machine)
{
	char path[PATH_MAX];
	return settings_machine_path(path, sizeof path) &&
	       settings_machine_read(path, true, machine) &&
	       settings_machine_is_here(path, machine);
}

static bool settings_machine_find(const struct options *options, struct machine *machine)
{
	if (privilege_is_raised())
		return false;
	if (options->profile[0] != '\0')
		return settings_machine_find_named(options, machine);
	const bool found = settings_machine_find_here(machine);
	return settings_machine_is_asked(options) && !device_nodes_exist("")
	               ? settings_machine_complete(machine, found)
	               : found;
}

bool settings_machine_find_machine(const struct options *options, struct machine *machine)
{
	int cancel_state, saved_errno;
	settings_file_begin(&cancel_state, &saved_errno);
	const bool found = settings_machine_find(options, machine);
	settings_file_end(cancel_state, saved_errno);
	if (!found)
		memset(machine, 0, sizeof *machine);
	return found;
}

bool settings_machine_load_machine(const char *path, struct machine *machine)
{
	int cancel_state, saved_errno;
	settings_file_begin(&cancel_state, &saved_errno);
	const bool fine = settings_machine_read(path, false, machine);
	settings_file_end(cancel_state, saved_errno);
	if (!fine)
		memset(machine, 0, sizeof *machine);
	return fine;
}

/* Per host: the nodes of a cluster may share their users' folders. */
bool settings_machine_path(char *path, size_t size)
{
	char name[sizeof(struct utsname)];
	struct utsname system;
	struct sentence sentence = sentence_start(name, sizeof name);
	sentence_add(&sentence, "machine-");
	sentence_add(&sentence, uname(&system) == 0 ? system.nodename : "");
	for (char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash, '/'))
		*slash = '-';
	sentence_add(&sentence, ".conf");
	return settings_file_find("XDG_CACHE_HOME", "/.cache", name, path, size);
}

static void settings_machine_copy(char name[MACHINE_NAME_BYTES], struct words words)
{
	struct sentence sentence = sentence_start(name, MACHINE_NAME_BYTES);
	sentence_add_words(&sentence, words);
}

void settings_machine_describe_machine(struct machine *here)
{
	static const char key[] = "model name";
	char text[KERNEL_TEXT_BYTES];
	struct utsname system;
	memset(here, 0, sizeof *here);
	if (uname(&system) == 0)
		settings_machine_copy(here->host, words_of(system.nodename));
	const char *line =
		kernel_text_read("", "/proc", "/cpuinfo", text) ? strstr(text, key) : NULL;
	if (line == NULL)
		return;
	struct words rest = words_make(line, strcspn(line, "\n"));
	words_next(&rest, ':');
	if (rest.text != NULL)
		settings_machine_copy(here->cpu, words_trim(rest));
}
