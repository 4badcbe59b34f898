/* settings.c - reads the files and the environment, and reports what cannot be used */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/words.h"
#include "shim/base/diag.h"

enum {
	SETTINGS_FILE_MAX_BYTES = 1 << 20,
	SETTINGS_LINE_BYTES = 2048, /* the longest text option, its key, and room */
	SETTINGS_CHUNK_BYTES = 1024,
	SETTINGS_MESSAGE_BYTES = 256,
	SETTINGS_KEY_BYTES = 64,
	SETTINGS_COMPLAINTS_MAX = 4 /* a file of nonsense must not use up the process's messages */
};
_Static_assert((int)SETTINGS_MESSAGE_BYTES >= (int)OPTION_MESSAGE_BYTES, "a sentence about an option fits");
_Static_assert((int)SETTINGS_MESSAGE_BYTES >= (int)MACHINE_MESSAGE_BYTES, "a sentence about a profile fits");
_Static_assert((int)SETTINGS_LINE_BYTES >= (int)OPTION_TEXT_BYTES + SETTINGS_KEY_BYTES, "a line for an option fits");

static const char settings_system_path[] = "/etc/gpushim.conf";
static const char settings_prefix[] = "EPOCHLY_GPU_";
static const char settings_bom[] = "\xef\xbb\xbf";

/* What a file is read for. parse fills target from one line and puts a sentence into message if it cannot. */
struct settings_purpose {
	bool (*parse)(void *target, const char *line, char *message);
	const char *without_file, *without_line; /* the consequences, for the end of a message */
	bool stops;                              /* at the first line that cannot be used */
};

struct settings_file {
	const struct settings_purpose *purpose;
	void *target;
	const char *path;
	unsigned line_number;
	int complaints;
	size_t length;
	bool is_no_text, too_long;
	char line[SETTINGS_LINE_BYTES];
};

static bool settings_parse_option(void *target, const char *line, char *message)
{
	return options_parse_line(target, line, message);
}

static bool settings_parse_machine(void *target, const char *line, char *message)
{
	return machine_parse_line(target, line, message);
}

static const struct settings_purpose settings_for_options = {
	settings_parse_option, "it is left out", "the line is ignored, and the value before it holds", false};
static const struct settings_purpose settings_for_machine = {settings_parse_machine, "nothing is predicted",
                                                             "nothing is predicted", true};

static void settings_complain_line(struct settings_file *file, const char *message)
{
	if (++file->complaints > SETTINGS_COMPLAINTS_MAX)
		return;
	diag_warn("%s:%u: %s; %s%s", file->path, file->line_number, message, file->purpose->without_line,
	          file->complaints == SETTINGS_COMPLAINTS_MAX ? "; further lines are not reported" : "");
}

static void settings_complain_file(struct settings_file *file, const char *what, const char *detail)
{
	file->complaints++;
	diag_warn("%s: %s%s; %s", file->path, what, detail, file->purpose->without_file);
}

/* Without the locale's translations and without memory, which strerror would take. */
static const char *settings_describe_error(int error)
{
	const char *words = strerrordesc_np(error);
	return words != NULL ? words : "unknown error";
}

static void settings_end_line(struct settings_file *file)
{
	char message[SETTINGS_MESSAGE_BYTES];
	const char *line = file->line;
	file->line[file->length] = '\0';
	file->line_number++;
	if (file->line_number == 1 && strncmp(line, settings_bom, strlen(settings_bom)) == 0)
		line += strlen(settings_bom);
	if (file->too_long)
		settings_complain_line(file, "the line is too long");
	else if (!file->purpose->parse(file->target, line, message))
		settings_complain_line(file, message);
	file->length = 0;
	file->too_long = false;
}

/* No text at all, and so nothing more to be said about its lines. */
static void settings_give_up(struct settings_file *file)
{
	file->complaints++;
	file->is_no_text = true;
	diag_warn("%s:%u: a byte is 0, so this is no text; %s", file->path, file->line_number + 1,
	          file->purpose->stops ? file->purpose->without_file : "from here on it is left out");
}

static void settings_add_letter(struct settings_file *file, char letter)
{
	if (letter == '\n')
		settings_end_line(file);
	else if (letter == '\0')
		settings_give_up(file);
	else if (file->length + 1 == sizeof file->line)
		file->too_long = true;
	else
		file->line[file->length++] = letter;
}

static bool settings_is_given_up(const struct settings_file *file)
{
	return file->is_no_text || (file->purpose->stops && file->complaints > 0);
}

/* Counts what it reads: a file of /proc shows no size, and a file may grow meanwhile. */
static void settings_read_lines(struct settings_file *file, int fd)
{
	char chunk[SETTINGS_CHUNK_BYTES];
	ssize_t got = 0;
	size_t total = 0;
	while (!settings_is_given_up(file) && total <= SETTINGS_FILE_MAX_BYTES) {
		got = read(fd, chunk, sizeof chunk);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		total += (size_t)got;
		for (ssize_t i = 0; i < got && !settings_is_given_up(file); i++)
			settings_add_letter(file, chunk[i]);
	}
	if (got < 0)
		settings_complain_file(file, "cannot read: ", settings_describe_error(errno));
	else if (total > SETTINGS_FILE_MAX_BYTES && !settings_is_given_up(file))
		settings_complain_file(file, "longer than 1 MiB", "");
	else if (file->length > 0 && !settings_is_given_up(file))
		settings_end_line(file);
}

