/* capture.h - captures stderr as text */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_UNIT_CAPTURE_H
#define GPUSHIM_TESTS_UNIT_CAPTURE_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/driver/whole_messages.h"

struct capture {
	int saved, file;
	char text[32768];
};

/*
 * Redirects fd 2 to a file of the capture. O_APPEND: threads that write to a memfd share its
 * position without a lock.
 */
static inline void capture_begin(struct capture *capture)
{
	fflush(stderr);
	capture->saved = dup(STDERR_FILENO);
	capture->file = memfd_create("capture", 0);
	fcntl(capture->file, F_SETFL, O_APPEND);
	dup2(capture->file, STDERR_FILENO);
}

/* Restores fd 2 and returns the text written, terminated. */
static inline const char *capture_end(struct capture *capture)
{
	dup2(capture->saved, STDERR_FILENO);
	close(capture->saved);
	const ssize_t got = pread(capture->file, capture->text, sizeof capture->text - 1, 0);
	capture->text[got > 0 ? got : 0] = '\0';
	close(capture->file);
	return capture->text;
}

/* The same with each message in one line. */
static inline const char *capture_end_whole(struct capture *capture)
{
	capture_end(capture);
	return whole_messages_join(capture->text);
}

static inline int capture_count_lines(const char *text)
{
	int lines = 0;
	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

#endif
