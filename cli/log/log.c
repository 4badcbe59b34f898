/* log.c - reads the lines of several files, one block at a time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli/common/progress_bar.h"
#include "cli/common/say.h"
#include "policy/text/human.h"
#include "shim/base/clock.h"

/* A record is at most two kilobytes. A line longer than a block is not a record and is skipped. */
enum { LOG_BLOCK_BYTES = 1 << 20 };

/* Progress is shown from this size on, and redrawn at most once in this time. */
enum { LOG_MUCH_BYTES = 100000000, LOG_PAUSE_NS = 100000000 };

/* How long somebody has to open a pipe for writing. */
enum { LOG_PATIENCE_MS = 2000 };

/* A bar on stderr. draws: stderr is a terminal, and there is much to read. */
struct log_progress {
	bool draws;
	uint64_t whole_bytes, done_bytes;
	int64_t drawn_ns;
};

/* The identity of a file on the disk; 0, 0 for a pipe. */
struct log_identity {
	dev_t device;
	ino_t inode;
};

/*
 * The file in reading: fd is -1 before the first file and between two. The bytes from begin to end
 * of the block have not been parsed yet. left_bytes: to be read of a regular file. passing: a line
 * that is too long is skipped up to its newline.
 */
struct log {
	size_t count, opened;
	struct log_file *files;
	struct log_identity *identities;
	int fd;
	bool regular, ended, passing, takes_totals;
	bool fifo; /* a pipe with a name */
	uint64_t left_bytes;
	size_t begin, end;
	char *block;
	struct log_progress progress;
};

static void log_draw_progress(const struct log_progress *progress)
{
	char whole[HUMAN_BYTES];
	const double done = (double)progress->done_bytes / (double)progress->whole_bytes;
	const double share = done < 1 ? done : 1;
	human_format_size(progress->whole_bytes, whole);
	progress_bar_draw(share, "%3.0f %%  reading %s", share * 100, whole);
}

static void log_begin_progress(struct log_progress *progress, uint64_t whole_bytes)
{
	*progress = (struct log_progress){.whole_bytes = whole_bytes};
	progress->draws = whole_bytes > LOG_MUCH_BYTES && progress_bar_is_seen();
}

static void log_add_progress(struct log_progress *progress, uint64_t bytes)
{
	progress->done_bytes += bytes;
	const int64_t now_ns = progress->draws ? clock_monotonic_ns() : 0;
	if (!progress->draws || now_ns - progress->drawn_ns < LOG_PAUSE_NS)
		return;
	progress->drawn_ns = now_ns;
	log_draw_progress(progress);
}

static void log_end_progress(struct log_progress *progress)
{
	if (progress->draws)
		progress_bar_clear();
	progress->draws = false;
}

static bool log_is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

struct log *log_open(const char *const *paths, size_t count)
{
	struct log *log = say_need(calloc(1, sizeof *log));
	struct stat status;
	uint64_t whole_bytes = 0;
	log->count = count;
	log->files = say_need(calloc(count + 1, sizeof *log->files));
	log->identities = say_need(calloc(count + 1, sizeof *log->identities));
	log->block = say_need(malloc(LOG_BLOCK_BYTES));
	log->fd = -1;
	for (size_t i = 0; i < count; i++) {
		log->files[i].path = paths[i];
		if (!log_is_stdin(paths[i]) && stat(paths[i], &status) == 0 &&
		    S_ISREG(status.st_mode))
			whole_bytes += (uint64_t)status.st_size;
	}
	log_begin_progress(&log->progress, whole_bytes);
	return log;
}

void log_take_totals(struct log *log)
{
	log->takes_totals = true;
}

void log_close(struct log *log)
{
	if (log == NULL)
		return;
	if (log->fd >= 0)
		close(log->fd);
	log_end_progress(&log->progress);
	free(log->files);
	free(log->identities);
	free(log->block);
	free(log);
}

static bool log_was_read(const struct log *log, const struct stat *status)
{
	for (size_t i = 0; i + 1 < log->opened; i++)
		if (log->identities[i].device == status->st_dev &&
		    log->identities[i].inode == status->st_ino)
			return true;
	return false;
}

/*
 * Folders have no lines, and devices such as /dev/zero no end. A socket can only be stdin. fd: -1
 * before the file is opened.
 */
static bool log_is_readable(const struct stat *status, bool is_stdin, int fd)
{
	if (S_ISCHR(status->st_mode)) /* makedev: /dev/null */
		return status->st_rdev == makedev(1, 3) || (fd >= 0 && isatty(fd) == 1);
	return S_ISREG(status->st_mode) || S_ISFIFO(status->st_mode) ||
	       (is_stdin && S_ISSOCK(status->st_mode));
}

