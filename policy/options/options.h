/* options.h - the options as a struct, set from text and shown as text; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_OPTIONS_OPTIONS_H
#define GPUSHIM_POLICY_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/options/routine_policy.h"
#include "policy/options/routine_threshold.h"
#include "policy/text/unit.h"

enum { OPTION_TEXT_BYTES = 1024, OPTION_MESSAGE_BYTES = 256, OPTION_KEY_BYTES = 64 };

/*
 * Types of the fields, by kind. A CHOICE field holds the index of its word in the row's range, a
 * constant of one of the enums below.
 */
#define OPTION_TYPE_SWITCH(key) bool key;
#define OPTION_TYPE_COUNT(key) uint64_t key;
#define OPTION_TYPE_BYTES(key) uint64_t key;
#define OPTION_TYPE_MEGABYTES(key) uint64_t key;
#define OPTION_TYPE_FLOPS(key) uint64_t key;
#define OPTION_TYPE_SECONDS(key) uint64_t key;
#define OPTION_TYPE_SHARE(key) double key;
#define OPTION_TYPE_CHOICE(key) int key;
#define OPTION_TYPE_TEXT(key) char key[OPTION_TEXT_BYTES];

struct options {
#define OPTION(kind, key, initial, range, help) OPTION_TYPE_##kind(key)
#include "policy/options/option.def"
	struct routine_thresholds thresholds; /* set by keys workload_threshold_<routine> */
	struct routine_policies policies;     /* set by keys policy_<routine> */
	/* whether a file or variable set workload_threshold; false: it is the built-in default */
	bool workload_threshold_given;
};

enum option {
#define OPTION(kind, key, initial, range, help) OPTION_##key,
#include "policy/options/option.def"
	OPTION_COUNT
};

enum option_kind { OPTION_SWITCH, OPTION_COUNT_KIND, OPTION_SHARE, OPTION_CHOICE, OPTION_TEXT };

/* Made of the lists of words in option.def that the ranges are made of. */
#define OPTION_WORD_ID(id, word) id,
enum policy { OPTION_POLICY_WORDS(OPTION_WORD_ID) };
enum math { OPTION_MATH_WORDS(OPTION_WORD_ID) };
enum warmup { OPTION_WARMUP_WORDS(OPTION_WORD_ID) };
enum fftw_planning { OPTION_FFTW_PLANNING_WORDS(OPTION_WORD_ID) };
enum residency { OPTION_RESIDENCY_WORDS(OPTION_WORD_ID) };
enum log_level { OPTION_LOG_LEVEL_WORDS(OPTION_WORD_ID) };
#undef OPTION_WORD_ID

enum { OPTION_NAME_BYTES = 24, OPTION_INITIAL_BYTES = 16, OPTION_HELP_BYTES = 384 };

/*
 * A row of option.def. Texts are in the table where they can be: the loader relocates their
 * addresses in every process. unit: of a COUNT or SHARE.
 */
struct option_row {
	enum option_kind kind;
	enum unit unit;
	char key[OPTION_NAME_BYTES], initial[OPTION_INITIAL_BYTES];
	const char *range;
	size_t offset; /* of the field in struct options */
};

extern const struct option_row option_table[OPTION_COUNT];
extern const char option_help[OPTION_COUNT][OPTION_HELP_BYTES];

/* Sets every option to its built-in default. */
void options_set_defaults(struct options *options);

/*
 * Sets the option with this key or former key (in any case; - equals _) from text. true on success;
 * on failure false, the option unchanged and one sentence in message: what is wrong, and the
 * nearest key or the allowed values (no newline, no program name in front). Allocates nothing and
 * does not depend on the locale.
 */
bool options_set(struct options *options, const char *key, const char *text,
                 char message[OPTION_MESSAGE_BYTES]);

/* The option whose key, or former key, equals name (as in options_set), or -1. */
int options_find(const char *name);

/* Whether name (as in options_set) is a former key of an option. */
bool options_is_former(struct words name);

/* The option's environment variable, EPOCHLY_GPU_<KEY>. */
enum { OPTION_VARIABLE_BYTES = OPTION_KEY_BYTES + 16 };
void options_name_variable(enum option option, char out[OPTION_VARIABLE_BYTES]);

/*
 * Applies what options imply for others, after all are set: deterministic turns policy auto into
 * threshold, also for single routines, and warmup into wait. The other policies predict nothing, or
 * compute on the CPU alone (dry), and stay.
 */
void options_settle(struct options *options);

/*
 * Whether options_set accepts name as a key: of an option, or of the threshold or policy of a
 * routine.
 */
bool options_has_key(const char *name);

/*
 * Writes the key that is nearest to name by edit distance (always terminated). false, and an empty
 * text, where none is near.
 */
bool options_find_nearest(const char *name, char nearest[OPTION_KEY_BYTES]);

/* Of the option summary: a word of a switch is "off" or "stderr", all else is the text itself. */
struct words options_read_place(struct words text);

/* memory_limit in bytes; 0: there is none. */
uint64_t options_find_memory(const struct options *options);

/* share_cpu as a part of 1; 0: off, and where options are deterministic; OPTIONS_SHARE_AUTO. */
enum { OPTIONS_SHARE_AUTO = -1 };
double options_find_cpu_share(const struct options *options);

/* Writes the value of the option as text (size bytes, always terminated). */
void options_get(const struct options *options, enum option option, char *out, size_t size);

/* Writes word number index of a CHOICE (size bytes, always terminated). */
void options_name_choice(enum option option, int index, char *out, size_t size);

/*
 * Reads one line of a config file: "key = value", "# comment" or blank; the value may stand in
 * double quotes. Returns as options_set does; true for comments and blank lines.
 */
bool options_parse_line(struct options *options, const char *line,
                        char message[OPTION_MESSAGE_BYTES]);

/*
 * Whether text matches one of the patterns, with * and ?, of a comma-separated list. An empty list
 * matches nothing.
 */
bool options_match_list(const char *list, const char *text);

#endif
