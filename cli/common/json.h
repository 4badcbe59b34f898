/* json.h - writes JSON: commas, quotes, and null for numbers that JSON cannot hold */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_JSON_H
#define GPUSHIM_CLI_COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The state of a JSON text. follows: a value stands before the next one. breaks: the next one
 * begins a line.
 */
struct json {
	FILE *file;
	bool follows, breaks;
};

/* key: of a value in an object, a literal; NULL in a list, and for the outermost value. */
void json_open_object(struct json *json, const char *key);
void json_close_object(struct json *json);
void json_open_list(struct json *json, const char *key);
void json_close_list(struct json *json);
void json_break_line(struct json *json);

/* Closes the outermost object, and ends its line. */
void json_end(struct json *json);

/*
 * Text comes from paths, arguments and names, which may hold any bytes. Each byte that is not part
 * of a UTF-8 character becomes \ufffd, so the JSON is valid; valid UTF-8 is kept.
 */
void json_put_text(struct json *json, const char *key, const char *text);
void json_put_flag(struct json *json, const char *key, bool flag);
void json_put_count(struct json *json, const char *key, uint64_t count);
void json_put_integer(struct json *json, const char *key, int64_t value);
void json_put_null(struct json *json, const char *key);

/*
 * A figure with 9 digits; null where it is negative or infinite. A sum with 15 digits; null where
 * it is infinite.
 */
void json_put_number(struct json *json, const char *key, double value);
void json_put_sum(struct json *json, const char *key, double sum);

#endif
