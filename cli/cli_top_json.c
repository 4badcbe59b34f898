/* cli_top_json.c - an interval as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <time.h>

#include "cli/cli_json.h"
#include "cli/cli_top_view.h"
#include "shim/base/clock.h"

/* As in the log: UTC with microseconds. */
static void cli_top_json_time(struct cli_json *json)
{
	const int64_t now_ns = clock_realtime_ns();
	const time_t seconds = (time_t)(now_ns / 1000000000);
	struct tm parts = {0};
	char text[64];
	const size_t used = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
	snprintf(text + used, sizeof text - used, ".%06dZ", (int)(now_ns % 1000000000 / 1000));
	cli_json_put_text(json, "time", text);
}

static void cli_top_json_load(struct cli_json *json, const struct cli_top_load *load)
{
	cli_json_put_count(json, "calls", load->calls);
	cli_json_put_count(json, "gpu_calls", load->gpu_calls);
	cli_json_put_count(json, "bytes", load->size_bytes);
	cli_json_put_count(json, "gpu_bytes", load->gpu_bytes);
	cli_json_put_count(json, "gpu_ns", load->gpu_ns);
}

static void cli_top_json_memory(struct cli_json *json, uint64_t now_bytes, uint64_t peak_bytes)
{
	cli_json_put_count(json, "device_bytes", now_bytes);
	cli_json_put_count(json, "device_bytes_peak", peak_bytes);
}

static void cli_top_json_reasons(struct cli_json *json, const struct cli_top_count interval[REASON_COUNT])
{
	cli_json_open_object(json, "reasons");
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (interval[reason].calls > 0)
			cli_json_put_count(json, reason_name((enum reason)reason), interval[reason].calls);
	cli_json_close_object(json);
}

static void cli_top_json_row(struct cli_json *json, const struct cli_top_row *row)
{
	const struct cli_top_sample *sample = &row->process->sample;
	cli_json_open_object(json, NULL);
	cli_json_put_integer(json, "pid", sample->pid);
	cli_json_put_text(json, "program", sample->program);
	cli_json_put_text(json, "state", cli_top_view_state(row->process->state));
	cli_top_json_load(json, &row->load);
	cli_top_json_memory(json, sample->device_bytes, sample->device_bytes_peak);
	cli_top_json_reasons(json, row->process->interval);
	cli_json_close_object(json);
}

void cli_top_json_view(const struct cli_top_view *view, const struct cli_top_watch *watch)
{
	struct cli_json json = {.file = stdout};
	size_t left_out = 0;
	for (int fault = 0; fault < CLI_TOP_FAULTS; fault++)
		left_out += watch->left_out[fault].count;
	cli_json_open_object(&json, NULL);
	cli_top_json_time(&json);
	cli_json_put_number(&json, "seconds", view->seconds);
	cli_json_open_list(&json, "processes");
	for (size_t i = 0; i < view->row_count; i++)
		cli_top_json_row(&json, &view->rows[i]);
	cli_json_close_list(&json);
	cli_json_open_object(&json, "total");
	cli_top_json_load(&json, &view->total);
	cli_top_json_memory(&json, view->device_bytes, view->device_bytes_peak);
	cli_top_json_reasons(&json, view->interval);
	cli_json_close_object(&json);
	cli_json_put_count(&json, "dead_files", watch->dead_files);
	cli_json_put_count(&json, "left_out", left_out);
	cli_json_end(&json);
}
