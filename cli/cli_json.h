/* cli_json.h - writes JSON: the commas, the quotes, and null for numbers that JSON has none for */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_JSON_H
#define GPUSHIM_CLI_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Where JSON goes. follows: a value stands before the next one. breaks: the next one begins a line. */
struct cli_json {
	FILE *file;
	bool follows, breaks;
};

/* A value in an object has a key, which is a literal; in a list, and as the outermost value, its key is NULL. */
void cli_json_open_object(struct cli_json *json, const char *key);
void cli_json_close_object(struct cli_json *json);
void cli_json_open_list(struct cli_json *json, const char *key);
void cli_json_close_list(struct cli_json *json);
void cli_json_break_line(struct cli_json *json);

/* Closes the outermost object, and ends its line. */
void cli_json_end(struct cli_json *json);

/*
 * Paths, arguments and names are bytes, and JSON is UTF-8: each byte that is no part of a character becomes \ufffd, so
 * that what comes out is valid whatever goes in, and what is UTF-8 comes back as it was.
 */
void cli_json_put_text(struct cli_json *json, const char *key, const char *text);
void cli_json_put_flag(struct cli_json *json, const char *key, bool flag);
void cli_json_put_count(struct cli_json *json, const char *key, uint64_t count);
void cli_json_put_integer(struct cli_json *json, const char *key, int64_t value);
void cli_json_put_null(struct cli_json *json, const char *key);

/* A figure, in 9 digits; below 0 or without bound it is null. A sum, in 15 digits; without bound it is null. */
void cli_json_put_number(struct cli_json *json, const char *key, double value);
void cli_json_put_sum(struct cli_json *json, const char *key, double sum);

#endif