static void settings_read_open(struct settings_file *file, int fd)
{
	struct stat status;
	if (fstat(fd, &status) != 0)
		settings_complain_file(file, "cannot read: ", settings_describe_error(errno));
	else if (!S_ISREG(status.st_mode))
		settings_complain_file(file, "not a regular file", "");
	else if (status.st_size > SETTINGS_FILE_MAX_BYTES)
		settings_complain_file(file, "longer than 1 MiB", "");
	else
		settings_read_lines(file, fd);
}

/* Returns true if nothing was complained about. O_NONBLOCK: a FIFO that nobody writes to must not hold us up. */
static bool settings_read(const char *path, const struct settings_purpose *purpose, void *target, bool may_be_missing)
{
	struct settings_file file = {.purpose = purpose, .target = target, .path = path};
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		/* Without descriptors it cannot even be told whether the file exists. */
		if (!may_be_missing || (errno != ENOENT && errno != ENOTDIR && errno != EMFILE && errno != ENFILE))
			settings_complain_file(&file, "cannot open: ", settings_describe_error(errno));
		return file.complaints == 0;
	}
	settings_read_open(&file, fd);
	close(fd);
	return file.complaints == 0;
}

/* A relative folder in these variables is to be ignored, says the XDG base directory specification. */
static void settings_read_user_file(struct options *options)
{
	char path[PATH_MAX];
	const char *folder = getenv("XDG_CONFIG_HOME"), *below = "gpushim/gpushim.conf";
	if (folder == NULL || folder[0] != '/') {
		folder = getenv("HOME");
		below = ".config/gpushim/gpushim.conf";
	}
	if (folder == NULL || folder[0] != '/')
		return;
	const int length = snprintf(path, sizeof path, "%s/%s", folder, below);
	if (length > 0 && (size_t)length < sizeof path)
		settings_read(path, &settings_for_options, options, true);
}

static void settings_read_variable(struct options *options, struct words key, const char *text)
{
	char name[SETTINGS_KEY_BYTES], message[OPTION_MESSAGE_BYTES];
	struct sentence sentence = sentence_start(name, sizeof name);
	sentence_add_words(&sentence, key);
	if (!options_set(options, name, text, message))
		diag_warn("%s%s: %s; it is ignored, and the value before it holds", settings_prefix, name, message);
}

static void settings_read_environment(struct options *options)
{
	const size_t prefix_length = strlen(settings_prefix);
	for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
		if (strncmp(*entry, settings_prefix, prefix_length) != 0)
			continue;
		struct words rest = words_of(*entry + prefix_length);
		const struct words key = words_next(&rest, '=');
		if (rest.text != NULL)
			settings_read_variable(options, key, rest.text);
	}
}

/* With raised privileges the environment is an attacker's: it could name a log to append to. */
static void settings_read_all(struct options *options)
{
	options_set_defaults(options);
	settings_read(settings_system_path, &settings_for_options, options, true);
	if (getauxval(AT_SECURE) != 0)
		return;
	settings_read_user_file(options);
	const char *named = getenv("EPOCHLY_GPU_CONFIG");
	if (named != NULL && named[0] != '\0')
		settings_read(named, &settings_for_options, options, false);
	settings_read_environment(options);
}

/* A thread that is cancelled in open or read would unwind a BLAS call, which is no cancellation point. */
static void settings_begin(int *cancel_state, int *saved_errno)
{
	*saved_errno = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
}

static void settings_end(int cancel_state, int saved_errno)
{
	pthread_setcancelstate(cancel_state, NULL);
	errno = saved_errno;
}

void settings_load(struct options *options)
{
	int cancel_state, saved_errno;
	settings_begin(&cancel_state, &saved_errno);
	settings_read_all(options);
	settings_end(cancel_state, saved_errno);
}

bool settings_load_machine(const char *path, struct machine *machine)
{
	char message[MACHINE_MESSAGE_BYTES];
	int cancel_state, saved_errno;
	memset(machine, 0, sizeof *machine);
	settings_begin(&cancel_state, &saved_errno);
	bool fine = settings_read(path, &settings_for_machine, machine, false);
	settings_end(cancel_state, saved_errno);
	if (fine && !machine_is_usable(machine, message)) {
		diag_warn("%s: %s; %s", path, message, settings_for_machine.without_file);
		fine = false;
	}
	if (!fine)
		memset(machine, 0, sizeof *machine);
	return fine;
}

/* The name of the program's file; false where /proc does not tell. */
static bool settings_read_program_name(char path[PATH_MAX], const char **name)
{
	static const char gone[] = " (deleted)";
	const int saved_errno = errno;
	const ssize_t got = readlink("/proc/self/exe", path, PATH_MAX - 1);
	errno = saved_errno;
	if (got <= 0)
		return false;
	path[got] = '\0';
	const size_t length = (size_t)got, gone_length = strlen(gone);
	if (length > gone_length && strcmp(path + length - gone_length, gone) == 0)
		path[length - gone_length] = '\0';
	const char *slash = strrchr(path, '/');
	*name = slash != NULL ? slash + 1 : path;
	return true;
}

bool settings_program_excluded(const struct options *options)
{
	char path[PATH_MAX];
	const char *file_name = "", *called = program_invocation_short_name;
	settings_read_program_name(path, &file_name);
	const bool all = words_trim(words_of(options->only)).length == 0;
	if (!all && !options_match_list(options->only, file_name) && !options_match_list(options->only, called))
		return true;
	return options_match_list(options->except, file_name) || options_match_list(options->except, called);
}
