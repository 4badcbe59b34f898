/* sink.c - appends text to files, which may be full, limited or pipes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "policy/decide/launch.h"
#include "policy/text/number.h"
#include "shim/base/variables.h"
#include "shim/record/signal_shield.h"

enum { SINK_FD_LEAST = 100 };

/* Beside the errors of the system; above every errno. */
enum { SINK_FOREIGN_LINK = 1 << 16, SINK_IRREGULAR };
enum { SINK_MODE = 0644 };

/* The kernel's own call: libc's getcwd may allocate. */
void sink_find_directory(char *out, size_t size)
{
	const long length = syscall(SYS_getcwd, out, size - 1);
	if (length <= 1 || out[0] != '/')
		out[0] = '\0';
	else
		memcpy(out + length - 1, "/", 2);
}

static bool sink_is_digits(const char *text)
{
	size_t length = 0;
	while (text[length] >= '0' && text[length] <= '9')
		length++;
	return length > 0 && length < NUMBER_DIGITS_BYTES && text[length] == '\0';
}

/* From the environment that MPI launchers set. Only a number may become part of a file name. */
static const char *sink_find_rank(void)
{
	static const char *const variable[] = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",   "PMI_ID",
		"MV2_COMM_WORLD_RANK",  "SLURM_PROCID", "PALS_RANKID"};
	for (size_t i = 0; i < sizeof(variable) / sizeof(variable[0]); i++) {
		const char *value = variables_find(variable[i]);
		if (value != NULL && sink_is_digits(value))
			return value;
	}
	return "0";
}

struct sink_name {
	char *out;
	size_t size, used;
};

static void sink_add(struct sink_name *name, const char *text)
{
	for (; *text != '\0'; text++, name->used++)
		if (name->used < name->size)
			name->out[name->used] = *text;
}

static void sink_add_host(struct sink_name *name)
{
	struct utsname system;
	if (uname(&system) != 0)
		system.nodename[0] = '\0';
	for (char *at = system.nodename; *at != '\0'; at++)
		if (*at == '/')
			*at = '_';
	sink_add(name, system.nodename[0] != '\0' ? system.nodename : "localhost");
}

/* Jobs have no name on a machine without a batch system: all are 0, as the rank without MPI is. */
static void sink_add_job(struct sink_name *name)
{
	const struct launch_world world = launch_describe_world(variables_find);
	const char *job = launch_name_job(&world);
	sink_add(name, job[0] != '\0' ? job : "0");
}

static void sink_add_field(struct sink_name *name, char letter)
{
	char text[NUMBER_DIGITS_BYTES] = {'%', letter, '\0'};
	switch (letter) {
	case 'h': sink_add_host(name); return;
	case 'j': sink_add_job(name); return;
	case 'r': sink_add(name, sink_find_rank()); return;
	case 'p': number_format_count((uint64_t)getpid(), text); break;
	case '%': text[1] = '\0'; break;
	default: break;
	}
	sink_add(name, text);
}

bool sink_expand_name(const char *pattern, char *out, size_t size)
{
	struct sink_name name = {out, size, 0};
	for (; *pattern != '\0'; pattern++) {
		const char plain[2] = {*pattern, '\0'};
		if (*pattern == '%' && pattern[1] != '\0')
			sink_add_field(&name, *++pattern);
		else
			sink_add(&name, plain);
	}
	if (name.used >= size)
		return false;
	out[name.used] = '\0';
	return true;
}

bool sink_make_path(const char *directory, const char *pattern, char path[SINK_PATH_BYTES])
{
	size_t used = 0;
	if (pattern[0] != '/') {
		used = strlen(directory);
		memcpy(path, directory, used);
	}
	return sink_expand_name(pattern, path + used, SINK_PATH_BYTES - used);
}

bool sink_names_process(const char *pattern)
{
	for (; *pattern != '\0'; pattern++) {
		if (*pattern != '%' || pattern[1] == '\0')
			continue;
		if (*++pattern == 'p')
			return true;
	}
	return false;
}

