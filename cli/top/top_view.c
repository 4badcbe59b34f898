/* top_view.c - sums up an interval and sorts its rows */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/top/top_view.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"

/* A call that the GPU failed on ran on the CPU. */
static bool top_view_is_gpu(int reason)
{
	return reason_outcome((enum reason)reason) == OUTCOME_GPU;
}

static int top_view_compare_count(const struct top_count *a, const struct top_count *b)
{
	if (a->size_bytes != b->size_bytes)
		return a->size_bytes > b->size_bytes ? -1 : 1;
	return (a->calls < b->calls) - (a->calls > b->calls);
}

static struct top_load top_view_sum_up(const struct top_count interval[REASON_COUNT])
{
	struct top_load load = {.top = REASON_NONE};
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		const struct top_count *count = &interval[reason];
		load.calls += count->calls;
		load.size_bytes += count->size_bytes;
		if (top_view_is_gpu(reason)) {
			load.gpu_calls += count->calls;
			load.gpu_bytes += count->size_bytes;
			load.gpu_ns += count->elapsed_ns;
		}
		if (count->calls > 0 && top_view_compare_count(count, &interval[load.top]) < 0)
			load.top = (enum reason)reason;
	}
	return load;
}

static int top_view_compare_rows(const void *a, const void *b)
{
	const struct top_row *left = a, *right = b;
	const struct top_load *l = &left->load, *r = &right->load;
	if (l->gpu_ns != r->gpu_ns)
		return l->gpu_ns > r->gpu_ns ? -1 : 1;
	if (l->calls != r->calls)
		return l->calls > r->calls ? -1 : 1;
	if (left->process->sample.pid != right->process->sample.pid)
		return left->process->sample.pid < right->process->sample.pid ? -1 : 1;
	return (left->process->sample.start_ns > right->process->sample.start_ns) -
	       (left->process->sample.start_ns < right->process->sample.start_ns);
}

static void top_view_add(struct top_view *view, const struct top_process *process)
{
	view->rows[view->row_count++] =
		(struct top_row){process, top_view_sum_up(process->interval)};
	view->state_count[process->state]++;
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		view->interval[reason].calls += process->interval[reason].calls;
		view->interval[reason].elapsed_ns += process->interval[reason].elapsed_ns;
		view->interval[reason].size_bytes += process->interval[reason].size_bytes;
	}
	view->traffic.sent_bytes += process->traffic.sent_bytes;
	view->traffic.kept_bytes += process->traffic.kept_bytes;
	if (process->state != TOP_RUNNING)
		return;
	view->device_bytes += process->sample.device_bytes;
	view->device_bytes_peak += process->sample.device_bytes_peak;
}

static void top_view_order_reasons(struct top_view *view)
{
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		int place = view->reason_count;
		if (view->interval[reason].calls == 0)
			continue;
		for (; place > 0; place--) {
			const enum reason before = view->reasons[place - 1];
			if (top_view_compare_count(&view->interval[before],
			                           &view->interval[reason]) <= 0)
				break;
			view->reasons[place] = before;
		}
		view->reasons[place] = (enum reason)reason;
		view->reason_count++;
	}
}

void top_view_make(struct top_view *view, const struct top_watch *watch)
{
	*view = (struct top_view){.seconds = watch->seconds};
	view->rows = say_need(malloc((watch->count + 1) * sizeof *view->rows));
	for (size_t i = 0; i < watch->count; i++)
		if (watch->processes[i]->state == TOP_RUNNING || !watch->processes[i]->shown)
			top_view_add(view, watch->processes[i]);
	qsort(view->rows, view->row_count, sizeof *view->rows, top_view_compare_rows);
	view->total = top_view_sum_up(view->interval);
	top_view_order_reasons(view);
}

void top_view_free(struct top_view *view)
{
	free(view->rows);
	*view = (struct top_view){0};
}

double top_view_share(const struct top_load *load)
{
	if (load->size_bytes == 0)
		return -1;
	const double share = (double)load->gpu_bytes / (double)load->size_bytes;
	return share < 1 ? share : 1;
}

const char *top_view_state(enum top_state state)
{
	static const char *const names[] = {"running", "ended", "killed", "replaced"};
	return names[state];
}

static void top_view_clean(char *text)
{
	for (; *text != '\0'; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

static char *top_view_note_fault(const struct top_left_out *left_out, enum top_fault fault)
{
	char *note = NULL;
	if (left_out->count == 1)
		note = say_text("'%s' is left out: %s", left_out->name, top_read_describe(fault));
	else
		note = say_text("'%s' and %zu more are left out: %s", left_out->name,
		                left_out->count - 1, top_read_describe(fault));
	top_view_clean(note);
	return note;
}

/*
 * A new file is incomplete for a moment: a fault is reported only if the look before found it too.
 */
char *top_view_note(const struct top_watch *watch, int kind)
{
	if (kind == TOP_FAULTS && watch->dead_files > 0)
		return say_text(
			"killed processes left %zu %s of counters: `gpushim doctor` removes them",
			watch->dead_files, watch->dead_files == 1 ? "file" : "files");
	if (kind == TOP_FAULTS || watch->left_out[kind].count == 0 ||
	    watch->left_out[kind].before == 0)
		return NULL;
	return top_view_note_fault(&watch->left_out[kind], (enum top_fault)kind);
}
