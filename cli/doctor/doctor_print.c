/* doctor_print.c - prints the report: the verdict, what to do next, details; as text or JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/common/emit.h"
#include "cli/common/say.h"
#include "cli/common/terminal.h"
#include "cli/common/tool.h"
#include "cli/common/wrap.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_shell.h"

/* Columns in front of a line's text: the mark and the name. */
enum { DOCTOR_MARK = 2, DOCTOR_NAME = 10, DOCTOR_TEXT = DOCTOR_MARK + DOCTOR_NAME + 1 };

static const char *const doctor_print_states[] = {"ok", "warning", "failure"};

/* Whether the locale, as setlocale would find it in the environment, is one of UTF-8. */
static bool doctor_print_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *locale = getenv(names[i]);
		if (locale != NULL && locale[0] != '\0')
			return strcasestr(locale, "utf-8") != NULL ||
			       strcasestr(locale, "utf8") != NULL;
	}
	return false;
}

static const char *doctor_print_find_mark(enum doctor_state state)
{
	static const char *const marks[][3] = {{"ok", "! ", "x "}, {"✓", "!", "✗"}};
	return marks[doctor_print_is_utf8()][state];
}

/* The escape sequences around a mark, "" where no colours are wanted. */
static const char *doctor_print_find_colour(enum doctor_state state)
{
	static const char *const colours[] = {"\033[32m", "\033[33m", "\033[31m"};
	return terminal_is_coloured(STDOUT_FILENO) ? colours[state] : "";
}

static const char *doctor_print_end_colour(void)
{
	return terminal_is_coloured(STDOUT_FILENO) ? "\033[0m" : "";
}

/* Names come from files and variables; a terminal would obey control characters. To be freed. */
static char *doctor_print_clean(const char *text, bool has_lines)
{
	char *clean = say_need(strdup(text));
	for (char *letter = clean; *letter != '\0'; letter++)
		if (((unsigned char)*letter < ' ' && !(has_lines && *letter == '\n')) ||
		    *letter == 0x7f)
			*letter = '?';
	return clean;
}

static enum doctor_state doctor_print_find_state(const struct doctor *doctor)
{
	const struct doctor_check *worst = doctor_report_worst(&doctor->report);
	return worst != NULL ? worst->state : DOCTOR_OK;
}

static int doctor_print_find_status(const struct doctor *doctor)
{
	static const int statuses[] = {TOOL_FINE, TOOL_WARNED, TOOL_DIFFERENT};
	return statuses[doctor_print_find_state(doctor)];
}

/* The sentence of the verdict, to be freed. */
static char *doctor_print_find_sentence(const struct doctor *doctor)
{
	const char *name = doctor->name;
	const size_t warnings = doctor_report_count(&doctor->report, DOCTOR_WARNING);
	switch (doctor_print_find_state(doctor)) {
	case DOCTOR_FAILURE:
		return name != NULL ? say_text("%s does not use the GPU here", name)
		                    : say_text("the GPU cannot be used here");
	case DOCTOR_WARNING:
		return say_text("%s can %s, but not all is as it was meant (%zu warning%s)",
		                name != NULL ? name : "the GPU",
		                name != NULL ? "use the GPU" : "be used", warnings,
		                warnings == 1 ? "" : "s");
	default:
		return name != NULL ? say_text("%s can use the GPU", name)
		                    : say_text("the GPU can be used");
	}
}

/* Where nothing is wrong: whether it pays, or which calls there are. The command is owned. */
static const char *doctor_print_find_next(const struct doctor *doctor, char **command)
{
	const struct doctor_check *worst = doctor_report_worst(&doctor->report);
	if (worst != NULL) {
		*command = worst->command != NULL ? say_need(strdup(worst->command)) : NULL;
		return worst->advice;
	}
	*command =
		doctor_shell_call(doctor->program_unknown ? "coverage" : "compare", doctor->words);
	return doctor->program_unknown ? "See which calls it makes, and what they take:"
	                               : "Find out whether it pays:";
}

static void doctor_print_check(enum doctor_state state, const char *name, const char *text)
{
	char *clean = doctor_print_clean(text, false);
	wrap_print(stdout, DOCTOR_TEXT, "%s%s%s %-*s %s", doctor_print_find_colour(state),
	           doctor_print_find_mark(state), doctor_print_end_colour(), DOCTOR_NAME, name,
	           clean);
	free(clean);
}

static void doctor_print_command(const char *command)
{
	char *clean = doctor_print_clean(command, true);
	for (char *line = clean, *state = NULL; (line = strtok_r(line, "\n", &state)) != NULL;
	     line = NULL)
		printf("    %s\n", line);
	free(clean);
}

