/* settings_file.c - reads a file line by line and reports what cannot be used */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/settings/settings_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/diag.h"
#include "shim/base/input_file.h"
#include "shim/base/variables.h"
#include "shim/settings/settings_input.h"

enum {
	SETTINGS_FILE_LINE_BYTES = 2048, /* the longest text option, its key, and room */
	SETTINGS_FILE_CHUNK_BYTES = 1024,
	/* One bad file must not use up the messages that diag.h grants the process. */
	SETTINGS_FILE_COMPLAINTS_MAX = 4
};
_Static_assert((int)SETTINGS_FILE_LINE_BYTES >= (int)SETTINGS_LEAST_LINE_BYTES,
               "a line for an option fits");

static const char settings_file_bom[] = "\xef\xbb\xbf";

struct settings_file {
	const struct settings_purpose *purpose;
	void *target;
	const char *path;
	unsigned line_number;
	int complaints;
	size_t length;
	bool is_no_text, too_long;
	char line[SETTINGS_FILE_LINE_BYTES];
};

static void settings_file_report_line(struct settings_file *file, const char *message)
{
	if (++file->complaints > SETTINGS_FILE_COMPLAINTS_MAX)
		return;
	diag_warn("%s:%u: %s; %s%s", file->path, file->line_number, message,
	          file->purpose->without_line,
	          file->complaints == SETTINGS_FILE_COMPLAINTS_MAX
	                  ? "; further lines are not reported"
	                  : "");
}

static void settings_file_report(struct settings_file *file, const char *what, const char *detail)
{
	file->complaints++;
	diag_warn("%s: %s%s; %s", file->path, what, detail, file->purpose->without_file);
}

static void settings_file_end_line(struct settings_file *file)
{
	char message[SETTINGS_MESSAGE_BYTES];
	const char *line = file->line;
	file->line[file->length] = '\0';
	file->line_number++;
	if (file->line_number == 1 &&
	    strncmp(line, settings_file_bom, strlen(settings_file_bom)) == 0)
		line += strlen(settings_file_bom);
	if (file->too_long)
		settings_file_report_line(file, "the line is too long");
	else if (!file->purpose->parse(file->target, line, message))
		settings_file_report_line(file, message);
	file->length = 0;
	file->too_long = false;
}

/* After a byte 0 nothing more is said about its lines. */
static void settings_file_give_up(struct settings_file *file)
{
	file->complaints++;
	file->is_no_text = true;
	diag_warn("%s:%u: a byte is 0, so this is no text; %s", file->path, file->line_number + 1,
	          file->purpose->stops ? file->purpose->without_file
	                               : "from here on it is left out");
}

static void settings_file_add_letter(struct settings_file *file, char letter)
{
	if (letter == '\n')
		settings_file_end_line(file);
	else if (letter == '\0')
		settings_file_give_up(file);
	else if (file->length + 1 == sizeof file->line)
		file->too_long = true;
	else
		file->line[file->length++] = letter;
}

static bool settings_file_is_given_up(const struct settings_file *file)
{
	return file->is_no_text || (file->purpose->stops && file->complaints > 0);
}

/* Counts the bytes read: files of /proc have no size, and a file may grow meanwhile. */
static void settings_file_read_lines(struct settings_file *file, int fd)
{
	char chunk[SETTINGS_FILE_CHUNK_BYTES];
	ssize_t got = 0;
	size_t total = 0;
	while (!settings_file_is_given_up(file) && total <= SETTINGS_INPUT_MAX_BYTES) {
		got = read(fd, chunk, sizeof chunk);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		total += (size_t)got;
		for (ssize_t i = 0; i < got && !settings_file_is_given_up(file); i++)
			settings_file_add_letter(file, chunk[i]);
	}
	if (got < 0)
		settings_file_report(file, "cannot read: ", input_file_describe(errno));
	else if (total > SETTINGS_INPUT_MAX_BYTES && !settings_file_is_given_up(file))
		settings_file_report(file, "longer than 1 MiB", "");
	else if (file->length > 0 && !settings_file_is_given_up(file))
		settings_file_end_line(file);
}

enum settings_outcome settings_file_read(const char *path, const struct settings_purpose *purpose,
                                         void *target, bool may_be_missing)
{
	struct settings_file file = {.purpose = purpose, .target = target, .path = path};
	struct settings_input input;
	settings_input_open(&input, path, purpose->obeyed);
	if (input.missing && may_be_missing)
		return SETTINGS_MISSING;
	if (input.fd < 0) {
		settings_file_report(&file, input.action, input.reason);
		return SETTINGS_REFUSED;
	}
	settings_file_read_lines(&file, input.fd);
	close(input.fd);
	return file.complaints == 0 ? SETTINGS_FINE : SETTINGS_REFUSED;
}

bool settings_file_find(const char *variable, const char *home_folder, const char *name, char *path,
                        size_t size)
{
	const char *folder = variables_find(variable), *between = "";
	if (folder == NULL || folder[0] != '/') {
		folder = variables_find("HOME");
		between = home_folder;
	}
	if (folder == NULL || folder[0] != '/')
		return false;
	const int length = snprintf(path, size, "%s%s/gpushim/%s", folder, between, name);
	return length > 0 && (size_t)length < size;
}

void settings_file_begin(int *cancel_state, int *saved_errno)
{
	*saved_errno = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
}

void settings_file_end(int cancel_state, int saved_errno)
{
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved_errno;
}
