/* calibrate_file.c - stores a profile */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/calibrate/calibrate.h"
#include "cli/common/file_buffer.h"
#include "cli/common/say.h"

enum { FILE_LINE_BYTES = 1024, FILE_FOLDER_MODE = 0700 };

/* The folder of the file, to be freed. */
static char *calibrate_file_find_folder(const char *path)
{
	char *copy = say_text("%s", path);
	char *folder = say_text("%s", dirname(copy));
	free(copy);
	return folder;
}

/* Makes the folder and those above it, if they are missing. */
static bool calibrate_file_make_folder(const char *folder)
{
	if (mkdir(folder, FILE_FOLDER_MODE) == 0 || errno == EEXIST)
		return true;
	if (errno != ENOENT)
		return false;
	char *above = calibrate_file_find_folder(folder);
	const bool made = strcmp(above, folder) != 0 && calibrate_file_make_folder(above) &&
	                  (mkdir(folder, FILE_FOLDER_MODE) == 0 || errno == EEXIST);
	free(above);
	return made;
}

bool calibrate_check_file(const char *path)
{
	struct stat status;
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		say("%s is no regular file; name another one with --output", path);
		return false;
	}
	char *folder = calibrate_file_find_folder(path);
	bool writable = calibrate_file_make_folder(folder) && stat(folder, &status) == 0;
	if (writable && !S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		writable = false;
	}
	writable = writable && access(folder, W_OK | X_OK) == 0;
	if (!writable)
		say("cannot write to the folder %s: %s; name a file elsewhere with --output",
		    folder, say_error(errno));
	free(folder);
	return writable;
}

bool calibrate_write_file(const char *path, const struct machine *machine)
{
	struct file_buffer store;
	char line[FILE_LINE_BYTES];
	int position = 0;
	file_buffer_begin(&store);
	fprintf(store.file, "# %s: measured by gpushim calibrate, gpushim %s\n", machine->name,
	        GPUSHIM_VERSION);
	while (machine_write_line(machine, &position, line, sizeof line))
		fprintf(store.file, "%s\n", line);
	const int error = file_buffer_end(&store, path, true);
	if (error != 0)
		say("cannot write %s: %s; the profile is not stored", path, say_error(error));
	return error == 0;
}