static void doctor_print_next(const struct doctor *doctor)
{
	char *command = NULL;
	const char *advice = doctor_print_find_next(doctor, &command);
	say_section("what to do next");
	if (advice != NULL)
		say_fact("%s", advice);
	if (command != NULL)
		doctor_print_command(command);
	free(command);
}

/* Where there is no card, nothing is to be repaired: what one would gain is not asked twice. */
static bool doctor_print_is_idle(const struct doctor *doctor, const struct doctor_check *check)
{
	return strcmp(check->name, "driver") == 0 && !doctor->driver.has_card;
}

/* What else is to be done: the advice of the other lines. */
static void doctor_print_rest(const struct doctor *doctor)
{
	const struct doctor_report *report = &doctor->report;
	const struct doctor_check *worst = doctor_report_worst(report);
	bool begun = false;
	for (size_t i = 0; i < report->check_count; i++) {
		const struct doctor_check *check = &report->checks[i];
		if (check == worst || check->command == NULL || doctor_print_is_idle(doctor, check))
			continue;
		if (!begun)
			say_section("and then");
		begun = true;
		say_fact("%s", check->advice);
		doctor_print_command(check->command);
	}
}

static void doctor_print_sections(const struct doctor_report *report)
{
	for (size_t i = 0; i < report->section_count; i++) {
		const struct doctor_section *section = &report->sections[i];
		putchar('\n');
		say_section(section->title);
		for (size_t k = 0; k < section->count; k++)
			say_fact("%s", section->facts[k]);
	}
}

static void doctor_print_text(const struct doctor *doctor)
{
	const struct doctor_report *report = &doctor->report;
	const enum doctor_state state = doctor_print_find_state(doctor);
	char *sentence = doctor_print_find_sentence(doctor),
	     *clean = doctor_print_clean(sentence, false);
	wrap_print(stdout, DOCTOR_MARK, "%s%s%s %s", doctor_print_find_colour(state),
	           doctor_print_find_mark(state), doctor_print_end_colour(), clean);
	free(clean);
	free(sentence);
	putchar('\n');
	for (size_t i = 0; i < report->check_count; i++)
		doctor_print_check(report->checks[i].state, report->checks[i].name,
		                   report->checks[i].text);
	putchar('\n');
	doctor_print_next(doctor);
	doctor_print_rest(doctor);
	doctor_print_sections(report);
}

static void doctor_print_put(struct json *json, const char *key, const char *text)
{
	if (text != NULL)
		json_put_text(json, key, text);
	else
		json_put_null(json, key);
}

static void doctor_print_put_checks(struct json *json, const struct doctor_report *report)
{
	json_open_list(json, "checks");
	for (size_t i = 0; i < report->check_count; i++) {
		const struct doctor_check *check = &report->checks[i];
		json_open_object(json, NULL);
		json_put_text(json, "name", check->name);
		json_put_text(json, "state", doctor_print_states[check->state]);
		json_put_text(json, "text", check->text);
		doctor_print_put(json, "advice", check->advice);
		doctor_print_put(json, "command", check->command);
		json_close_object(json);
	}
	json_close_list(json);
}

static void doctor_print_put_sections(struct json *json, const struct doctor_report *report)
{
	json_open_object(json, "details");
	for (size_t i = 0; i < report->section_count; i++) {
		json_open_list(json, report->sections[i].title);
		for (size_t k = 0; k < report->sections[i].count; k++)
			json_put_text(json, NULL, report->sections[i].facts[k]);
		json_close_list(json);
	}
	json_close_object(json);
}

static void doctor_print_json(const struct doctor *doctor)
{
	struct json json = {.file = stdout};
	char *command = NULL, *sentence = doctor_print_find_sentence(doctor);
	const char *advice = doctor_print_find_next(doctor, &command);
	json_open_object(&json, NULL);
	json_put_text(&json, "verdict", doctor_print_states[doctor_print_find_state(doctor)]);
	json_put_text(&json, "sentence", sentence);
	json_put_integer(&json, "status", doctor_print_find_status(doctor));
	doctor_print_put(&json, "program", doctor->name);
	doctor_print_put_checks(&json, &doctor->report);
	json_open_object(&json, "next");
	doctor_print_put(&json, "advice", advice);
	doctor_print_put(&json, "command", command);
	json_close_object(&json);
	doctor_print_put_sections(&json, &doctor->report);
	json_end(&json);
	free(command);
	free(sentence);
}

int doctor_print(const struct doctor *doctor, bool as_json)
{
	if (as_json)
		doctor_print_json(doctor);
	else
		doctor_print_text(doctor);
	return doctor_print_find_status(doctor);
}
