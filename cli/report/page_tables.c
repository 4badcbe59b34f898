/* page_tables.c - tables of routines, reasons and callers, sorted by time */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/report/page_part.h"

/* Callers of a page; letters of a name that a phone keeps in sight while its table is scrolled. */
enum { TABLES_OBJECTS = 20, TABLES_NAME = 20 };

void page_part_write_share(double part, double whole, char out[HUMAN_BYTES])
{
	if (whole > 0)
		units_share(part, whole, out);
	else
		strcpy(out, "\u2013");
}

/* named: on a phone the first column stays in sight. */
static void page_tables_begin(struct html *page, const char *const *head, int count, int left,
                              bool named)
{
	html_enter(page, "div", named ? "table named" : "table");
	html_enter(page, "table", NULL);
	html_row(page, head, count, left, true);
}

static void page_tables_end(struct html *page)
{
	html_leave(page);
	html_leave(page);
}

/* A cell with a share as a number and a bar. */
static void page_tables_share(struct html *page, double part, double whole, const char *class)
{
	char text[HUMAN_BYTES];
	page_part_write_share(part, whole, text);
	html_enter(page, "td", "number");
	html_text(page, "%s", text);
	if (whole > 0)
		html_put(page,
		         "<span class=\"share\"><i class=\"%s\" style=\"width:%.1f%%\"></i></span>",
		         class, 100 * part / whole);
	html_leave(page);
}

static void page_tables_count(struct html *page, uint64_t count)
{
	char text[HUMAN_BYTES];
	human_format_count(count, text);
	html_line(page, "td", "number", "%s", text);
}

/* A dash where no call was timed. */
static void page_tables_time(struct html *page, double time_ns, uint64_t timed)
{
	char text[HUMAN_BYTES] = "\u2013";
	if (timed > 0)
		units_time(time_ns, text);
	html_line(page, "td", "number", "%s", text);
}

/* The cells of a routine or a caller: calls, time on each side, the GPU's share of it, regret. */
static void page_tables_sides(struct html *page, const struct log_sides *sides)
{
	const struct log_tally *cpu = &sides->side[TARGET_CPU], *gpu = &sides->side[TARGET_GPU];
	page_tables_count(page, cpu->calls + gpu->calls);
	page_tables_time(page, cpu->elapsed_ns, cpu->timed);
	page_tables_time(page, gpu->elapsed_ns, gpu->timed);
	page_tables_share(page, gpu->elapsed_ns, cpu->elapsed_ns + gpu->elapsed_ns, "gpu");
	page_tables_time(page, cpu->regret_ns + gpu->regret_ns, cpu->predicted + gpu->predicted);
}

static void page_tables_row(struct html *page, const char *name, const struct log_sides *sides)
{
	html_enter(page, "tr", NULL);
	html_enter(page, "td", NULL);
	html_line(page, "code", NULL, "%s", name);
	html_leave(page);
	page_tables_sides(page, sides);
	html_leave(page);
}

void page_part_put_routines(struct html *page, const struct log_sum *sum)
{
	static const char *const head[] = {"routine",  "calls",       "CPU time",
	                                   "GPU time", "GPU's share", "regret"};
	struct report_routine routines[REPORT_ROUTINES];
	const size_t count = report_group_routines(sum, routines);
	html_enter_section(
		page, "Routines",
		"Regret: by how much calls took longer than the other side was expected to.");
	if (count == 0)
		html_line(page, "p", "nothing", "There is no call in the log.");
	else
		page_tables_begin(page, head, 6, 1, true);
	for (size_t i = 0; i < count; i++) {
		char name[REPORT_NAME_BYTES];
		report_group_name_routine(routines[i].family, routines[i].element, name);
		page_tables_row(page, name, &routines[i].sides);
	}
	if (count > 0)
		page_tables_end(page);
	html_leave(page);
}

static void page_tables_bytes(struct html *page, double size_bytes)
{
	char text[HUMAN_BYTES];
	units_amount(size_bytes, "B", text);
	html_line(page, "td", "number", "%s", text);
}

/* A row has the bytes that were sent, those that were there, and the share of these. */
static void page_tables_put_traffic(struct html *page, const char *name,
                                    const struct log_tally *both)
{
	html_enter(page, "tr", NULL);
	html_enter(page, "td", NULL);
	html_line(page, "code", NULL, "%s", name);
	html_leave(page);
	page_tables_bytes(page, both->sent_bytes);
	page_tables_bytes(page, both->kept_bytes);
	page_tables_share(page, both->kept_bytes, both->sent_bytes + both->kept_bytes, "gpu");
	html_leave(page);
}

