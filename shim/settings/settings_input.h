/* settings_input.h - opens a config file or machine profile, or says why not */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SETTINGS_SETTINGS_INPUT_H
#define GPUSHIM_SHIM_SETTINGS_SETTINGS_INPUT_H

#include <stdbool.h>

enum { SETTINGS_INPUT_MAX_BYTES = 1 << 20 };

/* fd is -1 where the file is not used: action and reason then say so together, in static words. */
struct settings_input {
	int fd;
	bool missing; /* there is none, or it could not be found out */
	const char *action, *reason;
};

/*
 * obeyed: the file directs the shim (which libraries are loaded, which files are written), so it
 * must be the user's, root's, or of whoever owns the shim's library, and nobody else's to write.
 */
void settings_input_open(struct settings_input *input, const char *path, bool obeyed);

/* The system's config file. */
const char *settings_input_system_path(void);

#endif
