/* emit.h - a report whose facts are written once, and come out as text or as JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_EMIT_H
#define GPUSHIM_CLI_COMMON_EMIT_H

#include "cli/common/json.h"
#include "cli/common/units.h"

/*
 * One report in one of its two forms: text in lines of the terminal's width, or one object of JSON
 * on one line. A command walks its facts once and calls the functions below; each function writes
 * only what belongs to the form that was asked for.
 *
 *	emit_open(emit, "call");                              JSON only: "call":{
 *	emit_label(emit, "call");                             text only: a label of 10 columns
 *	emit_text(emit, "routine", "%s", name);               both
 *	emit_size(emit, "bytes", ": %s", size_bytes);         text ": 4.50 MB", JSON "bytes":4500000
 *	emit_amount(emit, "flops", ", %s\n", flops, "flop");
 *	emit_number(emit, "flops_per_byte", NULL, intensity); JSON only
 *	emit_time(emit, EMIT_NO_KEY, " %10s\n", time_ns);     text only
 *	emit_close(emit);
 *
 * key: of the member of a JSON object, a literal; NULL in a JSON list; EMIT_NO_KEY where the fact
 * is not in the JSON. form: the text around the value, which stands in place of %s; a width as
 * printf has it may stand in between, "%-20s" or "%9s", and everything else is printed as it is.
 * NULL where the fact is not in the text.
 */
struct emit {
	struct json json; /* json.file: where either form goes */
	bool is_json, coloured;
	int columns, column; /* lines of text are cut after so many characters; 0: never */
	/* of emit.c: the width at which lines are broken, 0: never; the line so far */
	int width, hang;
	char *line;
	size_t used, size;
};

#define EMIT_NO_KEY ""

/*
 * Begins a report; in JSON it opens the outermost object. Text that goes to stdout or stderr is
 * coloured, and its lines are broken between words, as terminal.h says of that descriptor: behind a
 * label the lines continue at the label's end, else a little to the right of the line's beginning.
 */
void emit_begin(struct emit *emit, FILE *file, bool is_json);

/* In JSON closes the outermost object and ends its line. Does not flush. */
void emit_end(struct emit *emit);

/* JSON only: objects and lists. Each one that is opened has to be closed. */
void emit_open(struct emit *emit, const char *key);
void emit_close(struct emit *emit);
void emit_open_list(struct emit *emit, const char *key);
void emit_close_list(struct emit *emit);

/*
 * One fact: the number is exact in JSON, as json.h writes it, and rounded for people in the text,
 * as units.h does; a count that is wider than its form has three digits, "1.23G". Times are in ns.
 * In JSON a negative or infinite real number is null.
 */
void emit_text(struct emit *emit, const char *key, const char *form, const char *text);
void emit_count(struct emit *emit, const char *key, const char *form, uint64_t count);
void emit_integer(struct emit *emit, const char *key, const char *form, int64_t value);
void emit_size(struct emit *emit, const char *key, const char *form, uint64_t size_bytes);
void emit_time(struct emit *emit, const char *key, const char *form, double time_ns);
void emit_number(struct emit *emit, const char *key, const char *form, double ratio);
void emit_amount(struct emit *emit, const char *key, const char *form, double amount,
                 const char *unit);

/* JSON only. */
void emit_flag(struct emit *emit, const char *key, bool flag);
void emit_null(struct emit *emit, const char *key);

/* Text only: as printf; a label of 10 columns and a blank; part of whole in percent. */
void emit_print(struct emit *emit, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_label(struct emit *emit, const char *label);
void emit_share(struct emit *emit, const char *form, double part, double whole);

/*
 * Text only: what follows has this colour, up to the next call. Nothing where no colour is wanted.
 */
enum emit_colour { EMIT_PLAIN, EMIT_BOLD, EMIT_DIM, EMIT_RED, EMIT_GREEN, EMIT_YELLOW, EMIT_CYAN };
void emit_colour(struct emit *emit, enum emit_colour colour);

/*
 * Text only: a bar of at most width marks, one part behind the other. share: 0 to 1 of the width. A
 * single | where no part has as much as half a mark.
 */
struct emit_part {
	double share;
	char mark;
	enum emit_colour colour;
};
void emit_bar(struct emit *emit, int width, const struct emit_part *parts, int count);

#endif
