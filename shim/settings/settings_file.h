/* settings_file.h - reads a file line by line, and reports what cannot be used */
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
	SETTINGS_LEAST_LINE_BYTES =
		OPTION_TEXT_BYTES + SETTINGS_KEY_BYTES /* a line may have, and more */
};
_Static_assert((int)SETTINGS_MESSAGE_BYTES >= (int)OPTION_MESSAGE_BYTES,
               "a sentence about an option fits");
_Static_assert((int)SETTINGS_MESSAGE_BYTES >= (int)MACHINE_MESSAGE_BYTES,
               "a sentence about a profile fits");

/*
 * What a file is read for. parse fills target from one line and puts a sentence into message if it
 * cannot.
 */
struct settings_purpose {
	bool (*parse)(void *target, const char *line, char *message);
	const char *without_file, *without_line; /* the consequences, for the end of a message */
	bool stops;                              /* at the first line that cannot be used */
};

/* SETTINGS_MISSING: there is none, or there were no descriptors to tell. */
enum settings_outcome { SETTINGS_FINE, SETTINGS_MISSING, SETTINGS_REFUSED };

/*
 * Reads the file by its purpose; what cannot be used, or is missing where it must not be, is
 * reported by diag_warn.
 */
enum settings_outcome settings_file_read(const char *path, const struct settings_purpose *purpose,
                                         void *target, bool may_be_missing);

/*
 * The path of the user's own file gpushim/name in the folder that the variable names, else in
 * home_folder ("/.config") below the home folder. False where neither is known: a relative folder
 * is to be ignored, says the XDG base directory specification.
 */
bool settings_file_find(const char *variable, const char *home_folder, const char *name, char *path,
                        size_t size);

/*
 * Around all reading. A thread that is cancelled in open or read would unwind a BLAS call, which is
 * no cancellation point; and errno is the program's.
 */
void settings_file_begin(int *cancel_state, int *saved_errno);
void settings_file_end(int cancel_state, int saved_errno);

#endif
