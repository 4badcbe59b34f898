/* emit.c - writes each fact in the form that was asked for */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/emit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/common/terminal.h"
#include "cli/common/wrap.h"
#include "policy/text/number.h"

/* Columns of a label; how far a line's continuation is indented beyond an indented line. */
enum { EMIT_LABEL = 10, EMIT_HANG = 2, EMIT_LINE_BYTES = 128, EMIT_CODE_BYTES = 8 };

void emit_begin(struct emit *emit, FILE *file, bool is_json)
{
	const bool standard = file == stdout || file == stderr;
	*emit = (struct emit){.json.file = file, .is_json = is_json};
	emit->coloured = standard && terminal_is_coloured(fileno(file));
	emit->width = standard ? terminal_columns(fileno(file)) : 0;
	emit_open(emit, NULL);
}

/* Writes the line so far, in several lines where it is too long. */
static void emit_flush(struct emit *emit)
{
	const int blanks = (int)strspn(emit->line, " ");
	const int indent = emit->hang > 0 ? emit->hang : blanks > 0 ? blanks + EMIT_HANG : 0;
	char *lines = say_need(wrap_text(emit->line, emit->width, 0, indent));
	fputs(lines, emit->json.file);
	free(lines);
	emit->used = 0;
	emit->hang = 0;
}

void emit_end(struct emit *emit)
{
	if (emit->is_json)
		json_end(&emit->json);
	if (emit->used > 0)
		emit_flush(emit);
	free(emit->line);
	emit->line = NULL;
	emit->size = 0;
}

void emit_open(struct emit *emit, const char *key)
{
	if (emit->is_json)
		json_open_object(&emit->json, key);
}

void emit_close(struct emit *emit)
{
	if (emit->is_json)
		json_close_object(&emit->json);
}

void emit_open_list(struct emit *emit, const char *key)
{
	if (emit->is_json)
		json_open_list(&emit->json, key);
}

void emit_close_list(struct emit *emit)
{
	if (emit->is_json)
		json_close_list(&emit->json);
}

/* Whether the fact is written as JSON. */
static bool emit_has_key(const struct emit *emit, const char *key)
{
	return emit->is_json && (key == NULL || key[0] != '\0');
}

/* A whole line is kept up to its newline: only then it is known where it has to be broken. */
static void emit_keep(struct emit *emit, char letter)
{
	if (emit->used + 1 >= emit->size) {
		emit->size = 2 * emit->size + EMIT_LINE_BYTES;
		emit->line = say_need(realloc(emit->line, emit->size));
	}
	if (letter != '\n')
		emit->line[emit->used++] = letter;
	emit->line[emit->used] = '\0';
	if (letter == '\n') {
		emit_flush(emit);
		putc('\n', emit->json.file);
	}
}

static void emit_write(struct emit *emit, const char *text)
{
	for (; emit->width > 0 && *text != '\0'; text++)
		emit_keep(emit, *text);
	for (; *text != '\0'; text++) {
		if (*text == '\n')
			emit->column = -1;
		if (emit->column++ < emit->columns || emit->columns == 0)
			putc(*text, emit->json.file);
	}
}

void emit_print(struct emit *emit, const char *format, ...)
{
	char *text = NULL;
	va_list arguments;
	if (emit->is_json)
		return;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		say_need(NULL);
	va_end(arguments);
	emit_write(emit, text);
	free(text);
}

/* The form with the value in place of its %s. */
static void emit_put(struct emit *emit, const char *form, const char *value)
{
	const char *end = NULL;
	if (emit->is_json || form == NULL)
		return;
	const char *at = strchr(form, '%');
	if (at == NULL) {
		emit_write(emit, form);
		return;
	}
	const bool left = at[1] == '-';
	const int width = (int)number_scan_count(at + 1 + left, &end);
	emit_print(emit, "%.*s%*s%s", (int)(at - form), form, left ? -width : width, value,
	           end + 1);
}

