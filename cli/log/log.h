/* log.h - reads logs of the shim, of any size: one record after the other, and one sentence per misfortune */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_H
#define GPUSHIM_CLI_LOG_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"
#include "policy/text/words.h"

/* The keys of field.def, in the order of a line. */
enum log_key {
#define FIELD(key, type, help) LOG_KEY_##key,
#include "shim/record/field.def"
	LOG_KEYS
};

/*
 * One record. Words are stretches of the line, escapes as they are written, valid until the next
 * record is asked for. Numbers that the line does not have are -1, words have length 0 and a NULL
 * text. What the tables know is resolved, else it is -1: a newer shim may know more.
 */
struct log_record {
	unsigned seen;   /* a bit 1u << LOG_KEY_... per key that the line has */
	size_t file;     /* which of the files; a process is a file and a pid */
	int64_t time_ns; /* when the call began, CLOCK_REALTIME */
	int64_t pid, tid;
	struct words symbol_name, symbol_name_routine, reason_name, object, math;
	int symbol;                  /* enum symbol of shim/table/symbol.h */
	int family, element, reason; /* enum family, enum element, enum reason */
	enum target target;
	int device;
	int64_t m, n, k, problems; /* of BLAS, as struct blas_call; problems of a batch */
	int rank; /* of a transform, whose lengths are dims, howmany times; 0 where there are none */
	int64_t dims[FFT_RANK_MAX], howmany;
	int64_t size_bytes,
		work_flops; /* the keys bytes and flops; 0 where it was not claimed (small transforms) */
	int64_t predicted_cpu_ns, predicted_gpu_ns, elapsed_ns;
};

/*
 * Reads one line of length bytes, without its newline. false where it is no record: not one whole
 * object of JSON, a value of another type than field.def has, a key twice, or neither symbol nor
 * target. Keys that are not known are passed over, and the first of them is left in *unknown (may
 * be NULL; else written only then). Allocates nothing.
 */
bool log_parse(const char *line, size_t length, struct log_record *record, struct words *unknown);

enum log_trouble {
	LOG_FINE,
	LOG_UNREADABLE, /* error says why */
	LOG_NO_FILE,    /* a directory, a socket, a disk */
	LOG_TWICE,      /* the file was read already, under this name or another one */
	LOG_COMPRESSED
};

enum { LOG_UNKNOWN_BYTES = 32 };

/* What came of one file. */
struct log_file {
	const char *path; /* as it was named; "-" is stdin */
	enum log_trouble trouble;
	int error;
	uint64_t size_bytes, read_bytes; /* size: when it was opened; 0 of a pipe */
	uint64_t lines, records, other_lines, first_other_line;
	bool cut; /* the last line has no end, and is no record as it is */
	bool grows; /* it was longer at the end than at the beginning: what came meanwhile is left out */
	unsigned lacking; /* a bit per key that some record does not have: an older version's */
	char unknown[LOG_UNKNOWN_BYTES]; /* the first key that is not known: a newer version's */
};

struct log;

/*
 * Opens nothing yet: each file is opened when its turn comes, one after the other, in the order of
 * paths, which must stay. Ends the tool where there is no memory. Freed by log_close.
 */
struct log *log_open(const char *const *paths, size_t count);

/*
 * The next record of any file; false at the end of the last. A file that cannot be read is passed
 * over.
 */
bool log_next(struct log *log, struct log_record *record);

/* The files so far (all of them after log_next returned false). */
size_t log_count_files(const struct log *log);
const struct log_file *log_file(const struct log *log, size_t file);

/*
 * One sentence on stderr per misfortune of each file, after the last record. Returns TOOL_FINE, or
 * TOOL_DIFFERENT where there was no record at all, which is said too: a command then ends with that
 * status.
 */
int log_tell(const struct log *log);

void log_close(struct log *log);

#endif
