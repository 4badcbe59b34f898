/* child_output.c - a thread that copies the program's pipe to a file */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/child_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/common/say.h"

enum { CAPTURE_PIECE_BYTES = 1 << 16 };

int child_output_make_file(void)
{
	const char *folder = getenv("TMPDIR");
	char *path = say_text("%s/gpushim-output-XXXXXX",
	                      folder != NULL && folder[0] == '/' ? folder : "/tmp");
	const int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	else
		say("cannot keep the program's output in '%s': %s", path, say_error(errno));
	free(path);
	return fd;
}

/* The hash FNV-1a of G. Fowler, L. C. Noll and K.-P. Vo. */
static uint64_t child_output_hash(uint64_t hash, const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3;
	return hash;
}

/* After an error reading goes on, so that the program is not blocked by a full pipe. */
static void child_output_keep(struct child_output *capture, const char *bytes, size_t count)
{
	const uint64_t room = capture->total_bytes < CHILD_OUTPUT_KEPT_BYTES
	                              ? CHILD_OUTPUT_KEPT_BYTES - capture->total_bytes
	                              : 0;
	const size_t kept = count < room ? count : (size_t)room;
	capture->total_bytes += count;
	capture->rest =
		child_output_hash(capture->rest, (const unsigned char *)bytes + kept, count - kept);
	for (size_t done = 0; done < kept && capture->error == 0;) {
		const ssize_t wrote = write(capture->file, bytes + done, kept - done);
		if (wrote > 0)
			done += (size_t)wrote;
		else if (wrote == 0 || errno != EINTR)
			capture->error = wrote == 0 ? ENOSPC : errno;
	}
}

/*
 * Returns the bytes read, 0 once every process has closed the other end, -1 if the pipe is empty.
 */
static ssize_t child_output_take(struct child_output *capture)
{
	char bytes[CAPTURE_PIECE_BYTES];
	const ssize_t got = read(capture->outlet, bytes, sizeof bytes);
	if (got > 0)
		child_output_keep(capture, bytes, (size_t)got);
	return got;
}

/*
 * Reads what is in the pipe now: all that the program wrote before it ended. Waiting for the end of
 * the pipe could take for ever, because a descendant may keep it open.
 */
static void child_output_drain(struct child_output *capture)
{
	int left = 0;
	if (ioctl(capture->outlet, FIONREAD, &left) != 0)
		capture->error = errno;
	while (left > 0) {
		const ssize_t got = child_output_take(capture);
		if (got <= 0)
			break;
		left -= (int)got;
	}
	/* POLLHUP says that nobody has the pipe's other end any more. */
	struct pollfd end = {.fd = capture->outlet};
	capture->held = poll(&end, 1, 0) == 0;
}

static void *child_output_serve(void *argument)
{
	struct child_output *capture = argument;
	struct pollfd wanted[2] = {{.fd = capture->outlet, .events = POLLIN},
	                           {.fd = capture->stop, .events = POLLIN}};
	while (wanted[1].revents == 0) {
		if (poll(wanted, 2, -1) < 0)
			continue; /* interrupted */
		if (wanted[0].revents != 0 && child_output_take(capture) == 0)
			return NULL;
	}
	child_output_drain(capture);
	return NULL;
}

static void child_output_close(const int *descriptors, int count)
{
	for (int i = 0; i < count; i++)
		if (descriptors[i] >= 0)
			close(descriptors[i]);
}

/* The thread blocks all signals: the main thread has to forward them. */
static int child_output_begin_thread(struct child_output *capture)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	const int error = pthread_create(&capture->thread, NULL, child_output_serve, capture);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

bool child_output_start(struct child_output *capture)
{
	int ends[2] = {-1, -1}, error = 0;
	*capture =
		(struct child_output){.file = child_output_make_file(), .rest = 0xcbf29ce484222325};
	if (capture->file < 0)
		return false;
	capture->stop = eventfd(0, EFD_CLOEXEC);
	if (capture->stop < 0 || pipe2(ends, O_CLOEXEC) != 0 ||
	    fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
		error = errno;
	capture->outlet = ends[0];
	capture->inlet = ends[1];
	if (error == 0)
		error = child_output_begin_thread(capture);
	if (error == 0)
		return true;
	say("cannot read the program's output: %s", say_error(error));
	child_output_close((const int[]){capture->file, capture->stop, ends[0], ends[1]}, 4);
	capture->file = -1;
	return false;
}

void child_output_finish(struct child_output *capture)
{
	const uint64_t one = 1;
	close(capture->inlet);
	while (write(capture->stop, &one, sizeof one) < 0 && errno == EINTR)
		;
	pthread_join(capture->thread, NULL);
	close(capture->outlet);
	close(capture->stop);
}

void child_output_free(struct child_output *capture)
{
	if (capture->file >= 0)
		close(capture->file);
	capture->file = -1;
}
