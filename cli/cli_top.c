/* cli_top.c - `gpushim top`: the processes with the shim, and what they do now */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cli_arguments.h"
#include "cli/cli_say.h"
#include "cli/cli_top_screen.h"
#include "cli/cli_top_view.h"
#include "policy/number.h"
#include "shim/base/clock.h"

enum { TOP_FOLDERS = 5, TOP_COLUMNS = 105, TOP_COUNT_MOST = 1000000000 };

/* count: intervals to show, 0 for no end. folders: ended by NULL. */
struct top {
	double interval_s;
	uint64_t count;
	bool counted, json;
	const char *folders[TOP_FOLDERS];
	struct cli_top_watch watch;
};

static bool cli_top_set_interval(struct top *top, const char *value)
{
	double interval_s = 0;
	if (value == NULL)
		return false;
	if (number_parse_real(value, strlen(value), &interval_s) == NUMBER_FINE && interval_s >= 0.1 &&
	    interval_s <= 3600) {
		top->interval_s = interval_s;
		return true;
	}
	cli_say("--interval cannot be '%s'; allowed: seconds, 0.1 to 3600", value);
	return false;
}

static bool cli_top_set_count(struct top *top, const char *value)
{
	uint64_t count = 0;
	if (value == NULL)
		return false;
	if (number_parse_count(value, strlen(value), &count) == NUMBER_FINE && count >= 1 && count <= TOP_COUNT_MOST) {
		top->count = count;
		top->counted = true;
		return true;
	}
	cli_say("--count cannot be '%s'; allowed: a whole number, 1 to %d", value, TOP_COUNT_MOST);
	return false;
}

static bool cli_top_set_folder(struct top *top, const char *value)
{
	struct stat status;
	if (value == NULL)
		return false;
	const int error = stat(value, &status) != 0 ? errno : !S_ISDIR(status.st_mode) ? ENOTDIR : 0;
	if (error != 0)
		cli_say("cannot look into '%s': %s", value, cli_say_error(error));
	top->folders[0] = value;
	return error == 0;
}

/* The option in hand. */
static bool cli_top_set_option(struct top *top, struct cli_arguments *arguments)
{
	if (cli_arguments_is(arguments, "interval"))
		return cli_top_set_interval(top, cli_arguments_take_value(arguments));
	if (cli_arguments_is(arguments, "count"))
		return cli_top_set_count(top, cli_arguments_take_value(arguments));
	if (cli_arguments_is(arguments, "folder"))
		return cli_top_set_folder(top, cli_arguments_take_value(arguments));
	if (cli_arguments_is(arguments, "json")) {
		top->json = true;
		return cli_arguments_check_flag(arguments);
	}
	cli_say("unknown option '%s'; allowed: --interval, --count, --folder, --json", arguments->word);
	return false;
}

/* Wherever the shim puts files of counters, whatever the environment of the program was. */
static void cli_top_choose_folders(struct top *top)
{
	const char *named = getenv("EPOCHLY_GPU_COUNTERS"), *runtime = getenv("XDG_RUNTIME_DIR");
	size_t count = 0;
	if (top->folders[0] != NULL)
		return;
	if (named != NULL && named[0] != '\0')
		top->folders[count++] = named;
	if (runtime != NULL && runtime[0] == '/')
		top->folders[count++] = runtime;
	top->folders[count++] = "/dev/shm";
	top->folders[count] = "/tmp";
}

static int64_t cli_top_interval_ns(const struct top *top)
{
	return (int64_t)(top->interval_s * 1e9);
}

static void cli_top_sleep_until(int64_t until_ns)
{
	const struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* Each kind once. said: those that were. */
static void cli_top_say_notes(const struct cli_top_watch *watch, bool said[CLI_TOP_FAULTS + 1])
{
	for (int kind = 0; kind <= CLI_TOP_FAULTS; kind++) {
		char *note = said[kind] ? NULL : cli_top_view_note(watch, kind);
		if (note != NULL)
			cli_say("%s", note);
		said[kind] = said[kind] || note != NULL;
		free(note);
	}
}

/* false where nobody reads it. */
static bool cli_top_print_interval(const struct top *top)
{
	const struct cli_top_page page = {.columns = TOP_COLUMNS};
	struct cli_top_view view;
	cli_top_view_make(&view, &top->watch);
	if (top->json) {
		cli_top_json_view(&view, &top->watch);
	} else {
		char *text = cli_top_print_view(&view, NULL, &page);
		fputs(text, stdout);
		free(text);
	}
	cli_top_view_free(&view);
	return fflush(stdout) == 0;
}

static void cli_top_run_plain(struct top *top)
{
	bool read = true, said[CLI_TOP_FAULTS + 1] = {false};
	cli_top_watch_look(&top->watch, top->folders);
	for (uint64_t shown = 0; read && (top->count == 0 || shown < top->count); shown++) {
		cli_top_watch_settle(&top->watch);
		cli_top_sleep_until(top->watch.looked_ns + cli_top_interval_ns(top));
		cli_top_watch_look(&top->watch, top->folders);
		if (shown > 0 && !top->json)
			putchar('\n');
		read = cli_top_print_interval(top);
		cli_top_say_notes(&top->watch, said);
	}
}

static bool cli_top_show_interval(const struct top *top)
{
	struct cli_top_page page;
	struct cli_top_view view;
	char *note = NULL;
	cli_top_screen_measure(&page);
	cli_top_view_make(&view, &top->watch);
	for (int kind = 0; kind <= CLI_TOP_FAULTS && note == NULL; kind++)
		note = cli_top_view_note(&top->watch, kind);
	char *text = cli_top_print_view(&view, note, &page);
	const bool shown = cli_top_screen_show(text);
	cli_top_view_free(&view);
	free(text);
	free(note);
	return shown;
}

/* The first look shows who is there; what they do takes a second one. */
static void cli_top_run_live(struct top *top)
{
	enum cli_top_event event = CLI_TOP_TIME;
	bool said[CLI_TOP_FAULTS + 1] = {false};
	cli_top_screen_enter();
	cli_top_watch_look(&top->watch, top->folders);
	for (uint64_t shown = 0; cli_top_show_interval(top) && (top->count == 0 || shown < top->count);) {
		event = cli_top_screen_wait(top->watch.looked_ns + cli_top_interval_ns(top));
		if (event == CLI_TOP_QUIT)
			break;
		if (event == CLI_TOP_RESIZED)
			continue;
		cli_top_watch_settle(&top->watch);
		cli_top_watch_look(&top->watch, top->folders);
		shown++;
	}
	cli_top_screen_leave();
	cli_top_say_notes(&top->watch, said);
}

int cli_top_serve(char **words)
{
	struct cli_arguments arguments = {.rest = words};
	struct top top = {.interval_s = 1};
	while (cli_arguments_take(&arguments))
		if (!cli_top_set_option(&top, &arguments))
			return CLI_USAGE;
	if (arguments.rest[0] != NULL)
		return cli_say_refusal("top takes options only, and '%s' is none", arguments.rest[0]);
	cli_top_choose_folders(&top);
	if (!top.counted)
		top.count = isatty(STDOUT_FILENO) ? 0 : 1;
	if (!top.json && cli_top_screen_is_usable())
		cli_top_run_live(&top);
	else
		cli_top_run_plain(&top);
	cli_top_watch_free(&top.watch);
	return CLI_FINE;
}