/* Checks that the opened file can hold records, and notes its identity and size. */
static enum log_trouble log_accept(struct log *log, struct log_file *file)
{
	struct stat status;
	if (fstat(log->fd, &status) != 0) {
		file->error = errno;
		return LOG_UNREADABLE;
	}
	if (!log_is_readable(&status, log_is_stdin(file->path), log->fd))
		return LOG_NO_FILE;
	log->regular = S_ISREG(status.st_mode);
	log->fifo = S_ISFIFO(status.st_mode) && !log_is_stdin(file->path);
	if (!log->regular)
		return LOG_FINE;
	if (log_was_read(log, &status))
		return LOG_TWICE;
	log->identities[log->opened - 1] = (struct log_identity){status.st_dev, status.st_ino};
	file->size_bytes = (uint64_t)status.st_size;
	log->left_bytes = file->size_bytes;
	posix_fadvise(log->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return LOG_FINE;
}

/* Opening alone may change a device. O_NONBLOCK: log_read waits for the writer of a pipe. */
static int log_open_file(struct log_file *file)
{
	const char *path = file->path;
	struct stat status;
	if (log_is_stdin(path))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	if (stat(path, &status) == 0 && !log_is_readable(&status, false, -1)) {
		file->trouble = LOG_NO_FILE;
		return -1;
	}
	return open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

static void log_begin_file(struct log *log)
{
	struct log_file *file = &log->files[log->opened++];
	log->fd = log_open_file(file);
	log->begin = log->end = 0;
	log->ended = log->passing = log->regular = log->fifo = false;
	if (log->fd < 0) {
		file->error = errno;
		file->trouble = file->trouble == LOG_FINE ? LOG_UNREADABLE : file->trouble;
		return;
	}
	file->trouble = log_accept(log, file);
	if (file->trouble == LOG_FINE)
		return;
	close(log->fd);
	log->fd = -1;
}

static void log_end_file(struct log *log, struct log_file *file)
{
	struct stat status;
	if (log->regular && fstat(log->fd, &status) == 0)
		file->grows = (uint64_t)status.st_size > file->size_bytes;
	close(log->fd);
	log->fd = -1;
}

/* Recognises gzip, zstd, xz and bzip2 by their first bytes. */
static bool log_is_compressed(const char *block, size_t size)
{
	static const char magic[][3] = {{'\x1f', '\x8b', '\x08'},
	                                {'\x28', '\xb5', '\x2f'},
	                                {'\xfd', '7', 'z'},
	                                {'B', 'Z', 'h'}};
	for (size_t i = 0; size >= sizeof magic[0] && i < sizeof magic / sizeof magic[0]; i++)
		if (memcmp(block, magic[i], sizeof magic[0]) == 0)
			return true;
	return false;
}

/* Some editors put a byte order mark in front of UTF-8. */
static size_t log_find_begin(const char *block, size_t size)
{
	static const char mark[] = {'\xef', '\xbb', '\xbf'};
	return size >= sizeof mark && memcmp(block, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

static void log_wait(int fd, int patience_ms)
{
	struct pollfd pipe = {.fd = fd, .events = POLLIN};
	poll(&pipe, 1, patience_ms);
}

/*
 * A pipe that was opened before its writer reads as empty at first. A pipe that is being written is
 * waited for as long as that takes.
 */
static ssize_t log_read(const struct log *log, struct log_file *file, size_t room)
{
	bool waited = !log->fifo || file->read_bytes > 0;
	for (;;) {
		const ssize_t got = room > 0 ? read(log->fd, log->block + log->end, room) : 0;
		if (got == 0 && waited && log->fifo && file->read_bytes == 0)
			file->trouble = LOG_NO_WRITER;
		if (got < 0 && errno == EAGAIN && !log->regular)
			log_wait(log->fd, -1);
		else if ((got == 0 && waited) || got > 0 || (got < 0 && errno != EINTR))
			return got;
		if (got == 0)
			log_wait(log->fd, LOG_PATIENCE_MS);
		waited = waited || got == 0;
	}
}

/*
 * Moves the unparsed bytes to the front of the block and reads behind them. Of a file that grows
 * only the bytes are read that were there when it was opened.
 */
static void log_fill(struct log *log, struct log_file *file)
{
	memmove(log->block, log->block + log->begin, log->end - log->begin);
	log->end -= log->begin;
	log->begin = 0;
	size_t room = LOG_BLOCK_BYTES - log->end;
	if (log->regular && room > log->left_bytes)
		room = (size_t)log->left_bytes;
	const ssize_t got = log_read(log, file, room);
	if (got < 0) {
		file->error = errno;
		file->trouble = LOG_UNREADABLE;
	}
	log->ended = got <= 0;
	if (got <= 0)
		return;
	if (file->read_bytes == 0 && log_is_compressed(log->block, (size_t)got)) {
		file->trouble = LOG_COMPRESSED;
		log->ended = true;
		return;
	}
	if (file->read_bytes == 0)
		log->begin = log_find_begin(log->block, (size_t)got);
	file->read_bytes += (uint64_t)got;
	log->left_bytes -= log->regular ? (uint64_t)got : 0;
	log->end += (size_t)got;
	log_add_progress(&log->progress, (uint64_t)got);
}

static void log_note_other(struct log_file *file)
{
	if (file->other_lines++ == 0)
		file->first_other_line = file->lines;
}

static void log_note_record(struct log_file *file, const struct log_record *record,
                            struct words unknown)
{
#define FIELD(key, type, help) | 1u << LOG_KEY_##key
#define FIELD_MAYBE(key, type, help)
	static const unsigned all = 0
#include "shim/record/field.def"
		;
	file->records++;
	file->lacking |= all & ~record->seen;
	if (unknown.text == NULL || file->unknown[0] != '\0')
		return;
	const size_t length =
		unknown.length < LOG_UNKNOWN_BYTES ? unknown.length : LOG_UNKNOWN_BYTES - 1;
	for (size_t i = 0; i < length; i++)
		file->unknown[i] =
			unknown.text[i] >= ' ' && unknown.text[i] <= '~' ? unknown.text[i] : '?';
}

/*
 * Whether the line is a record. whole: it ends with a newline; a last line without one may be the
 * beginning of a record.
 */
static bool log_take_line(struct log *log, struct log_file *file, size_t length, bool whole,
                          struct log_record *record)
{
	struct words unknown = {NULL, 0};
	const bool fine = log_parse(log->block + log->begin, length, record, &unknown);
	log->begin += length + (whole ? 1 : 0);
	file->lines++;
	record->file = log->opened - 1;
	const bool left_out = fine && record->total_calls > 0 && !log->takes_totals;
	file->totals_left_out += left_out;
	if (fine)
		log_note_record(file, record, unknown);
	else if (whole)
		log_note_other(file);
	else
		file->cut = true;
	return fine && !left_out;
}

/* Handles the last bytes of a file, which have no newline. Whether they are a record. */
static bool log_take_rest(struct log *log, struct log_file *file, struct log_record *record)
{
	const size_t length = log->end - log->begin;
	if (log->passing) {
		file->lines++;
		log_note_other(file);
		log->passing = false;
		log->begin = log->end;
		return false;
	}
	return length > 0 && log_take_line(log, file, length, false, record);
}

/* The next record of the open file; false at its end. */
static bool log_next_of_file(struct log *log, struct log_record *record)
{
	struct log_file *file = &log->files[log->opened - 1];
	for (;;) {
		const char *begin = log->block + log->begin;
		const size_t held = log->end - log->begin;
		const char *newline = memchr(begin, '\n', held);
		if (newline != NULL && log->passing) {
			log->begin = (size_t)(newline -
			                      /*
			                  * the rest of the long line counts as a line that is not a
			                  * record
			                  */
			                      log->block);
			log->passing = false;
		} else if (newline != NULL) {
			if (log_take_line(log, file, (size_t)(newline - begin), true, record))
				return true;
		} else if (log->ended) {
			const bool fine = log_take_rest(log, file, record);
			log_end_file(log, file);
			return fine;
		} else {
			log->passing = log->passing || held == LOG_BLOCK_BYTES;
			log->begin = log->passing ? log->end : log->begin;
			log_fill(log, file);
		}
	}
}

bool log_next(struct log *log, struct log_record *record)
{
	for (;;) {
		if (log->fd >= 0 && log_next_of_file(log, record))
			return true;
		if (log->fd >= 0)
			continue;
		if (log->opened == log->count)
			break;
		log_begin_file(log);
	}
	log_end_progress(&log->progress);
	return false;
}

size_t log_count_files(const struct log *log)
{
	return log->opened;
}

const struct log_file *log_file(const struct log *log, size_t file)
{
	return &log->files[file];
}
