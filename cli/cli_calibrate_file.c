/* cli_calibrate_file.c - stores a profile, whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_calibrate.h"
#include "cli/cli_say.h"

enum { FILE_LINE_BYTES = 1024, FILE_FOLDER_MODE = 0700, FILE_MODE = 0644 };

static const char file_consequence[] = "the profile is not stored";

/* The folder in which the file is to be, to be freed. */
static char *cli_calibrate_find_folder(const char *path)
{
	char *copy = cli_say_text("%s", path);
	char *folder = cli_say_text("%s", dirname(copy));
	free(copy);
	return folder;
}

/* The folders that are missing, as for any cache. */
static bool cli_calibrate_make_folder(const char *folder)
{
	if (mkdir(folder, FILE_FOLDER_MODE) == 0 || errno == EEXIST)
		return true;
	if (errno != ENOENT)
		return false;
	char *above = cli_calibrate_find_folder(folder);
	const bool made = strcmp(above, folder) != 0 && cli_calibrate_make_folder(above) &&
	                  (mkdir(folder, FILE_FOLDER_MODE) == 0 || errno == EEXIST);
	free(above);
	return made;
}

bool cli_calibrate_check_file(const char *path)
{
	struct stat status;
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		cli_say("%s is no regular file; name another one with --output", path);
		return false;
	}
	char *folder = cli_calibrate_find_folder(path);
	bool writable = cli_calibrate_make_folder(folder) && stat(folder, &status) == 0;
	if (writable && !S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		writable = false;
	}
	writable = writable && access(folder, W_OK | X_OK) == 0;
	if (!writable)
		cli_say("cannot write to the folder %s: %s; name a file elsewhere with --output", folder,
		        cli_say_error(errno));
	free(folder);
	return writable;
}

static bool cli_calibrate_print_lines(FILE *file, const struct machine *machine)
{
	char line[FILE_LINE_BYTES];
	int position = 0;
	fprintf(file, "# %s: measured by gpushim calibrate, gpushim %s\n", machine->name, GPUSHIM_VERSION);
	while (machine_write_line(machine, &position, line, sizeof line))
		fprintf(file, "%s\n", line);
	return fflush(file) == 0 && ferror(file) == 0 && fchmod(fileno(file), FILE_MODE) == 0;
}

/* The new file stands beside the old one until it is complete. */
static bool cli_calibrate_replace_file(const char *path, const struct machine *machine)
{
	char *beside = cli_say_text("%s.XXXXXX", path);
	const int fd = mkstemp(beside);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool fine = file != NULL && cli_calibrate_print_lines(file, machine);
	int error = errno;
	if (file != NULL && fclose(file) != 0 && fine) {
		error = errno;
		fine = false;
	}
	if (fine && rename(beside, path) != 0) {
		error = errno;
		fine = false;
	}
	if (!fine && fd >= 0)
		unlink(beside);
	if (!fine)
		cli_say("cannot write %s: %s; %s", path, cli_say_error(error), file_consequence);
	free(beside);
	return fine;
}

/* Whoever wants to interrupt it waits for this moment, and leaves nothing behind. */
bool cli_calibrate_write_file(const char *path, const struct machine *machine)
{
	sigset_t ends, before;
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, &before);
	const bool written = cli_calibrate_replace_file(path, machine);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return written;
}
