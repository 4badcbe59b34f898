/* doctor_files.c - files that the options name: whether they can be written */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_shell.h"
#include "cli/doctor/doctor_source.h"
#include "cli/process/counters_read.h"
#include "shim/record/backing.h"
#include "shim/record/counters.h"
#include "shim/record/pool.h"
#include "shim/record/sink.h"
#include "shim/settings/settings_machine.h"

/* The folder of a path, to be freed. */
static char *doctor_files_find_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (slash == NULL)
		return say_need(strdup("."));
	return say_text("%.*s", slash > path ? (int)(slash - path) : 1, path);
}

/* Why nothing can be put into the folder: words, static; NULL where it can. */
static const char *doctor_files_refuse_folder(const char *folder, uint64_t size_bytes)
{
	struct stat status;
	struct statvfs space;
	if (stat(folder, &status) != 0)
		return errno == ENOENT ? "there is no such folder" : say_error(errno);
	if (!S_ISDIR(status.st_mode))
		return "that is no folder";
	if (access(folder, W_OK | X_OK) != 0)
		return errno == EACCES ? "the folder cannot be written to" : say_error(errno);
	if (statvfs(folder, &space) == 0 && (uint64_t)space.f_bavail * space.f_frsize < size_bytes)
		return "the file system is full";
	return NULL;
}

/* Why a file of this name cannot be written; the same. Links of others are not followed. */
static const char *doctor_files_refuse_file(const char *path, const char *folder)
{
	struct stat status, link;
	if (stat(path, &status) != 0 && errno != ENOENT)
		return errno == ENOTDIR ? "its folder is a file" : say_error(errno);
	if (lstat(path, &link) != 0)
		return doctor_files_refuse_folder(folder, 1);
	if (S_ISLNK(link.st_mode) && link.st_uid != 0 && link.st_uid != geteuid())
		return "that is a symbolic link of another user";
	if (stat(path, &status) != 0)
		return "that is a symbolic link to no file";
	if (S_ISDIR(status.st_mode))
		return "that is a folder";
	if (S_ISBLK(status.st_mode))
		return "that is a disk";
	if (access(path, W_OK) != 0)
		return errno == EACCES ? "the file cannot be written" : say_error(errno);
	return S_ISREG(status.st_mode) ? doctor_files_refuse_folder(folder, 1) : NULL;
}

/* A folder that is missing can be made; in place of any other, a file of one's own is named. */
static void doctor_files_find(struct doctor *doctor, enum option option, const char *folder,
                              const char *why, const char *consequence)
{
	struct stat status;
	char *quoted = doctor_source_quote(&doctor->options, option);
	char *text = say_text("%s: %s; %s", quoted, why, consequence);
	if (stat(folder, &status) != 0 && errno == ENOENT) {
		char *place = doctor_shell_quote(folder);
		doctor_report_find(&doctor->report, DOCTOR_WARNING, "options", text,
		                   "Make the folder:", say_text("mkdir -p %s", place));
		free(place);
	} else {
		doctor_report_find(&doctor->report, DOCTOR_WARNING, "options", text,
		                   "Name a place that you can write to, or none:",
		                   doctor_source_fix(option, NULL));
	}
	free(quoted);
}

/* The file that the option names, its fields filled in as in a process of the program. */
static void doctor_files_judge(struct doctor *doctor, enum option option, const char *pattern,
                               const char *consequence)
{
	static char directory[PATH_MAX], path[SINK_PATH_BYTES];
	if (pattern[0] == '\0')
		return;
	sink_find_directory(directory, sizeof directory);
	const char *why = "the name is too long";
	if (sink_make_path(directory, pattern, path)) {
		char *folder = doctor_files_find_folder(path);
		why = doctor_files_refuse_file(path, folder);
		if (why != NULL)
			doctor_files_find(doctor, option, folder, why, consequence);
		free(folder);
	} else {
		doctor_files_find(doctor, option, "/", why, consequence);
	}
}

static void doctor_files_judge_memory(struct doctor *doctor)
{
	int id = -1;
	void *memory = segment_make(sizeof(struct counters_file), 0, &id);
	if (memory != NULL) {
		doctor_report_add(&doctor->report, "counters in shared memory: usable");
		munmap(memory, SEGMENT_BYTES(sizeof(struct counters_file)));
		return;
	}
	doctor_report_find(
		&doctor->report, DOCTOR_WARNING, "options",
		say_text("counters: no shared memory (%s); gpushim top sees nothing",
	                 say_error(errno)),
		"Name a folder for files of counters:", doctor_source_fix(OPTION_counters, "/tmp"));
}

static void doctor_files_judge_counters(struct doctor *doctor)
{
	static struct backing backing;
	backing_choose(&backing, doctor->options.counters);
	if (!backing.named)
		doctor_files_judge_memory(doctor);
	if (!backing.named || pool_is_name(backing.place))
		return;
	const char *why = doctor_files_refuse_folder(backing.place, sizeof(struct counters_file));
	if (why != NULL)
		doctor_files_find(doctor, OPTION_counters, backing.place, why,
		                  "counts end with each process");
	else
		doctor_report_add(&doctor->report, "counters folder %s: usable", backing.place);
}

/* Where calibrate stores its profile: folders that are missing are made, by it alone. */
static void doctor_files_judge_cache(struct doctor *doctor)
{
	static char path[SINK_PATH_BYTES];
	struct stat status;
	if (!settings_machine_path(path, sizeof path) || access(path, R_OK) == 0)
		return;
	char *folder = doctor_files_find_folder(path);
	while (stat(folder, &status) != 0 && errno == ENOENT && strcmp(folder, "/") != 0) {
		char *above = doctor_files_find_folder(folder);
		free(folder);
		folder = above;
	}
	const char *why = errno == ENOTDIR && stat(folder, &status) != 0
	                          ? "its folder is a file"
	                          : doctor_files_refuse_folder(folder, 1);
	if (why != NULL)
		doctor_report_find(
			&doctor->report, DOCTOR_WARNING, "options",
			say_text("%s: %s; gpushim calibrate cannot store its profile", path, why),
			"Name a cache folder that you can write to:",
			say_text("export XDG_CACHE_HOME=/tmp/cache"));
	free(folder);
}

/* Earlier versions put files there, and the tool puts folders there without shared memory. */
static void doctor_files_sweep(struct doctor *doctor)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	size_t removed = counters_read_sweep("/dev/shm");
	if (runtime != NULL && runtime[0] == '/' && strcmp(runtime, "/dev/shm") != 0)
		removed += counters_read_sweep(runtime);
	if (removed > 0)
		doctor_report_add(&doctor->report,
		                  "removed %zu stale file%s of counters, left by programs that "
		                  "were killed",
		                  removed, removed == 1 ? "" : "s");
}

void doctor_files_examine(struct doctor *doctor)
{
	const struct options *options = &doctor->options;
	doctor_report_begin(&doctor->report, "options");
	doctor_files_judge(doctor, OPTION_log, options->log, "nothing is recorded");
	doctor_files_judge(doctor, OPTION_trace, options->trace, "no timeline is written");
	if (!words_equal(words_of(options->summary), words_of("off")) &&
	    !words_equal(words_of(options->summary), words_of("stderr")))
		doctor_files_judge(doctor, OPTION_summary, options->summary,
		                   "no summary is printed");
	doctor_files_judge_counters(doctor);
	doctor_files_judge_cache(doctor);
	doctor_files_sweep(doctor);
}
