/* call_trace.c - reads recorded calls, and walks through them with loops unrolled */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/call_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t trace_repeat_most = 1000000, trace_threads_most = 4096,
		     trace_calls_most = INT64_C(1) << 33;

enum parse_part { PARSE_FIRST, PARSE_HEAD, PARSE_ROWS, PARSE_DONE };

/*
 * The state of reading. turns: of the loop that is open, else 1. calls, told: number of calls that
 * were read, and that the head promises.
 */
struct call_trace_parser {
	struct call_trace *trace;
	enum parse_part part;
	bool in_loop;
	int64_t turns;
	int64_t calls, told;
	char *message;
};

static void parse_copy_text(const struct call_trace_line *line, char text[TRACE_TEXT_BYTES])
{
	text[0] = '\0';
	for (int i = 1; i < line->words; i++) {
		const size_t used = strlen(text);
		snprintf(text + used, TRACE_TEXT_BYTES - used, "%s%s", i > 1 ? " " : "",
		         line->word[i]);
	}
}

static bool parse_is_text_key(const char *key)
{
	static const char *const keys[] = {"program", "version", "computes", "recorded",
	                                   "cpu",     "date",    "note"};
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	return false;
}

/* Reads a line of the head, whose last line is "calls N". */
static bool parse_head(struct call_trace_parser *parser, const struct call_trace_line *line)
{
	struct call_trace *trace = parser->trace;
	const char *key = line->word[0], *value = line->words > 1 ? line->word[1] : "";
	int64_t ignored;
	if (strcmp(key, "program") == 0)
		parse_copy_text(line, trace->program);
	if (strcmp(key, "version") == 0)
		parse_copy_text(line, trace->version);
	if (parse_is_text_key(key))
		return line->words > 1 ||
		       call_trace_refuse(parser->message,
		                         "a word of the head has nothing behind it");
	if (strcmp(key, "threads") == 0)
		return call_trace_line_count(value, "threads", 1, trace_threads_most,
		                             &trace->threads, parser->message);
	if (strcmp(key, "repeat") == 0)
		return call_trace_line_count(value, "repeat", 1, trace_repeat_most, &trace->repeat,
		                             parser->message);
	if (strcmp(key, "recorded_ns") == 0)
		return call_trace_line_count(value, "recorded_ns", 0, INT64_MAX, &ignored,
		                             parser->message);
	if (strcmp(key, "calls") != 0)
		return call_trace_refuse(parser->message, "the head has no word '%.40s'", key);
	if (trace->program[0] == '\0' || trace->threads == 0 || trace->repeat == 0)
		return call_trace_refuse(parser->message,
		                         "the head ends without program, threads and repeat");
	parser->part = PARSE_ROWS;
	return call_trace_line_count(value, "calls", 1, trace_calls_most, &parser->told,
	                             parser->message);
}

static int parse_find_shape(struct call_trace *trace, const struct call_trace_shape *shape)
{
	for (int i = trace->shape_count - 1; i >= 0; i--)
		if (memcmp(&trace->shape[i], shape, sizeof *shape) == 0)
			return i;
	memcpy(&trace->shape[trace->shape_count], shape, sizeof *shape);
	return trace->shape_count++;
}

static bool parse_loop(struct call_trace_parser *parser, const struct call_trace_line *line,
                       struct call_trace_step *step)
{
	if (parser->in_loop)
		return call_trace_refuse(parser->message, "a loop begins in another one");
	if (line->words != 2)
		return call_trace_refuse(parser->message,
		                         "a loop has one number, how often it is gone through");
	parser->in_loop = true;
	step->kind = TRACE_LOOP;
	if (!call_trace_line_count(line->word[1], "a loop", 1, trace_repeat_most, &step->count,
	                           parser->message))
		return false;
	parser->turns = step->count;
	return true;
}

static bool parse_end(struct call_trace_parser *parser, struct call_trace_step *step)
{
	const struct call_trace *trace = parser->trace;
	if (!parser->in_loop)
		return call_trace_refuse(parser->message, "'end' without a loop");
	if (trace->step[trace->step_count - 1].kind == TRACE_LOOP)
		return call_trace_refuse(parser->message, "a loop without calls");
	parser->in_loop = false;
	parser->turns = 1;
	step->kind = TRACE_END;
	return true;
}

static bool parse_done(struct call_trace_parser *parser)
{
	if (parser->in_loop)
		return call_trace_refuse(parser->message, "'done' inside a loop");
	if (parser->calls != parser->told)
		return call_trace_refuse(parser->message,
		                         "there are %lld calls, and the head says %lld",
		                         (long long)parser->calls, (long long)parser->told);
	parser->part = PARSE_DONE;
	return true;
}

