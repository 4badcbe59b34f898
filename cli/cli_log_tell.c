/* cli_log_tell.c - what was wrong with logs, in sentences */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "cli/cli_log.h"
#include "cli/cli_say.h"
#include "shim/record/human.h"

static const char *const tell_keys[CLI_LOG_KEYS] = {
#define FIELD(key, type, help) #key,
#include "shim/record/field.def"
};

static void cli_log_tell_trouble(const struct cli_log_file *file)
{
	switch (file->trouble) {
	case CLI_LOG_FINE: break;
	case CLI_LOG_UNREADABLE:
		cli_say("cannot read '%s'%s: %s", file->path, file->records > 0 ? " to its end" : "",
		        cli_say_error(file->error));
		break;
	case CLI_LOG_NO_FILE: cli_say("'%s' is no file: name the logs themselves", file->path); break;
	case CLI_LOG_TWICE: cli_say("'%s' was read already; it is not counted twice", file->path); break;
	case CLI_LOG_COMPRESSED:
		cli_say("'%s' is compressed; unpack it, into a pipe for instance: the log - is stdin", file->path);
		break;
	}
}

static void cli_log_tell_lines(const struct cli_log_file *file)
{
	char others[HUMAN_BYTES], lines[HUMAN_BYTES], first[HUMAN_BYTES];
	human_format_count(file->other_lines, others);
	human_format_count(file->lines, lines);
	human_format_count(file->first_other_line, first);
	if (file->read_bytes == 0)
		cli_say("'%s' is empty", file->path);
	else if (file->records == 0)
		cli_say("'%s' is no log of the shim: none of its lines is a record", file->path);
	else if (file->other_lines > 0)
		cli_say("%s of the %s lines of '%s' are no records and are left out; the first is line %s", others,
		        lines, file->path, first);
	if (file->cut && file->records > 0 && !file->grows)
		cli_say("the last line of '%s' is incomplete and is left out: its program was killed, the disk was full, "
		        "or the log is still being written",
		        file->path);
	if (file->grows)
		cli_say("'%s' is still being written: what came since is left out", file->path);
}

static void cli_log_tell_version(const struct cli_log_file *file)
{
	if (file->records > 0 && file->unknown[0] != '\0')
		cli_say("'%s' was written by a newer version: '%s', and what else is new, is passed over", file->path,
		        file->unknown);
	for (int key = 0; key < CLI_LOG_KEYS; key++) {
		if (file->records == 0 || (file->lacking & 1u << key) == 0)
			continue;
		cli_say("records of '%s' have no '%s', as an older version wrote them; what needs it is left out",
		        file->path, tell_keys[key]);
		return;
	}
}

int cli_log_tell(const struct cli_log *log)
{
	uint64_t records = 0;
	const size_t count = cli_log_count_files(log);
	for (size_t i = 0; i < count; i++) {
		const struct cli_log_file *file = cli_log_file(log, i);
		records += file->records;
		cli_log_tell_trouble(file);
		if (file->trouble == CLI_LOG_FINE)
			cli_log_tell_lines(file);
		cli_log_tell_version(file);
	}
	if (records > 0)
		return CLI_FINE;
	cli_say("there is no record to report; EPOCHLY_GPU_LOG=FILE makes the shim write them");
	return CLI_DIFFERENT;
}
