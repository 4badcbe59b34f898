/* doctor_report.h - what the doctor found: lines of the verdict, and facts in sections */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_REPORT_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_REPORT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * DOCTOR_WARNING: the GPU can be used, but a setting does not do what it says. DOCTOR_FAILURE: the
 * calls stay on the CPU.
 */
enum doctor_state { DOCTOR_OK, DOCTOR_WARNING, DOCTOR_FAILURE };

/*
 * A line of the verdict. name: a static word, such as "driver". advice: a sentence on what to do
 * next; command: lines for a shell. Both are NULL where there is nothing to do, or no command for
 * it. The three texts are owned.
 */
struct doctor_check {
	enum doctor_state state;
	const char *name;
	char *text, *advice, *command;
};

/* Facts under a heading; title is a static string. */
struct doctor_section {
	const char *title;
	char **facts;
	size_t count;
};

struct doctor_report {
	struct doctor_check *checks;
	struct doctor_section *sections;
	size_t check_count, section_count, current;
};

/* Begins the section of this title, or continues it; facts belong to the last one of these. */
void doctor_report_begin(struct doctor_report *report, const char *title);
void doctor_report_add(struct doctor_report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A line of the verdict that finds nothing wrong. */
void doctor_report_pass(struct doctor_report *report, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Any other line; takes ownership of text and command, and copies advice, which may be NULL. */
void doctor_report_find(struct doctor_report *report, enum doctor_state state, const char *name,
                        char *text, const char *advice, char *command);

/* Whether a line of this name is there. */
bool doctor_report_has(const struct doctor_report *report, const char *name);

/* Orders the lines: driver, card, libraries, residency, options, launcher,
 * program. */
void doctor_report_sort(struct doctor_report *report);

/*
 * The first of the worst lines, but one on the program before all others that are as bad: nothing
 * is gained by repairing the machine for it. NULL where there is none but DOCTOR_OK.
 */
const struct doctor_check *doctor_report_worst(const struct doctor_report *report);

/* How many lines are in this state. */
size_t doctor_report_count(const struct doctor_report *report, enum doctor_state state);

void doctor_report_free(struct doctor_report *report);

#endif
