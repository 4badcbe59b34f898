/* top_screen.c - takes over a terminal, and restores it however the tool ends */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/common/terminal.h"
#include "shim/base/clock.h"

enum { SCREEN_COLUMNS = 80, SCREEN_LINES = 24, SCREEN_LEAST_COLUMNS = 20, SCREEN_MOST = 500 };

static const int screen_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
enum { SCREEN_SIGNALS = sizeof screen_signals / sizeof screen_signals[0] };

/*
 * The state to restore: the terminal's settings where stdin is a terminal, the signal mask and the
 * actions of signals. While the terminal is taken, signals are delivered only in top_screen_poll.
 * listening: stdin has not ended.
 */
static struct {
	bool taken, has_keys, listening;
	struct termios keys;
	sigset_t open_mask;
	struct sigaction actions[SCREEN_SIGNALS];
} screen;

/* The last signal that came; SIGWINCH only where no other came. */
static volatile sig_atomic_t screen_signal;

static void top_screen_note(int signal)
{
	if (signal != SIGWINCH || screen_signal == 0)
		screen_signal = signal;
}

static bool top_screen_write(const char *text, size_t length)
{
	while (length > 0) {
		const ssize_t written = write(STDOUT_FILENO, text, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return false;
		text += written;
		length -= (size_t)written;
	}
	return true;
}

static bool top_screen_put(const char *text)
{
	return top_screen_write(text, strlen(text));
}

bool top_screen_is_usable(void)
{
	const char *term = getenv("TERM");
	return terminal_obeys(STDOUT_FILENO) && term != NULL && term[0] != '\0';
}

static void top_screen_take_signals(void)
{
	struct sigaction action = {.sa_handler = top_screen_note};
	sigset_t ours;
	sigemptyset(&ours);
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < SCREEN_SIGNALS; i++)
		sigaddset(&ours, screen_signals[i]);
	sigprocmask(SIG_BLOCK, &ours, &screen.open_mask);
	for (int i = 0; i < SCREEN_SIGNALS; i++) {
		sigaction(screen_signals[i], NULL, &screen.actions[i]);
		if (screen.actions[i].sa_handler != SIG_IGN)
			sigaction(screen_signals[i], &action, NULL);
	}
}

static void top_screen_give_signals(void)
{
	for (int i = 0; i < SCREEN_SIGNALS; i++)
		sigaction(screen_signals[i], &screen.actions[i], NULL);
	sigprocmask(SIG_SETMASK, &screen.open_mask, NULL);
}

void top_screen_enter(void)
{
	static bool registered;
	if (!registered && atexit(top_screen_leave) != 0)
		say_need(NULL);
	registered = true;
	top_screen_take_signals();
	screen.has_keys = tcgetattr(STDIN_FILENO, &screen.keys) == 0;
	screen.listening = screen.has_keys;
	screen.taken = true;
	if (screen.has_keys) {
		struct termios single = screen.keys;
		single.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		single.c_cc[VMIN] = 1;
		single.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &single);
	}
	top_screen_put("\033[?1049h\033[?25l\033[2J");
}

void top_screen_leave(void)
{
	if (!screen.taken)
		return;
	screen.taken = false;
	top_screen_put("\033[0m\033[?25h\033[?1049l");
	if (screen.has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &screen.keys);
	top_screen_give_signals();
}

static int top_screen_bound(int asked, int usual, int least)
{
	const int size = asked > 0 ? asked : usual;
	return size < least ? least : size > SCREEN_MOST ? SCREEN_MOST : size;
}

void top_screen_measure(struct top_page *page)
{
	struct winsize size = {0};
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		size = (struct winsize){0};
	page->columns = top_screen_bound(size.ws_col, SCREEN_COLUMNS, SCREEN_LEAST_COLUMNS);
	page->lines = top_screen_bound(size.ws_row, SCREEN_LINES, 5);
	page->coloured = terminal_is_coloured(STDOUT_FILENO);
}

/*
 * Draws the lines over the old ones with one write, so that nothing flickers. The last line has no
 * newline, which would scroll.
 */
bool top_screen_show(const char *text)
{
	char *frame = NULL;
	size_t size = 0;
	FILE *out = say_need(open_memstream(&frame, &size));
	fputs("\033[H", out);
	for (const char *line = text; *line != '\0';) {
		const size_t length = strcspn(line, "\n");
		fprintf(out, "%.*s\033[K", (int)length, line);
		line += length + (line[length] == '\n');
		if (*line != '\0')
			fputs("\r\n", out);
	}
	fputs("\033[J", out);
	if (fclose(out) != 0 || frame == NULL)
		say_need(NULL);
	const bool shown = top_screen_write(frame, size);
	free(frame);
	return shown;
}

/*
 * Lets the signal act as if it was not caught, so that the parent process learns which signal it
 * was.
 */
static void top_screen_obey(int signal)
{
	top_screen_leave();
	raise(signal);
	top_screen_enter();
}

/* false where stdin has ended. */
static bool top_screen_read_key(char *key)
{
	ssize_t got = 0;
	do
		got = read(STDIN_FILENO, key, 1);
	while (got < 0 && errno == EINTR);
	return got == 1;
}

/* Also delivers pending signals where no time is left. */
static bool top_screen_poll(int64_t until_ns, int *signal)
{
	const int64_t left_ns = until_ns - clock_monotonic_ns(),
		      wait_ns = left_ns > 0 ? left_ns : 0;
	const struct timespec wait = {wait_ns / 1000000000, wait_ns % 1000000000};
	struct pollfd keys = {.fd = screen.listening ? STDIN_FILENO : -1, .events = POLLIN};
	const bool has_key = ppoll(&keys, 1, &wait, &screen.open_mask) > 0;
	*signal = screen_signal;
	screen_signal = 0;
	return has_key;
}

enum top_event top_screen_wait(int64_t until_ns)
{
	do {
		char key = '\0';
		int signal = 0;
		const bool has_key = top_screen_poll(until_ns, &signal);
		if (signal != 0 && signal != SIGWINCH)
			top_screen_obey(signal);
		if (signal != 0)
			return TOP_RESIZED;
		if (has_key && !top_screen_read_key(&key))
			screen.listening = false;
		if (key == 'q' || key == 'Q')
			return TOP_QUIT;
	} while (clock_monotonic_ns() < until_ns);
	return TOP_TIME;
}
