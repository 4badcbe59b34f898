/* cli_json.c - JSON, value by value */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_json.h"

#include <inttypes.h>
#include <math.h>

#include "page/utf8.h"

/* What stands between the value before and this one. */
static void cli_json_begin(struct cli_json *json, const char *key)
{
	if (json->follows)
		fputc(',', json->file);
	if (json->breaks)
		fputc('\n', json->file);
	if (key != NULL)
		fprintf(json->file, "\"%s\":", key);
	json->follows = true;
	json->breaks = false;
}

static void cli_json_open(struct cli_json *json, const char *key, char bracket)
{
	cli_json_begin(json, key);
	fputc(bracket, json->file);
	json->follows = false;
}

static void cli_json_close(struct cli_json *json, char bracket)
{
	fputc(bracket, json->file);
	json->follows = true;
}

void cli_json_open_object(struct cli_json *json, const char *key)
{
	cli_json_open(json, key, '{');
}

void cli_json_close_object(struct cli_json *json)
{
	cli_json_close(json, '}');
}

void cli_json_open_list(struct cli_json *json, const char *key)
{
	cli_json_open(json, key, '[');
}

void cli_json_close_list(struct cli_json *json)
{
	cli_json_close(json, ']');
}

void cli_json_break_line(struct cli_json *json)
{
	json->breaks = true;
}

void cli_json_end(struct cli_json *json)
{
	cli_json_close_object(json);
	fputc('\n', json->file);
}

void cli_json_put_text(struct cli_json *json, const char *key, const char *text)
{
	uint32_t character;
	cli_json_begin(json, key);
	fputc('"', json->file);
	for (int length; *text != '\0'; text += length) {
		length = utf8_read_character(text, &character);
		if (character == 0)
			fputs("\\ufffd", json->file);
		else if (character < ' ')
			fprintf(json->file, "\\u%04" PRIx32, character);
		else
			fprintf(json->file, "%s%.*s", character == '"' || character == '\\' ? "\\" : "", length, text);
	}
	fputc('"', json->file);
}

void cli_json_put_flag(struct cli_json *json, const char *key, bool flag)
{
	cli_json_begin(json, key);
	fputs(flag ? "true" : "false", json->file);
}

void cli_json_put_count(struct cli_json *json, const char *key, uint64_t count)
{
	cli_json_begin(json, key);
	fprintf(json->file, "%" PRIu64, count);
}

void cli_json_put_integer(struct cli_json *json, const char *key, int64_t value)
{
	cli_json_begin(json, key);
	fprintf(json->file, "%" PRId64, value);
}

void cli_json_put_null(struct cli_json *json, const char *key)
{
	cli_json_begin(json, key);
	fputs("null", json->file);
}

static void cli_json_put_real(struct cli_json *json, const char *key, double value, int digits)
{
	if (!isfinite(value)) {
		cli_json_put_null(json, key);
		return;
	}
	cli_json_begin(json, key);
	fprintf(json->file, "%.*g", digits, value);
}

void cli_json_put_number(struct cli_json *json, const char *key, double value)
{
	cli_json_put_real(json, key, value >= 0 ? value : INFINITY, 9);
}

void cli_json_put_sum(struct cli_json *json, const char *key, double sum)
{
	cli_json_put_real(json, key, sum, 15);
}
