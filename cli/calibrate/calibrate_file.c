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

/* The folder, or the nearest one above it that is there; to be freed. */
static char *calibrate_file_find_present(const char *folder)
{
	struct stat status;
	char *present = say_text("%s", folder);
	while (stat(present, &status) != 0 && errno == ENOENT) {
		char *above = calibrate_file_find_folder(present);
		const bool ends = strcmp(above, present) == 0;
		free(present);
		present = above;
		if (ends)
			break;
	}
	return present;
}

bool calibrate_check_file(const char *path, bool makes)
{
	struct stat status;
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		say("%s is no regular file; name another one with --output", path);
		return false;
	}
	char *folder = calibrate_file_find_folder(path);
	char *present = makes ? calibrate_file_find_present(folder) : say_text("%s", folder);
	bool writable = stat(present, &status) == 0;
	if (writable && !S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		writable = false;
	}
	writable = writable && access(present, W_OK | X_OK) == 0;
	if (!writable && strcmp(present, folder) != 0)
		say("cannot make the folder %s in %s: %s; name a file elsewhere with --output",
		    folder, present, say_error(errno));
	else if (!writable)
		say("cannot write to the folder %s: %s; name a file elsewhere with --output",
		    present, say_error(errno));
	free(present);
	free(folder);
	return writable;
}

/* Makes the folder and those above it, if they are missing; *made: how many were. */
static bool calibrate_file_make_folder(const char *folder, int *made)
{
	if (mkdir(folder, FILE_FOLDER_MODE) == 0) {
		++*made;
		return true;
	}
	if (errno != ENOENT)
		return errno == EEXIST;
	char *above = calibrate_file_find_folder(folder);
	bool fine = strcmp(above, folder) != 0 && calibrate_file_make_folder(above, made);
	if (fine && mkdir(folder, FILE_FOLDER_MODE) == 0)
		++*made;
	else
		fine = fine && errno == EEXIST;
	free(above);
	return fine;
}

/* Removes the folders that were made for a file that could not be stored. */
static void calibrate_file_remove_folders(const char *folder, int made)
{
	char *at = say_text("%s", folder);
	for (; made > 0 && (rmdir(at) == 0 || errno == ENOENT); made--) {
		char *above = calibrate_file_find_folder(at);
		free(at);
		at = above;
	}
	free(at);
}

/* The profile as text; comments tell under which conditions it was measured. */
static void calibrate_file_print(const struct calibrate *calibrate, FILE *file)
{
	const struct calibrate_board *board = calibrate->board;
	char line[FILE_LINE_BYTES], name[64], load[CALIBRATE_LOAD_BYTES];
	int position = 0;
	calibrate_load_describe(&calibrate->load, load);
	fprintf(file, "# %s: measured by gpushim calibrate, gpushim %s\n# meanwhile: %s\n",
	        board->machine.name, GPUSHIM_VERSION, load);
	for (int i = 0; i < board->figure_count; i++) {
		if (!(board->figures[i].varies > CALIBRATE_STEADY))
			continue;
		calibrate_name_figure(&board->figures[i], name);
		fprintf(file, "# varies by %.0f %%: %s\n", board->figures[i].varies * 100, name);
	}
	while (machine_write_line(&board->machine, &position, line, sizeof line))
		fprintf(file, "%s\n", line);
}

bool calibrate_write_file(const struct calibrate *calibrate)
{
	struct file_buffer store;
	int made = 0, error = 0;
	char *folder = calibrate_file_find_folder(calibrate->output);
	if (calibrate->default_output != NULL && !calibrate_file_make_folder(folder, &made))
		error = errno;
	if (error == 0) {
		file_buffer_begin(&store);
		calibrate_file_print(calibrate, store.file);
		error = file_buffer_end(&store, calibrate->output, true);
	}
	if (error != 0) {
		calibrate_file_remove_folders(folder, made);
		say("cannot write %s: %s; the profile is not stored", calibrate->output,
		    say_error(error));
	}
	free(folder);
	return error == 0;
}
