/* settings_file.h - reads a file line by line and reports what cannot be used */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SETTINGS_SETTINGS_FILE_H
#define GPUSHIM_SHIM_SETTINGS_SETTINGS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/machine/machine.h"
#include "policy/options/options.h"

enum {
	SETTINGS_MESSAGE_BYTES = 256,
	SETTINGS_KEY_BYTES = 64,
	/* Every line of at most this length is read; longer ones may be refused. */
	SETTINGS_LEAST_LINE_BYTES = OPTION_TEXT_BYTES + SETTINGS_KEY_BYTES
};
_Static_assert((int)SETTINGS_MESSAGE_BYTES >= (int)OPTION_MESSAGE_BYTES,
               "a sentence about an option fits");
_Static_assert((int)SETTINGS_MESSAGE_BYTES >= (int)MACHINE_MESSAGE_BYTES,
               "a sentence about a profile fits");

/*
 * The use of a file. parse fills target from one line; where it cannot, it puts a sentence into
 * message and returns false.
 */
struct settings_purpose {
	bool (*parse)(void *target, const char *line, char *message);
	const char *without_file, *without_line; /* the consequences, which end a message */
	bool stops;  /* reading, at the first line that cannot be used */
	bool obeyed; /* the file must be trusted: settings_input.h */
};

/* SETTINGS_MISSING: there is no file, or it could not be found out. */
enum settings_outcome { SETTINGS_FINE, SETTINGS_MISSING, SETTINGS_REFUSED };

/*
 * Reads the file; what cannot be used, and a missing file unless it may be, is reported by
 * diag_warn.
 */
enum settings_outcome settings_file_read(const char *path, const struct settings_purpose *purpose,
                                         void *target, bool may_be_missing);

/*
 * The path of the user's file gpushim/name in the folder that the variable names, else in
 * home_folder ("/.config") below the home folder. False where neither is known; a relative folder
 * is ignored, as the XDG base directory specification says.
 */
bool settings_file_find(const char *variable, const char *home_folder, const char *name, char *path,
                        size_t size);

/*
 * Around all reading: keeps errno, and disables cancellation, which in open or read would unwind a
 * BLAS call, which is no cancellation point.
 */
void settings_file_begin(int *cancel_state, int *saved_errno);
void settings_file_end(int cancel_state, int saved_errno);

#endif