void page_part_put_traffic(struct html *page, const struct log_sum *sum)
{
	static const char *const head[] = {"routine", "sent to the GPU", "there already",
	                                   "share that was there"};
	struct report_routine routines[REPORT_ROUTINES];
	const size_t count = report_group_routines(sum, routines);
	if (report_group_both(&sum->total).kept_bytes <= 0)
		return;
	html_enter_section(page, "Operands that stayed on the GPU",
	                   "Bytes that were sent to the GPU, and bytes of operands that it had "
	                   "from earlier calls.");
	page_tables_begin(page, head, 4, 1, true);
	for (size_t i = 0; i < count; i++) {
		char name[REPORT_NAME_BYTES];
		const struct log_tally both = report_group_both(&routines[i].sides);
		report_group_name_routine(routines[i].family, routines[i].element, name);
		if (both.sent_bytes + both.kept_bytes > 0)
			page_tables_put_traffic(page, name, &both);
	}
	page_tables_end(page);
	html_leave(page);
}

static void page_tables_put_reason(struct html *page, const struct report_reason *row,
                                   enum target target, double whole_ns)
{
	html_enter(page, "tr", NULL);
	html_enter(page, "td", NULL);
	html_line(page, "code", NULL, "%s", report_group_name_reason(row->reason));
	html_line(page, "small", NULL, "%s",
	          row->reason < 0 ? "this version does not know the reason"
	                          : reason_sentence((enum reason)row->reason));
	html_leave(page);
	html_line(page, "td", NULL, "%s", target == TARGET_GPU ? "GPU" : "CPU");
	page_tables_count(page, row->tally.calls);
	page_tables_time(page, row->tally.elapsed_ns, row->tally.timed);
	page_tables_share(page, row->tally.elapsed_ns, whole_ns,
	                  target == TARGET_GPU ? "gpu" : "cpu");
	html_leave(page);
}

void page_part_put_reasons(struct html *page, const struct log_sum *sum)
{
	static const char *const head[] = {"reason", "ended on", "calls", "time",
	                                   "share of the time"};
	const struct log_tally both = report_group_both(&sum->total);
	html_enter_section(page, "Reasons", "Why calls ran where they did.");
	if (both.calls == 0)
		html_line(page, "p", "nothing", "There is no call in the log.");
	else
		page_tables_begin(page, head, 5, 2, false);
	for (int target = TARGET_CPU; target <= TARGET_GPU; target++) {
		struct report_reason rows[REPORT_REASONS];
		const size_t count = report_group_reasons(sum, (enum target)target, rows);
		for (size_t i = 0; i < count; i++)
			page_tables_put_reason(page, &rows[i], (enum target)target,
			                       both.elapsed_ns);
	}
	if (both.calls > 0)
		page_tables_end(page);
	html_leave(page);
}

void page_part_put_objects(struct html *page, const struct log_sum *sum)
{
	static const char *const head[] = {"caller",   "calls",       "CPU time",
	                                   "GPU time", "GPU's share", "regret"};
	const size_t shown =
		sum->object_count < TABLES_OBJECTS ? sum->object_count : TABLES_OBJECTS;
	const bool told = sum->object_count > 1 ||
	                  (sum->object_count == 1 && sum->objects[0].name[0] != '\0');
	bool brief = true;
	for (size_t i = 0; i < shown; i++)
		brief = brief && strlen(sum->objects[i].name) <= TABLES_NAME;
	html_enter_section(page, "Callers", "The program or library that made the call.");
	if (told)
		page_tables_begin(page, head, 6, 1, brief);
	else
		html_line(page, "p", "nothing", "The log does not tell who called.");
	for (size_t i = 0; i < shown && told; i++)
		page_tables_row(page,
		                sum->objects[i].name[0] == '\0' ? "unknown" : sum->objects[i].name,
		                &sum->objects[i].sides);
	if (told)
		page_tables_end(page);
	if (shown < sum->object_count)
		html_line(page, "p", "note", "%zu more callers took less time.",
		          sum->object_count - shown);
	html_leave(page);
}
