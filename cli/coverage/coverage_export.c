/* coverage_export.c - --export: every figure of the report as JSON, times in nanoseconds */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/common/json.h"
#include "cli/common/say.h"
#include "cli/coverage/coverage.h"

enum { EXPORT_VERSION = 1 };

static void coverage_export_spent(struct json *json, const char *key,
                                  const struct coverage_spent *spent)
{
	json_open_object(json, key);
	json_put_count(json, "wall_ns", spent->wall_ns);
	json_put_count(json, "thread_ns", spent->thread_ns);
	json_close_object(json);
}

static void coverage_export_sizes(struct json *json, const struct coverage_row *row)
{
	json_open_list(json, "largest");
	for (int i = 0; i < COUNT_SIZES; i++)
		if (row->sizes[i] > 0)
			json_put_integer(json, NULL, row->sizes[i]);
	json_close_list(json);
}

static void coverage_export_row(struct json *json, const struct coverage_row *row)
{
	json_break_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "routine", row->label);
	json_put_text(json, "library", row->provider);
	json_put_count(json, "calls", row->calls);
	coverage_export_sizes(json, row);
	json_put_count(json, "flops", row->flops);
	json_put_count(json, "calls_of_unknown_work", row->unsized);
	json_put_count(json, "large_calls", row->large_calls);
	json_put_count(json, "large_flops", row->large_flops);
	json_put_count(json, "wall_ns", row->spent.wall_ns);
	json_put_count(json, "thread_ns", row->spent.thread_ns);
	json_put_flag(json, "taken", row->reason == NULL);
	json_put_flag(json, "needs_audit", row->needs_audit);
	if (row->reason != NULL)
		json_put_text(json, "reason", row->reason);
	else
		json_put_null(json, "reason");
	json_close_object(json);
}

static void coverage_export_rows(struct json *json, const struct coverage_rows *rows)
{
	json_break_line(json);
	json_open_list(json, "routines");
	for (size_t i = 0; i < rows->count; i++)
		if (rows->rows[i].calls > 0)
			coverage_export_row(json, &rows->rows[i]);
	json_close_list(json);
}

static void coverage_export_outside(struct json *json, const struct coverage_times *times)
{
	json_break_line(json);
	json_open_list(json, "outside");
	for (int i = 0; i < COVERAGE_OUTSIDES; i++) {
		if (times->outside[i].thread_ns == 0)
			continue;
		json_open_object(json, NULL);
		json_put_text(json, "name", coverage_time_name((enum coverage_outside)i));
		json_put_count(json, "calls", times->outside_calls[i]);
		json_put_count(json, "wall_ns", times->outside[i].wall_ns);
		json_put_count(json, "thread_ns", times->outside[i].thread_ns);
		json_put_text(json, "advice", coverage_time_advise((enum coverage_outside)i));
		json_close_object(json);
	}
	json_close_list(json);
}

static void coverage_export_samples_of(struct json *json, const char *path,
                                       const struct count_samples *samples)
{
	const uint64_t thread_ns = atomic_load_explicit(&samples->thread_ns, memory_order_relaxed);
	if (thread_ns == 0)
		return;
	json_break_line(json);
	json_open_object(json, NULL);
	json_put_text(json, "file", path);
	json_put_count(json, "wall_ns",
	               atomic_load_explicit(&samples->wall_ns, memory_order_relaxed));
	json_put_count(json, "thread_ns", thread_ns);
	json_close_object(json);
}

/* One list for each process image. A sample counts for the innermost file alone. */
static void coverage_export_samples(struct json *json, const struct coverage_files *files)
{
	json_break_line(json);
	json_open_list(json, "samples");
	for (size_t i = 0; i < files->count; i++) {
		const struct count_file *file = files->files[i];
		for (int object = 0; object < COUNT_OBJECTS; object++)
			coverage_export_samples_of(json, file->objects[object].path,
			                           &file->objects[object].samples);
		coverage_export_samples_of(json, "", &file->unplaced);
	}
	json_close_list(json);
}

static void coverage_export_times(struct json *json, const struct coverage_files *files,
                                  const struct coverage_times *times)
{
	json_break_line(json);
	json_put_integer(json, "wall_ns", files->wall_ns);
	json_put_count(json, "processes", files->count);
	json_break_line(json);
	coverage_export_spent(json, "taken", &times->taken);
	coverage_export_spent(json, "taken_with_audit", &times->audit);
	coverage_export_spent(json, "other", &times->other);
	json_put_number(json, "at_best", coverage_time_bound(files, times->taken.wall_ns));
}

char *coverage_export_make(const struct coverage_files *files, const char *program)
{
	struct coverage_rows rows;
	struct coverage_times times;
	char *text = NULL;
	size_t size = 0;
	struct json json = {.file = say_need(open_memstream(&text, &size))};
	coverage_rows_make(&rows, files);
	coverage_time_sum(&times, files, &rows);
	json_open_object(&json, NULL);
	json_put_integer(&json, "version", EXPORT_VERSION);
	json_put_text(&json, "gpushim", GPUSHIM_VERSION);
	json_put_text(&json, "program", program);
	coverage_export_times(&json, files, &times);
	coverage_export_rows(&json, &rows);
	coverage_export_outside(&json, &times);
	coverage_export_samples(&json, files);
	json_end(&json);
	fclose(json.file);
	coverage_rows_free(&rows);
	return say_need(text);
}
