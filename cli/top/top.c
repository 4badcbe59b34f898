/* top.c - `gpushim top`: the processes that use the shim, and their calls per second */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/command.h"
#include "cli/common/say.h"
#include "cli/common/terminal.h"
#include "cli/common/tool.h"
#include "cli/top/top_screen.h"
#include "cli/top/top_view.h"
#include "shim/base/clock.h"

enum { TOP_FOLDERS = 5 };

/*
 * count: intervals to show, 0 for no end. folders: ended by NULL. memory: whether shared memory is
 * looked at too.
 */
struct top {
	double interval_s;
	uint64_t count;
	bool json, memory;
	const char *folders[TOP_FOLDERS];
	struct top_watch watch;
};

static bool top_set_folder(struct top *top, const char *value)
{
	struct stat status;
	if (value == NULL)
		return true;
	const int error = stat(value, &status) != 0  ? errno
	                  : !S_ISDIR(status.st_mode) ? ENOTDIR
	                                             : 0;
	if (error != 0)
		say("cannot look into '%s': %s", value, say_error(error));
	top->folders[0] = value;
	return error == 0;
}

/* All folders in which the shim may store counters, whatever the program's environment was. */
static void top_choose_folders(struct top *top)
{
	const char *named = getenv("EPOCHLY_GPU_COUNTERS"), *runtime = getenv("XDG_RUNTIME_DIR");
	size_t count = 0;
	if (top->folders[0] != NULL)
		return;
	top->memory = true;
	if (named != NULL && named[0] != '\0')
		top->folders[count++] = named;
	if (runtime != NULL && runtime[0] == '/')
		top->folders[count++] = runtime;
	top->folders[count++] = "/dev/shm";
	top->folders[count] = "/tmp";
}

static int64_t top_interval_ns(const struct top *top)
{
	return (int64_t)(top->interval_s * 1e9);
}

static void top_sleep_until(int64_t until_ns)
{
	const struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* Prints each kind of note once. said: the kinds that were printed. */
static void top_say_notes(const struct top_watch *watch, bool said[TOP_FAULTS + 1])
{
	for (int kind = 0; kind <= TOP_FAULTS; kind++) {
		char *note = said[kind] ? NULL : top_view_note(watch, kind);
		if (note != NULL)
			say("%s", note);
		said[kind] = said[kind] || note != NULL;
		free(note);
	}
}

/* Writes one interval to file. */
static void top_write(const struct top *top, FILE *file, const struct top_page *page)
{
	struct emit emit;
	struct top_view view;
	top_view_make(&view, &top->watch);
	emit_begin(&emit, file, top->json);
	top_print(&emit, &view, &top->watch, page);
	emit_end(&emit);
	top_view_free(&view);
}

static void top_run_plain(struct top *top)
{
	bool read = true, said[TOP_FAULTS + 1] = {false};
	top_watch_look(&top->watch, top->folders, top->memory);
	for (uint64_t shown = 0; read && (top->count == 0 || shown < top->count); shown++) {
		top_watch_settle(&top->watch);
		top_sleep_until(top->watch.looked_ns + top_interval_ns(top));
		top_watch_look(&top->watch, top->folders, top->memory);
		if (shown > 0 && !top->json)
			putchar('\n');
		top_write(top, stdout,
		          &(struct top_page){.columns = terminal_columns(STDOUT_FILENO)});
		read = fflush(stdout) == 0;
		top_say_notes(&top->watch, said);
	}
}

/* false where the terminal is gone. */
static bool top_show_interval(const struct top *top)
{
	struct top_page page;
	char *note = NULL, *text = NULL;
	size_t size = 0;
	FILE *file = say_need(open_memstream(&text, &size));
	top_screen_measure(&page);
	for (int kind = 0; kind <= TOP_FAULTS && note == NULL; kind++)
		note = top_view_note(&top->watch, kind);
	page.note = note;
	top_write(top, file, &page);
	if (fclose(file) != 0 || text == NULL)
		say_need(NULL);
	const bool shown = top_screen_show(text);
	free(text);
	free(note);
	return shown;
}

/* The first look shows the processes; rates need a second look. */
static void top_run_live(struct top *top)
{
	enum top_event event = TOP_TIME;
	bool said[TOP_FAULTS + 1] = {false};
	top_screen_enter();
	top_watch_look(&top->watch, top->folders, top->memory);
	for (uint64_t shown = 0;
	     top_show_interval(top) && (top->count == 0 || shown < top->count);) {
		event = top_screen_wait(top->watch.looked_ns + top_interval_ns(top));
		if (event == TOP_QUIT)
			break;
		if (event == TOP_RESIZED)
			continue;
		top_watch_settle(&top->watch);
		top_watch_look(&top->watch, top->folders, top->memory);
		shown++;
	}
	top_screen_leave();
	top_say_notes(&top->watch, said);
}

int top_serve(struct top_arguments *arguments)
{
	struct top top = {.interval_s = arguments->interval,
	                  .count = arguments->count,
	                  .json = arguments->json};
	if (!top_set_folder(&top, arguments->folder))
		return TOOL_USAGE;
	top_choose_folders(&top);
	if (top.count == 0)
		top.count = isatty(STDOUT_FILENO) ? 0 : 1;
	if (!top.json && top_screen_is_usable())
		top_run_live(&top);
	else
		top_run_plain(&top);
	top_watch_free(&top.watch);
	return TOOL_FINE;
}
