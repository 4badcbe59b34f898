/* settings_input.c - opens a config file or machine profile, or says why not */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/settings/settings_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/input_file.h"
#include "shim/base/loader.h"

static const char settings_input_system[] = "/etc/gpushim.conf";

/* The kernel's default for owners that have no number in this user namespace. */
enum { SETTINGS_INPUT_UNKNOWN_OWNER = 65534 };

const char *settings_input_system_path(void)
{
	return settings_input_system;
}

/*
 * Who owns the library that runs here may direct it: on clusters it is often the account that
 * installs programs.
 */
static bool settings_input_is_of_library(const struct stat *status)
{
	struct stat library;
	const char *path = loader_path_of((const void *)settings_input_system);
	return path != NULL && path[0] == '/' && stat(path, &library) == 0 &&
	       library.st_uid == status->st_uid;
}

/* Only root writes to /etc, whose owner may have no number in a container. */
static const char *settings_input_find_distrust(const char *path, const struct stat *status)
{
	struct stat known = *status;
	const char *distrust = input_file_find_distrust(status);
	if (distrust == NULL)
		return NULL;
	if ((strcmp(path, settings_input_system) == 0 &&
	     status->st_uid == SETTINGS_INPUT_UNKNOWN_OWNER) ||
	    settings_input_is_of_library(status))
		known.st_uid = 0;
	known.st_gid = status->st_gid == status->st_uid ? known.st_uid : status->st_gid;
	return input_file_find_distrust(&known);
}

static void settings_input_refuse(struct settings_input *input, const char *action,
                                  const char *reason)
{
	if (input->fd >= 0)
		close(input->fd);
	input->fd = -1;
	input->action = action;
	input->reason = reason;
}

/* Without free descriptors it is not known whether the file exists. */
static bool settings_input_is_missing(int error, const struct stat *status)
{
	return error == ENOENT || error == ENOTDIR || error == EMFILE || error == ENFILE ||
	       (error == EACCES && status->st_mode == 0);
}

void settings_input_open(struct settings_input *input, const char *path, bool obeyed)
{
	struct stat status;
	*input = (struct settings_input){.fd = input_file_open(path, &status)};
	if (input->fd < 0) {
		const int error = -input->fd;
		input->missing = settings_input_is_missing(error, &status);
		settings_input_refuse(input, error == INPUT_FILE_IRREGULAR ? "" : "cannot open: ",
		                      input_file_describe(error));
		return;
	}
	const char *distrust = obeyed ? settings_input_find_distrust(path, &status) : NULL;
	if (distrust != NULL)
		settings_input_refuse(input, "", distrust);
	else if (status.st_size > SETTINGS_INPUT_MAX_BYTES)
		settings_input_refuse(input, "", "longer than 1 MiB");
}
