/* doctor_report.c - keeps the lines of the verdict and the facts until they are printed */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

__attribute__((format(printf, 1, 0))) static char *doctor_report_format(const char *format,
                                                                        va_list arguments)
{
	char *text = NULL;
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	return say_need(text);
}

void doctor_report_begin(struct doctor_report *report, const char *title)
{
	const size_t size = (report->section_count + 1) * sizeof *report->sections;
	report->current = 0;
	while (report->current < report->section_count &&
	       strcmp(report->sections[report->current].title, title) != 0)
		report->current++;
	if (report->current < report->section_count)
		return;
	report->sections = say_need(realloc(report->sections, size));
	report->sections[report->section_count++] = (struct doctor_section){.title = title};
}

void doctor_report_add(struct doctor_report *report, const char *format, ...)
{
	struct doctor_section *section = &report->sections[report->current];
	va_list arguments;
	section->facts =
		say_need(realloc(section->facts, (section->count + 1) * sizeof *section->facts));
	va_start(arguments, format);
	section->facts[section->count++] = doctor_report_format(format, arguments);
	va_end(arguments);
}

void doctor_report_find(struct doctor_report *report, enum doctor_state state, const char *name,
                        char *text, const char *advice, char *command)
{
	const size_t size = (report->check_count + 1) * sizeof *report->checks;
	report->checks = say_need(realloc(report->checks, size));
	report->checks[report->check_count++] = (struct doctor_check){
		state, name, text, advice != NULL ? say_need(strdup(advice)) : NULL, command};
}

void doctor_report_pass(struct doctor_report *report, const char *name, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	doctor_report_find(report, DOCTOR_OK, name, doctor_report_format(format, arguments), NULL,
	                   NULL);
	va_end(arguments);
}

bool doctor_report_has(const struct doctor_report *report, const char *name)
{
	for (size_t i = 0; i < report->check_count; i++)
		if (strcmp(report->checks[i].name, name) == 0)
			return true;
	return false;
}

static size_t doctor_report_rank(const struct doctor_check *check)
{
	static const char *const names[] = {"shim",      "driver",    "card",
	                                    "libraries", "residency", "options",
	                                    "preload",   "launcher",  "program"};
	size_t rank = 0;
	while (rank < sizeof names / sizeof names[0] && strcmp(names[rank], check->name) != 0)
		rank++;
	return rank;
}

/* Lines of one name stay in their order. */
void doctor_report_sort(struct doctor_report *report)
{
	for (size_t i = 1; i < report->check_count; i++) {
		const struct doctor_check check = report->checks[i];
		size_t at = i;
		for (; at > 0 &&
		       doctor_report_rank(&report->checks[at - 1]) > doctor_report_rank(&check);
		     at--)
			report->checks[at] = report->checks[at - 1];
		report->checks[at] = check;
	}
}

const struct doctor_check *doctor_report_worst(const struct doctor_report *report)
{
	const struct doctor_check *worst = NULL;
	for (size_t i = 0; i < report->check_count; i++) {
		const struct doctor_check *check = &report->checks[i];
		const enum doctor_state least = worst != NULL ? worst->state : DOCTOR_OK;
		if (check->state > least ||
		    (check->state == DOCTOR_FAILURE && strcmp(check->name, "program") == 0))
			worst = check;
	}
	return worst;
}

size_t doctor_report_count(const struct doctor_report *report, enum doctor_state state)
{
	size_t count = 0;
	for (size_t i = 0; i < report->check_count; i++)
		count += report->checks[i].state == state;
	return count;
}

static void doctor_report_free_section(struct doctor_section *section)
{
	for (size_t i = 0; i < section->count; i++)
		free(section->facts[i]);
	free(section->facts);
}

void doctor_report_free(struct doctor_report *report)
{
	for (size_t i = 0; i < report->check_count; i++) {
		free(report->checks[i].text);
		free(report->checks[i].advice);
		free(report->checks[i].command);
	}
	for (size_t i = 0; i < report->section_count; i++)
		doctor_report_free_section(&report->sections[i]);
	free(report->checks);
	free(report->sections);
	*report = (struct doctor_report){0};
}
