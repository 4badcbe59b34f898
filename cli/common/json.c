/* json.c - writes JSON one value at a time */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/json.h"

#include <inttypes.h>
#include <math.h>

#include "page/utf8.h"

/* Writes what separates the value from the one before it, and its key. */
static void json_begin(struct json *json, const char *key)
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

static void json_open(struct json *json, const char *key, char bracket)
{
	json_begin(json, key);
	fputc(bracket, json->file);
	json->follows = false;
}

static void json_close(struct json *json, char bracket)
{
	fputc(bracket, json->file);
	json->follows = true;
}

void json_open_object(struct json *json, const char *key)
{
	json_open(json, key, '{');
}

void json_close_object(struct json *json)
{
	json_close(json, '}');
}

void json_open_list(struct json *json, const char *key)
{
	json_open(json, key, '[');
}

void json_close_list(struct json *json)
{
	json_close(json, ']');
}

void json_break_line(struct json *json)
{
	json->breaks = true;
}

void json_end(struct json *json)
{
	json_close_object(json);
	fputc('\n', json->file);
}

void json_put_text(struct json *json, const char *key, const char *text)
{
	uint32_t character;
	json_begin(json, key);
	fputc('"', json->file);
	for (int length; *text != '\0'; text += length) {
		length = utf8_read_character(text, &character);
		if (character == 0)
			fputs("\\ufffd", json->file);
		else if (character < ' ')
			fprintf(json->file, "\\u%04" PRIx32, character);
		else
			fprintf(json->file, "%s%.*s",
			        character == '"' || character == '\\' ? "\\" : "", length, text);
	}
	fputc('"', json->file);
}

void json_put_flag(struct json *json, const char *key, bool flag)
{
	json_begin(json, key);
	fputs(flag ? "true" : "false", json->file);
}

void json_put_count(struct json *json, const char *key, uint64_t count)
{
	json_begin(json, key);
	fprintf(json->file, "%" PRIu64, count);
}

void json_put_integer(struct json *json, const char *key, int64_t value)
{
	json_begin(json, key);
	fprintf(json->file, "%" PRId64, value);
}

void json_put_null(struct json *json, const char *key)
{
	json_begin(json, key);
	fputs("null", json->file);
}

static void json_put_real(struct json *json, const char *key, double value, int digits)
{
	if (!isfinite(value)) {
		json_put_null(json, key);
		return;
	}
	json_begin(json, key);
	fprintf(json->file, "%.*g", digits, value);
}

void json_put_number(struct json *json, const char *key, double value)
{
	json_put_real(json, key, value >= 0 ? value : INFINITY, 9);
}

void json_put_sum(struct json *json, const char *key, double sum)
{
	json_put_real(json, key, sum, 15);
}
