/* counters_sweep.c - finds names whose process is gone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/counters_sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/process/counters_read.h"

/* The process in gpushim-<pid>-<start ns>.counters or gpushim-run-<pid>-XXXXXX, or 0. */
static pid_t counters_sweep_find_process(const char *name, bool *is_run)
{
	int pid = 0, used = 0;
	*is_run = sscanf(name, "gpushim-run-%9d-%*6[A-Za-z0-9]%n", &pid, &used) == 1 && used > 0;
	if (*is_run && name[used] == '\0')
		return pid;
	used = 0;
	*is_run = false;
	if (sscanf(name, "gpushim-%9d-%*20[0-9].counters%n", &pid, &used) == 1 && used > 0 &&
	    name[used] == '\0')
		return pid;
	return 0;
}

static bool counters_sweep_is_gone(pid_t pid)
{
	return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

static bool counters_sweep_is_own(int folder, const char *name, bool is_run)
{
	struct stat status;
	if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_uid != getuid())
		return false;
	return is_run ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode);
}

static bool counters_sweep_remove(int at, const char *folder, const char *name, bool is_run)
{
	if (!is_run)
		return unlinkat(at, name, 0) == 0;
	counters_read_remove_folder(say_text("%s/%s", folder, name));
	return faccessat(at, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
}

size_t counters_sweep_folder(const char *folder)
{
	size_t removed = 0;
	bool is_run = false;
	DIR *list = opendir(folder);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
		const pid_t pid = counters_sweep_find_process(entry->d_name, &is_run);
		if (counters_sweep_is_gone(pid) &&
		    counters_sweep_is_own(dirfd(list), entry->d_name, is_run))
			removed +=
				counters_sweep_remove(dirfd(list), folder, entry->d_name, is_run);
	}
	if (list != NULL)
		closedir(list);
	return removed;
}
