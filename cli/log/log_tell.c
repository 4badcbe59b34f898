/* log_tell.c - messages about what is wrong with logs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/log/log.h"
#include "policy/text/human.h"

static const char *const tell_keys[LOG_KEYS] = {
#define FIELD(key, type, help) #key,
#include "shim/record/field.def"
};

static void log_tell_trouble(const struct log_file *file)
{
	switch (file->trouble) {
	case LOG_FINE: break;
	case LOG_UNREADABLE:
		say("cannot read '%s'%s: %s", file->path, file->records > 0 ? " to its end" : "",
		    say_error(file->error));
		break;
	case LOG_NO_FILE: say("'%s' is not a file; name the logs themselves", file->path); break;
	case LOG_NO_WRITER: say("'%s' is a pipe that nobody writes to", file->path); break;
	case LOG_TWICE: say("'%s' was read already; it is not counted twice", file->path); break;
	case LOG_COMPRESSED:
		say("'%s' is compressed; unpack it first, for instance into a pipe: a log named - "
		    "is stdin",
		    file->path);
		break;
	}
}

static void log_tell_lines(const struct log_file *file)
{
	char others[HUMAN_BYTES], lines[HUMAN_BYTES], first[HUMAN_BYTES];
	human_format_count(file->other_lines, others);
	human_format_count(file->lines, lines);
	human_format_count(file->first_other_line, first);
	if (file->read_bytes == 0)
		say("'%s' is empty", file->path);
	else if (file->records == 0)
		say("'%s' is not a log of the shim: none of its lines is a record", file->path);
	else if (file->other_lines > 0)
		say("%s of the %s lines of '%s' are not records and are left out; the first one "
		    "is line %s",
		    others, lines, file->path, first);
	if (file->totals_left_out > 0)
		say("'%s' has totals of processes (log_level summary), which tell of no single "
		    "call; they are left out: record with --log-level decision",
		    file->path);
	if (file->cut && file->records > 0 && !file->grows)
		say("the last line of '%s' is incomplete and is left out: its program was killed, "
		    "the disk was full, or the log is still being written",
		    file->path);
	if (file->grows)
		say("'%s' is still being written: what was added since is left out", file->path);
}

static void log_tell_version(const struct log_file *file)
{
	if (file->records > 0 && file->unknown[0] != '\0')
		say("'%s' was written by a newer version: its key '%s' and other new keys are "
		    "ignored",
		    file->path, file->unknown);
	for (int key = 0; key < LOG_KEYS; key++) {
		if (file->records == 0 || (file->lacking & 1u << key) == 0)
			continue;
		say("records of '%s' lack '%s', as an older version wrote them: what needs it is "
		    "left out",
		    file->path, tell_keys[key]);
		return;
	}
}

int log_tell(const struct log *log)
{
	uint64_t records = 0;
	const size_t count = log_count_files(log);
	for (size_t i = 0; i < count; i++) {
		const struct log_file *file = log_file(log, i);
		records += file->records - file->totals_left_out;
		log_tell_trouble(file);
		if (file->trouble == LOG_FINE)
			log_tell_lines(file);
		log_tell_version(file);
	}
	if (records > 0)
		return TOOL_FINE;
	say("there is no record to report; `gpushim run --log FILE -- PROGRAM` writes them");
	return TOOL_DIFFERENT;
}