/* The width in the form, 0 where there is none. */
static size_t emit_find_width(const char *form)
{
	const char *at = form != NULL ? strchr(form, '%') : NULL;
	return at != NULL ? number_scan_count(at + 1 + (at[1] == '-'), NULL) : 0;
}

void emit_text(struct emit *emit, const char *key, const char *form, const char *text)
{
	if (emit_has_key(emit, key))
		json_put_text(&emit->json, key, text);
	emit_put(emit, form, text);
}

void emit_count(struct emit *emit, const char *key, const char *form, uint64_t count)
{
	char text[HUMAN_BYTES];
	if (emit_has_key(emit, key))
		json_put_count(&emit->json, key, count);
	human_format_count(count, text);
	if (emit_find_width(form) > 0 && strlen(text) > emit_find_width(form))
		units_compact((double)count, text);
	emit_put(emit, form, text);
}

void emit_integer(struct emit *emit, const char *key, const char *form, int64_t value)
{
	char text[HUMAN_BYTES];
	if (emit_has_key(emit, key))
		json_put_integer(&emit->json, key, value);
	snprintf(text, sizeof text, "%lld", (long long)value);
	emit_put(emit, form, text);
}

void emit_size(struct emit *emit, const char *key, const char *form, uint64_t size_bytes)
{
	char text[HUMAN_BYTES];
	if (emit_has_key(emit, key))
		json_put_count(&emit->json, key, size_bytes);
	human_format_size(size_bytes, text);
	emit_put(emit, form, text);
}

void emit_time(struct emit *emit, const char *key, const char *form, double time_ns)
{
	char text[HUMAN_BYTES];
	if (emit_has_key(emit, key))
		json_put_number(&emit->json, key, time_ns);
	units_time(time_ns, text);
	emit_put(emit, form, text);
}

void emit_number(struct emit *emit, const char *key, const char *form, double ratio)
{
	char text[HUMAN_BYTES];
	if (emit_has_key(emit, key))
		json_put_number(&emit->json, key, ratio);
	units_ratio(ratio, text);
	emit_put(emit, form, text);
}

void emit_amount(struct emit *emit, const char *key, const char *form, double amount,
                 const char *unit)
{
	char text[HUMAN_BYTES];
	if (emit_has_key(emit, key))
		json_put_number(&emit->json, key, amount);
	units_amount(amount, unit, text);
	emit_put(emit, form, text);
}

void emit_flag(struct emit *emit, const char *key, bool flag)
{
	if (emit->is_json)
		json_put_flag(&emit->json, key, flag);
}

void emit_null(struct emit *emit, const char *key)
{
	if (emit->is_json)
		json_put_null(&emit->json, key);
}

void emit_label(struct emit *emit, const char *label)
{
	emit_print(emit, "%-*s ", EMIT_LABEL, label);
	emit->hang = EMIT_LABEL + 1;
}

void emit_share(struct emit *emit, const char *form, double part, double whole)
{
	char text[HUMAN_BYTES];
	units_share(part, whole, text);
	emit_put(emit, form, text);
}

void emit_colour(struct emit *emit, enum emit_colour colour)
{
	static const char *const code[] = {"0", "1", "2", "31", "32", "33", "36"};
	char text[EMIT_CODE_BYTES];
	if (!emit->coloured || emit->is_json)
		return;
	snprintf(text, sizeof text, "\033[%sm", code[colour]);
	if (emit->width > 0)
		emit_write(emit, text);
	else
		fputs(text, emit->json.file);
}

void emit_bar(struct emit *emit, int width, const struct emit_part *parts, int count)
{
	int drawn = 0;
	for (int i = 0; i < count; i++) {
		int marks = parts[i].share > 0 ? (int)(parts[i].share * width + 0.5) : 0;
		if (marks > width - drawn)
			marks = width - drawn;
		drawn += marks;
		if (marks == 0)
			continue;
		emit_colour(emit, parts[i].colour);
		while (marks-- > 0)
			emit_print(emit, "%c", parts[i].mark);
		emit_colour(emit, EMIT_PLAIN);
	}
	if (drawn == 0)
		emit_print(emit, "|");
}
