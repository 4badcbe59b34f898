/* cli_top_json.c - an interval as one line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "cli/cli_top_view.h"
#include "shim/base/clock.h"

/* As in the log: UTC with microseconds. */
static void cli_top_json_time(void)
{
	const int64_t now_ns = clock_realtime_ns();
	const time_t seconds = (time_t)(now_ns / 1000000000);
	struct tm parts = {0};
	char text[32];
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &parts));
	printf("\"time\":\"%s.%06dZ\"", text, (int)(now_ns % 1000000000 / 1000));
}

/* The reader left nothing but printable ASCII in it. */
static void cli_top_json_program(const char *program)
{
	printf("\"program\":\"");
	for (; *program != '\0'; program++)
		printf(*program == '"' || *program == '\\' ? "\\%c" : "%c", *program);
	printf("\"");
}

static void cli_top_json_load(const struct cli_top_load *load)
{
	printf("\"calls\":%" PRIu64 ",\"gpu_calls\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"gpu_bytes\":%" PRIu64
	       ",\"gpu_ns\":%" PRIu64,
	       load->calls, load->gpu_calls, load->size_bytes, load->gpu_bytes, load->gpu_ns);
}

static void cli_top_json_reasons(const struct cli_top_count interval[REASON_COUNT])
{
	const char *comma = "";
	printf(",\"reasons\":{");
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		if (interval[reason].calls == 0)
			continue;
		printf("%s\"%s\":%" PRIu64, comma, reason_name((enum reason)reason), interval[reason].calls);
		comma = ",";
	}
	printf("}");
}

static void cli_top_json_memory(uint64_t now_bytes, uint64_t peak_bytes)
{
	printf(",\"device_bytes\":%" PRIu64 ",\"device_bytes_peak\":%" PRIu64, now_bytes, peak_bytes);
}

static void cli_top_json_row(const struct cli_top_row *row)
{
	const struct cli_top_sample *sample = &row->process->sample;
	printf("{\"pid\":%" PRId64 ",", sample->pid);
	cli_top_json_program(sample->program);
	printf(",\"state\":\"%s\",", cli_top_view_state(row->process->state));
	cli_top_json_load(&row->load);
	cli_top_json_memory(sample->device_bytes, sample->device_bytes_peak);
	cli_top_json_reasons(row->process->interval);
	printf("}");
}

void cli_top_json_view(const struct cli_top_view *view, const struct cli_top_watch *watch)
{
	size_t left_out = 0;
	for (int fault = 0; fault < CLI_TOP_FAULTS; fault++)
		left_out += watch->left_out[fault].count;
	printf("{");
	cli_top_json_time();
	printf(",\"seconds\":%.6f,\"processes\":[", view->seconds);
	for (size_t i = 0; i < view->row_count; i++) {
		printf(i > 0 ? "," : "");
		cli_top_json_row(&view->rows[i]);
	}
	printf("],\"total\":{");
	cli_top_json_load(&view->total);
	cli_top_json_memory(view->device_bytes, view->device_bytes_peak);
	cli_top_json_reasons(view->interval);
	printf("},\"dead_files\":%zu,\"left_out\":%zu}\n", watch->dead_files, left_out);
}