static bool parse_row(struct call_trace_parser *parser, const struct call_trace_line *line)
{
	struct call_trace *trace = parser->trace;
	struct call_trace_step step = {.kind = TRACE_CALLS};
	struct call_trace_shape shape;
	if (strcmp(line->word[0], "done") == 0)
		return parse_done(parser);
	if (trace->step_count == TRACE_STEPS)
		return call_trace_refuse(parser->message, "the trace has too many rows");
	if (strcmp(line->word[0], "loop") == 0) {
		if (!parse_loop(parser, line, &step))
			return false;
	} else if (strcmp(line->word[0], "end") == 0) {
		if (!parse_end(parser, &step))
			return false;
	} else {
		if (!call_trace_line_calls(line, &shape, &step, parser->message))
			return false;
		step.shape = parse_find_shape(trace, &shape);
		parser->calls += step.count * parser->turns;
		if (parser->calls > parser->told)
			return call_trace_refuse(parser->message,
			                         "there are more calls than the head says");
	}
	trace->step[trace->step_count++] = step;
	return true;
}

static bool parse_line(struct call_trace_parser *parser, const char *text, size_t length)
{
	struct call_trace_line line;
	if (!call_trace_line_split(text, length, &line, parser->message))
		return false;
	if (line.words == 0 || line.word[0][0] == '#')
		return true;
	switch (parser->part) {
	case PARSE_FIRST:
		parser->part = PARSE_HEAD;
		return (line.words == 2 && strcmp(line.word[0], "trace") == 0 &&
		        strcmp(line.word[1], "1") == 0) ||
		       call_trace_refuse(parser->message, "a trace begins with 'trace 1'");
	case PARSE_HEAD: return parse_head(parser, &line);
	case PARSE_ROWS: return parse_row(parser, &line);
	case PARSE_DONE: break;
	}
	return call_trace_refuse(parser->message, "something stands behind 'done'");
}

static bool parse_text(struct call_trace_parser *parser, const char *text, size_t size_bytes)
{
	const char *const end = text + size_bytes;
	char sentence[TRACE_MESSAGE_BYTES];
	for (int number = 1; text < end; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const size_t length = (size_t)((newline != NULL ? newline : end) - text);
		if (!parse_line(parser, text, length)) {
			memcpy(sentence, parser->message, sizeof sentence);
			snprintf(parser->message, TRACE_MESSAGE_BYTES, "%d: %.230s", number,
			         sentence);
			return false;
		}
		text = newline != NULL ? newline + 1 : end;
	}
	return parser->part == PARSE_DONE ||
	       call_trace_refuse(parser->message,
	                         "the trace is cut off: it does not end with 'done'");
}

bool call_trace_parse(const char *text, size_t size_bytes, struct call_trace *trace,
                      char message[TRACE_MESSAGE_BYTES])
{
	struct call_trace_parser parser = {.trace = trace, .turns = 1, .message = message};
	memset(trace, 0, sizeof *trace);
	trace->shape = calloc(TRACE_STEPS, sizeof *trace->shape);
	trace->step = calloc(TRACE_STEPS, sizeof *trace->step);
	bool fine = trace->shape != NULL && trace->step != NULL;
	if (!fine)
		call_trace_refuse(message, "there is no memory for it");
	fine = fine && parse_text(&parser, text, size_bytes);
	if (!fine)
		call_trace_free(trace);
	return fine;
}

bool call_trace_read(const char *path, struct call_trace *trace, char message[TRACE_MESSAGE_BYTES])
{
	char sentence[TRACE_MESSAGE_BYTES];
	bool fine = false;
	char *text = malloc(TRACE_FILE_BYTES + 1);
	FILE *file = fopen(path, "re");
	if (text == NULL || file == NULL) {
		snprintf(sentence, sizeof sentence, "%s", strerror(errno));
	} else {
		const size_t size_bytes = fread(text, 1, TRACE_FILE_BYTES + 1, file);
		if (ferror(file))
			snprintf(sentence, sizeof sentence, "%s", strerror(errno));
		else if (size_bytes > TRACE_FILE_BYTES)
			snprintf(sentence, sizeof sentence, "the file has more than %d bytes",
			         TRACE_FILE_BYTES);
		else
			fine = call_trace_parse(text, size_bytes, trace, sentence);
	}
	if (!fine)
		snprintf(message, TRACE_MESSAGE_BYTES, "%.60s: %.190s", path, sentence);
	if (file != NULL)
		fclose(file);
	free(text);
	return fine;
}

void call_trace_free(struct call_trace *trace)
{
	free(trace->shape);
	free(trace->step);
	memset(trace, 0, sizeof *trace);
}

/* At the end of a loop: goes to its first step again, or behind it. */
static void walk_end(const struct call_trace *trace, struct call_trace_walk *walk)
{
	int begin = walk->at;
	while (trace->step[begin].kind != TRACE_LOOP)
		begin--;
	if (++walk->turn < trace->step[begin].count) {
		walk->at = begin + 1;
		return;
	}
	walk->turn = 0;
	walk->at++;
}

const struct call_trace_step *call_trace_next(const struct call_trace *trace,
                                              struct call_trace_walk *walk)
{
	while (walk->round < trace->repeat) {
		if (walk->at == trace->step_count) {
			walk->at = 0;
			walk->round++;
			continue;
		}
		const struct call_trace_step *step = &trace->step[walk->at];
		if (step->kind == TRACE_CALLS) {
			walk->at++;
			return step;
		}
		if (step->kind == TRACE_LOOP)
			walk->at++;
		else
			walk_end(trace, walk);
	}
	return NULL;
}
