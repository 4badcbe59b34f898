/* diag.c - writes one bounded message by one write, without changing the program's state */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/diag.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long a full pipe at stderr is waited for, once; and how often, where signals end the wait. */
enum { DIAG_PATIENCE_NS = 100000000, DIAG_WAITS = 10 };

static const char diag_last_words[] = "; further messages are left out";
static const char diag_cut_mark[] = "...";

/*
 * Columns of a line; blanks before the lines of a message after its first; room for those of a
 * message whose lines have the usual columns.
 */
enum { DIAG_COLUMNS = 80, DIAG_INDENT = 9, DIAG_INDENTS_BYTES = 16 * DIAG_INDENT };

static int diag_columns = DIAG_COLUMNS;

static __thread bool diag_busy __attribute__((tls_model("initial-exec")));
static atomic_uint diag_count;
static void (*_Atomic diag_receiver)(const char *line, size_t length);

void diag_divert(void (*receive)(const char *line, size_t length))
{
	atomic_store(&diag_receiver, receive);
}

void diag_break_lines(int columns)
{
	diag_columns = columns;
}

/* Bytes that continue a letter of UTF-8 take no column. */
static bool diag_is_column(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

/*
 * Puts a newline in place of the blank at text[at], and blanks behind it as long as there is room
 * for them. Returns the new length.
 */
static size_t diag_break_at(char *text, size_t at, size_t length, size_t size)
{
	text[at] = '\n';
	if (size - length < DIAG_INDENT)
		return length;
	memmove(text + at + 1 + DIAG_INDENT, text + at + 1, length - at - 1);
	memset(text + at + 1, ' ', DIAG_INDENT);
	return length + DIAG_INDENT;
}

/*
 * Breaks text at the last blank of each line that is too long; none in the first head bytes. A word
 * that is longer than a line stays whole.
 */
static size_t diag_break(char *text, size_t head, size_t length, size_t size)
{
	size_t blank = 0;
	int column = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == ' ' && i >= head)
			blank = i;
		column += diag_is_column(text[i]);
		if (column <= diag_columns || blank == 0)
			continue;
		const size_t broken = diag_break_at(text, blank, length, size);
		i = blank + (broken - length);
		head = i + 1;
		column = (int)(broken - length);
		length = broken;
		blank = 0;
	}
	return length;
}

/* Takes one of the messages that the process may write: 1 for the first, 0 if none is left. */
static unsigned diag_take_number(void)
{
	unsigned count = atomic_load(&diag_count);
	do {
		if (count >= DIAG_MESSAGES_MAX)
			return 0;
	} while (!atomic_compare_exchange_weak(&diag_count, &count, count + 1));
	return count + 1;
}

/* Control characters in a file name must not look like a message of their own. */
static void diag_replace_controls(char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
}

static size_t diag_format(char line[DIAG_LINE_BYTES], const char *level, bool last,
                          const char *format, va_list args) __attribute__((format(printf, 4, 0)));

/*
 * Fills line, without a terminating 0, and returns its length. vsnprintf is safe here: glibc
 * allocates only for floating point, wide characters, positional arguments and widths above about a
 * thousand, and uses the locale only for ' and floating point; our formats have none of these.
 */
static size_t diag_format(char line[DIAG_LINE_BYTES], const char *level, bool last,
                          const char *format, va_list args)
{
	const char *ending = last ? diag_last_words : "";
	const size_t room = DIAG_LINE_BYTES - strlen(ending) - 1;
	size_t length = (size_t)snprintf(line, room, "gpushim: %s: ", level);
	const int wanted = vsnprintf(line + length, room - length, format, args);
	if (wanted < 0)
		return 0;
	if ((size_t)wanted < room - length) {
		length += (size_t)wanted;
	} else {
		length = room - 1;
		memcpy(line + length - strlen(diag_cut_mark), diag_cut_mark, strlen(diag_cut_mark));
	}
	diag_replace_controls(line, length);
	memcpy(line + length, ending, strlen(ending));
	length += strlen(ending);
	line[length] = '\n';
	return length + 1;
}

/* Takes back the SIGPIPE of our own write before the program can see it. */
static void diag_drop_sigpipe(const sigset_t *pipe_only)
{
	const struct timespec at_once = {0, 0};
	while (sigtimedwait(pipe_only, NULL, &at_once) == -1 && errno == EINTR)
		;
}

/*
 * stderr may be a pipe whose reader has stopped, or a stopped terminal, for which write would wait.
 * POLLOUT promises more room than a message takes. Signals of the program end a wait early; a wait
 * that begins anew each time would never end under a timer.
 */
static bool diag_has_room(void)
{
	static atomic_bool stalled;
	const struct timespec patience = {.tv_nsec = DIAG_PATIENCE_NS}, none = {.tv_nsec = 0};
	struct pollfd messages = {.fd = STDERR_FILENO, .events = POLLOUT};
	int ready = ppoll(&messages, 1, &none, NULL);
	for (int waits = 0; ready <= 0 && waits < DIAG_WAITS && !atomic_load(&stalled); waits++) {
		ready = ppoll(&messages, 1, &patience, NULL);
		if (ready == 0 || (ready < 0 && errno != EINTR))
			break;
	}
	atomic_store(&stalled, ready == 0 || (ready < 0 && errno == EINTR));
	return ready > 0 || (ready < 0 && errno != EINTR);
}

/*
 * stderr may be a pipe without a reader: SIGPIPE is blocked in this thread around the write, and
 * then dropped, unless one was pending before, which is the program's. SIGTTOU would stop a program
 * in the background whose terminal has the flag TOSTOP. Cancellation is disabled, since BLAS calls
 * are no cancellation points.
 */
static void diag_write(const char *line, size_t length)
{
	sigset_t blocked, pipe_only, before, pending;
	int cancel_state;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	blocked = pipe_only;
	sigaddset(&blocked, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	sigemptyset(&pending);
	sigpending(&pending);
	const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
	ssize_t written = 0;
	if (diag_has_room())
		do
			written = write(STDERR_FILENO, line, length);
		while (written < 0 && errno == EINTR);
	if (written < 0 && errno == EPIPE && !was_pending)
		diag_drop_sigpipe(&pipe_only);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_setcancelstate(cancel_state, NULL);
}

static void diag_say(const char *level, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void diag_say(const char *level, const char *format, va_list args)
{
	char line[DIAG_LINE_BYTES + DIAG_INDENTS_BYTES];
	void (*receive)(const char *, size_t) = atomic_load(&diag_receiver);
	if (diag_busy)
		return;
	const unsigned number = receive != NULL ? 1 : diag_take_number();
	if (number == 0)
		return;
	const int saved_errno = errno;
	diag_busy = true;
	size_t length = diag_format(line, level, number == DIAG_MESSAGES_MAX, format, args);
	if (length > 0 && receive != NULL)
		receive(line, length);
	if (length > 0 && receive == NULL) {
		/* The newline at the end is in no column. */
		length = diag_break(line, sizeof "gpushim: : " - 1 + strlen(level), length - 1,
		                    sizeof line - 1);
		line[length] = '\n';
		diag_write(line, length + 1);
	}
	diag_busy = false;
	errno = saved_errno;
}

void diag_warn(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_say("warn", format, args);
	va_end(args);
}

void diag_note(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_say("note", format, args);
	va_end(args);
}