/* Programs close and reuse low numbers; on 0 to 2 the program's own output would go to our file. */
static int sink_move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, SINK_FD_LEAST);
	if (moved < 0 && fd > STDERR_FILENO)
		return fd;
	if (moved < 0)
		moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	const int error = errno;
	close(fd);
	return moved >= 0 ? moved : -error;
}

/* Returns the descriptor, or the error negated. */
static int sink_open_as(const char *path, int flags)
{
	int fd;
	do
		fd = open(path,
		          O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags,
		          SINK_MODE);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

/*
 * A link of another user, in /tmp or in that user's folder, may lead to a file that this user alone
 * can write. The kernel protects folders with the sticky bit only, and not everywhere.
 */
static bool sink_may_follow(const char *path)
{
	struct stat link;
	return lstat(path, &link) == 0 && (link.st_uid == 0 || link.st_uid == geteuid());
}

/* What is written to a disk's own device would replace what the disk holds. */
static bool sink_is_disk(int fd)
{
	struct stat status;
	return fstat(fd, &status) == 0 && S_ISBLK(status.st_mode);
}

int sink_open(const char *path)
{
	int fd = sink_open_as(path, O_NOFOLLOW);
	if (fd == -ELOOP)
		fd = sink_may_follow(path) ? sink_open_as(path, 0) : -SINK_FOREIGN_LINK;
	if (fd < 0 || !sink_is_disk(fd))
		return fd < 0 ? fd : sink_move_up(fd);
	close(fd);
	return -SINK_IRREGULAR;
}

/* All signals are blocked, or a timer of the program's could make the wait endless. */
static bool sink_has_room(int fd, int patience_ms)
{
	const struct timespec patience = {patience_ms / 1000, patience_ms % 1000 * 1000000L};
	struct pollfd full = {.fd = fd, .events = POLLOUT};
	sigset_t all;
	sigfillset(&all);
	return ppoll(&full, 1, &patience, &all) != 0;
}

/* After a write that wrote nothing: 0 if it is worth another try, else the error. */
static int sink_wait(int fd, int error, int patience_ms)
{
	if (error == EINTR)
		return 0;
	if (error != EAGAIN || patience_ms == 0)
		return error;
	return sink_has_room(fd, patience_ms) ? 0 : EAGAIN;
}

/*
 * At most size bytes. stderr is the program's: a write to a full pipe would wait without end, but
 * of PIPE_BUF bytes not after POLLOUT.
 */
static ssize_t sink_write_piece(int fd, const char *text, size_t size, int patience_ms)
{
	if (fd != STDERR_FILENO)
		return write(fd, text, size);
	errno = EAGAIN;
	if (!sink_has_room(fd, patience_ms))
		return -1;
	return write(fd, text, size < PIPE_BUF ? size : PIPE_BUF);
}

int sink_write_for(int fd, const char *text, size_t size, int patience_ms, size_t *done)
{
	struct signal_shield shield;
	int error = 0;
	*done = 0;
	signal_shield_begin(&shield);
	while (*done < size && error == 0) {
		const ssize_t written =
			sink_write_piece(fd, text + *done, size - *done, patience_ms);
		if (written > 0)
			*done += (size_t)written;
		else
			error = sink_wait(fd, written == 0 ? EIO : errno, patience_ms);
	}
	signal_shield_end(&shield, error == EFBIG || error == EPIPE);
	return error;
}

int sink_write(int fd, const char *text, size_t size)
{
	size_t done;
	return sink_write_for(fd, text, size, SINK_PATIENCE_MS, &done);
}

const char *sink_describe_error(int error)
{
	if (error == SINK_FOREIGN_LINK)
		return "it is a symbolic link of another user";
	if (error == SINK_IRREGULAR)
		return "it is a disk's own device";
	if (error == ENXIO)
		return "nobody reads it, or it is a socket";
	if (error == EAGAIN)
		return "it is full, and nobody reads it";
	const char *words = strerrordesc_np(error);
	return words != NULL ? words : "unknown error";
}
