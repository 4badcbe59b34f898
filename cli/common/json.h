/* json.h - writes JSON: the commas, the quotes, and null for numbers that JSON has none for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_JSON_H
#define GPUSHIM_CLI_COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Where JSON goes. follows: a value stands before the next one. breaks: the next one begins a line.
 */
struct json {
	FILE *file;
	bool follows, breaks;
};

/*
 * A value in an object has a key, which is a literal; in a list, and as the outermost value, its
 * key is NULL.
 */
void json_open_object(struct json *json, const char *key);
void json_close_object(struct json *json);
void json_open_list(struct json *json, const char *key);
void json_close_list(struct json *json);
void json_break_line(struct json *json);

/* Closes the outermost object, and ends its line. */
void json_end(struct json *json);

/*
 * Paths, arguments and names are bytes, and JSON is UTF-8: each byte that is no part of a character
 * becomes \ufffd, so that what comes out is valid whatever goes in, and what is UTF-8 comes back as
 * it was.
 */
void json_put_text(struct json *json, const char *key, const char *text);
void json_put_flag(struct json *json, const char *key, bool flag);
void json_put_count(struct json *json, const char *key, uint64_t count);
void json_put_integer(struct json *json, const char *key, int64_t value);
void json_put_null(struct json *json, const char *key);

/*
 * A figure, in 9 digits; below 0 or without bound it is null. A sum, in 15 digits; without bound it
 * is null.
 */
void json_put_number(struct json *json, const char *key, double value);
void json_put_sum(struct json *json, const char *key, double sum);

#endif
