/* top_json.c - an interval as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <time.h>

#include "cli/common/json.h"
#include "cli/top/top_view.h"
#include "shim/base/clock.h"

/* As in the log: UTC with microseconds. */
static void top_json_time(struct json *json)
{
	const int64_t now_ns = clock_realtime_ns();
	const time_t seconds = (time_t)(now_ns / 1000000000);
	struct tm parts = {0};
	char text[64];
	const size_t used =
		strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
	snprintf(text + used, sizeof text - used, ".%06dZ", (int)(now_ns % 1000000000 / 1000));
	json_put_text(json, "time", text);
}

static void top_json_load(struct json *json, const struct top_load *load)
{
	json_put_count(json, "calls", load->calls);
	json_put_count(json, "gpu_calls", load->gpu_calls);
	json_put_count(json, "bytes", load->size_bytes);
	json_put_count(json, "gpu_bytes", load->gpu_bytes);
	json_put_count(json, "gpu_ns", load->gpu_ns);
}

static void top_json_memory(struct json *json, uint64_t now_bytes, uint64_t peak_bytes)
{
	json_put_count(json, "device_bytes", now_bytes);
	json_put_count(json, "device_bytes_peak", peak_bytes);
}

static void top_json_reasons(struct json *json, const struct top_count interval[REASON_COUNT])
{
	json_open_object(json, "reasons");
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (interval[reason].calls > 0)
			json_put_count(json, reason_name((enum reason)reason),
			               interval[reason].calls);
	json_close_object(json);
}

static void top_json_row(struct json *json, const struct top_row *row)
{
	const struct top_sample *sample = &row->process->sample;
	json_open_object(json, NULL);
	json_put_integer(json, "pid", sample->pid);
	json_put_text(json, "program", sample->program);
	json_put_text(json, "state", top_view_state(row->process->state));
	top_json_load(json, &row->load);
	top_json_memory(json, sample->device_bytes, sample->device_bytes_peak);
	top_json_reasons(json, row->process->interval);
	json_close_object(json);
}

void top_json_view(const struct top_view *view, const struct top_watch *watch)
{
	struct json json = {.file = stdout};
	size_t left_out = 0;
	for (int fault = 0; fault < TOP_FAULTS; fault++)
		left_out += watch->left_out[fault].count;
	json_open_object(&json, NULL);
	top_json_time(&json);
	json_put_number(&json, "seconds", view->seconds);
	json_open_list(&json, "processes");
	for (size_t i = 0; i < view->row_count; i++)
		top_json_row(&json, &view->rows[i]);
	json_close_list(&json);
	json_open_object(&json, "total");
	top_json_load(&json, &view->total);
	top_json_memory(&json, view->device_bytes, view->device_bytes_peak);
	top_json_reasons(&json, view->interval);
	json_close_object(&json);
	json_put_count(&json, "dead_files", watch->dead_files);
	json_put_count(&json, "left_out", left_out);
	json_end(&json);
}
