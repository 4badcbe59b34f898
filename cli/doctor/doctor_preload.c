/* doctor_preload.c - libraries that are preloaded beside the shim, or in its place */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_shell.h"
#include "policy/text/words.h"
#include "shim/execute/gpu/node/kernel_text.h"

static const char doctor_preload_file[] = "/etc/ld.so.preload";

/* Libraries that take BLAS calls to a GPU as well. */
static const char *const doctor_preload_rivals[] = {"libnvblas.so*", "*scilib*.so*"};

static const char *doctor_preload_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash != NULL ? slash + 1 : path;
}

static bool doctor_preload_is_own(const char *path, const char *shim)
{
	char *real = realpath(path, NULL);
	const bool own = real != NULL && shim != NULL && strcmp(real, shim) == 0;
	free(real);
	return own;
}

/* What is wrong with a library of the list: words, static; NULL where nothing is. */
static const char *doctor_preload_refuse(const char *path, const char *shim)
{
	const char *base = doctor_preload_base(path);
	for (size_t i = 0; i < sizeof doctor_preload_rivals / sizeof doctor_preload_rivals[0]; i++)
		if (words_match(words_of(doctor_preload_rivals[i]), base))
			return "it takes the same calls as the shim";
	if (strchr(path, '/') != NULL && access(path, R_OK) != 0)
		return "there is no such file, and the loader goes on without it";
	if (words_match(words_of("libgpushim.so*"), base) && strchr(path, '/') != NULL &&
	    !doctor_preload_is_own(path, shim))
		return "that is another copy of the shim than this tool's";
	return NULL;
}

/* LD_PRELOAD without this library, as a command, to be freed. */
static char *doctor_preload_remove(const char *list, const char *path)
{
	char *copy = say_need(strdup(list)), *state = NULL, *kept = say_need(strdup(""));
	for (char *part = strtok_r(copy, ": ", &state); part != NULL;
	     part = strtok_r(NULL, ": ", &state)) {
		if (strcmp(part, path) == 0)
			continue;
		char *longer = say_text("%s%s%s", kept, kept[0] != '\0' ? ":" : "", part);
		free(kept);
		kept = longer;
	}
	char *quoted = doctor_shell_quote(kept);
	char *command = kept[0] != '\0' ? say_text("export LD_PRELOAD=%s", quoted)
	                                : say_text("unset LD_PRELOAD");
	free(quoted);
	free(kept);
	free(copy);
	return command;
}

/* where: the variable or the file that holds the list. */
static void doctor_preload_judge(struct doctor *doctor, const char *list, const char *where)
{
	char *copy = say_need(strdup(list)), *state = NULL;
	for (char *part = strtok_r(copy, ": \t\n", &state); part != NULL;
	     part = strtok_r(NULL, ": \t\n", &state)) {
		const char *why = doctor_preload_refuse(part, doctor->shim);
		if (why != NULL)
			doctor_report_find(&doctor->report, DOCTOR_WARNING, "preload",
			                   say_text("%s names %s: %s", where, part, why),
			                   "Preload it no more:",
			                   where == doctor_preload_file
			                           ? say_text("sudo \"${EDITOR:-vi}\" %s", where)
			                           : doctor_preload_remove(list, part));
	}
	free(copy);
}

void doctor_preload_examine(struct doctor *doctor)
{
	char text[KERNEL_TEXT_BYTES];
	const char *list = getenv("LD_PRELOAD");
	if (list != NULL)
		doctor_preload_judge(doctor, list, "LD_PRELOAD");
	if (kernel_text_read(cuda_devices_find_root(), "/etc", "/ld.so.preload", text))
		doctor_preload_judge(doctor, text, doctor_preload_file);
}
