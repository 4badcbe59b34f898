/* emit.c - writes each fact in the form that was asked for */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/emit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "policy/text/number.h"

enum { EMIT_LABEL = 10 };

bool emit_wants_colour(void)
{
	const char *none = getenv("NO_COLOR");
	return (none == NULL || none[0] == '\0') && say_is_terminal(STDOUT_FILENO);
}

void emit_begin(struct emit *emit, FILE *file, bool is_json)
{
	*emit = (struct emit){.json.file = file, .is_json = is_json};
	emit->coloured = file == stdout && emit_wants_colour();
	emit_open(emit, NULL);
}

void emit_end(struct emit *emit)
{
	if (emit->is_json)
		json_end(&emit->json);
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

static void emit_write(struct emit *emit, const char *text)
{
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
	if (emit->coloured && !emit->is_json)
		fprintf(emit->json.file, "\033[%sm", code[colour]);
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
