/* report_head.c - whose calls these are: the programs, hosts, machines and dates of logs */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report_head.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { HEAD_TIME_BYTES = 32, HEAD_DAY = 10 };

static struct report_head report_head_find(const struct log_program *program, enum log_head key)
{
	struct report_head head = {.processes = program->processes};
	const char *measured = program->text[LOG_HEAD_measured];
	snprintf(head.value, sizeof head.value, "%s", program->text[key]);
	if (head.value[0] == '\0')
		strcpy(head.value, key == LOG_HEAD_machine ? "no profile" : "unknown");
	if (key == LOG_HEAD_machine && measured[0] != '\0')
		snprintf(head.note, sizeof head.note, "measured on %.*s", HEAD_DAY, measured);
	else if (key == LOG_HEAD_machine)
		strcpy(head.note, "assumed, not measured");
	return head;
}

size_t report_head_list(const struct log_sum *sum, enum log_head key,
                        struct report_head rows[REPORT_HEADS], size_t *others)
{
	size_t count = 0;
	*others = sum->other_programs;
	for (size_t i = 0; i < sum->program_count; i++) {
		const struct report_head head = report_head_find(&sum->programs[i], key);
		size_t row = 0;
		while (row < count && (strcmp(rows[row].value, head.value) != 0 ||
		                       strcmp(rows[row].note, head.note) != 0))
			row++;
		if (row < count)
			rows[row].processes += head.processes;
		else if (count < REPORT_HEADS)
			rows[count++] = head;
		else
			*others += head.processes;
	}
	return count;
}

static void report_head_format_time(int64_t time_ns, char out[HEAD_TIME_BYTES])
{
	const time_t seconds = (time_t)(time_ns / 1000000000);
	struct tm utc;
	out[0] = '\0';
	if (gmtime_r(&seconds, &utc) != NULL)
		strftime(out, HEAD_TIME_BYTES, "%Y-%m-%d %H:%M:%S", &utc);
}

void report_head_describe_date(const struct log_sum *sum, char out[REPORT_HEAD_BYTES])
{
	char first[HEAD_TIME_BYTES], last[HEAD_TIME_BYTES];
	if (sum->first_ns < 0) {
		strcpy(out, "not recorded");
		return;
	}
	report_head_format_time(sum->first_ns, first);
	report_head_format_time(sum->last_ns, last);
	const bool same_day = strncmp(first, last, HEAD_DAY) == 0;
	if (strcmp(first, last) == 0)
		snprintf(out, REPORT_HEAD_BYTES, "%s UTC", first);
	else
		snprintf(out, REPORT_HEAD_BYTES, "%s to %s UTC", first,
		         same_day ? last + HEAD_DAY + 1 : last);
}

/* The label of the first row of all is bold. */
static void report_head_put_label(struct emit *emit, enum log_head key, const char *label)
{
	emit_colour(emit, key == LOG_HEAD_program ? EMIT_BOLD : EMIT_PLAIN);
	emit_label(emit, label);
	emit_colour(emit, EMIT_PLAIN);
}

/* A row of the text for each program, host or machine. */
static void report_head_print_key(struct emit *emit, const struct log_sum *sum, enum log_head key,
                                  const char *label)
{
	struct report_head rows[REPORT_HEADS];
	size_t others;
	const size_t count = report_head_list(sum, key, rows, &others);
	report_head_put_label(emit, key, label);
	if (count == 0)
		emit_print(emit, "not recorded, as in logs of older versions\n");
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			emit_label(emit, "");
		emit_print(emit, rows[i].note[0] != '\0' ? "%s: %s" : "%s", rows[i].value,
		           rows[i].note);
		if (count > 1 || others > 0)
			emit_print(emit, " (%zu process%s)", rows[i].processes,
			           rows[i].processes == 1 ? "" : "es");
		emit_print(emit, "\n");
	}
	if (others > 0 && count > 0) {
		emit_label(emit, "");
		emit_print(emit, "and others (%zu process%s)\n", others, others == 1 ? "" : "es");
	}
}

void report_head_print(struct emit *emit, const struct log_sum *sum)
{
	char date[REPORT_HEAD_BYTES];
	report_head_print_key(emit, sum, LOG_HEAD_program, "program");
	if (sum->program_count > 0) {
		report_head_print_key(emit, sum, LOG_HEAD_host, "host");
		report_head_print_key(emit, sum, LOG_HEAD_machine, "machine");
	}
	report_head_describe_date(sum, date);
	emit_label(emit, "date");
	emit_print(emit, "%s\n", date);
}

void report_head_put_json(struct json *json, const struct log_sum *sum)
{
	json_open_list(json, "programs");
	for (size_t i = 0; i < sum->program_count; i++) {
		json_open_object(json, NULL);
		for (int key = 0; key < LOG_HEADS_SHARED; key++)
			json_put_text(json, log_head_names[key], sum->programs[i].text[key]);
		json_put_count(json, "processes", sum->programs[i].processes);
		json_close_object(json);
	}
	json_close_list(json);
}
