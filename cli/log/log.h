/* log.h - reads logs of the shim record by record, and tells what is wrong with them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_H
#define GPUSHIM_CLI_LOG_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"
#include "policy/text/words.h"

/* The keys of field.def, in the order in which a line has them. */
enum log_key {
#define FIELD(key, type, help) LOG_KEY_##key,
#include "shim/record/field.def"
	LOG_KEYS
};

/* The keys of head.def, which the first record of a process has. */
enum log_head {
#define HEAD(key, help) LOG_HEAD_##key,
#include "shim/record/head.def"
	LOG_HEADS
};
extern const char *const log_head_names[LOG_HEADS];

/* The first of them, which each head has; the others tell of the launch of the process. */
enum {
	LOG_HEADS_SHARED = 0
#define HEAD(key, help) +1
#define HEAD_MAYBE(key, help)
#include "shim/record/head.def"
};

/*
 * One record. Words point into the line, with escapes as they are written, and are valid until the
 * next record is read. Absent numbers are -1; absent words have length 0 and a NULL text. Names
 * that the tables do not know (a newer shim's) have the number -1.
 */
struct log_record {
	unsigned seen;   /* a bit 1u << LOG_KEY_... for each key of the line */
	size_t file;     /* the number of the file; a process is a file and a pid */
	int64_t time_ns; /* when the call began, CLOCK_REALTIME */
	int64_t pid, tid;
	struct words symbol_name, symbol_name_routine, reason_name, object, math, dry_machine;
	struct words jobs, recipe; /* of LAPACK */
	struct words pci;          /* of the device, in the first record of a process on it */
	struct words head[LOG_HEADS];
	int symbol;                  /* enum symbol of shim/table/symbol.h */
	int family, element, reason; /* enum family, enum element, enum reason */
	enum target target;
	int device;
	int64_t m, n, k, problems; /* as in struct blas_call, lapack_call; problems: of a batch */
	int64_t nrhs, info, workspace_bytes; /* of LAPACK */
	int64_t sent_bytes, kept_bytes;      /* of a call that was tried on the GPU */
	double cpu_part; /* of such a call: what the CPU computed of it; times of both parts */
	int64_t cpu_part_ns, gpu_part_ns;
	bool nested; /* elapsed_ns is a part of that of another record */
	int rank;    /* of howmany transforms with the lengths dims; 0 where the line has none */
	int64_t dims[FFT_RANK_MAX], howmany;
	int64_t size_bytes,
		work_flops; /* the keys bytes and flops; 0 for small transforms, which have none */
	int64_t predicted_cpu_ns, predicted_gpu_ns, elapsed_ns;
	double verify_ratio; /* -1: not verified */
	/*
	 * 0 for one call. More: totals of a process, of which size_bytes and elapsed_ns are sums,
	 * time_ns is the process's end, and all else of a single call is absent.
	 */
	int64_t total_calls;
};

/*
 * Reads one line of length bytes, without its newline. false where it is not a record: not one
 * whole object of JSON, a value of another type than in field.def, a key twice, or no symbol or
 * target. Unknown keys are skipped; the first of them is stored in *unknown, which may be NULL and
 * is not written otherwise. Allocates nothing.
 */
bool log_parse(const char *line, size_t length, struct log_record *record, struct words *unknown);

/*
 * Writes the text that words of a record stand for, terminated: escapes of JSON are undone, and
 * what is no visible character becomes '?'. What does not fit is left out.
 */
void log_text_decode(struct words words, char *out, size_t size);

enum log_trouble {
	LOG_FINE,
	LOG_UNREADABLE, /* error is the errno */
	LOG_NO_FILE,    /* a directory, or a device that is no terminal */
	LOG_NO_WRITER,  /* a pipe that nobody opened for writing */
	LOG_TWICE,      /* the same file was read before, under this or another name */
	LOG_COMPRESSED
};

enum { LOG_UNKNOWN_BYTES = 32 };

/* What was read of one file. */
struct log_file {
	const char *path; /* as the command line names it; "-" is stdin */
	enum log_trouble trouble;
	int error;
	uint64_t size_bytes, read_bytes; /* size_bytes: when it was opened; 0 for a pipe */
	uint64_t lines, records, other_lines, first_other_line;
	uint64_t totals_left_out; /* of the records */
	bool cut;                 /* the last line has no newline and is not a record */
	bool grows;               /* it grew while it was read; what was added is not read */
	unsigned lacking; /* a bit for each key that some record lacks, as with an older version */
	char unknown[LOG_UNKNOWN_BYTES]; /* the first unknown key, as of a newer version */
};

struct log;

/*
 * Prepares to read the files of paths, which must stay valid; each file is opened when its turn
 * comes, in this order. Ends the tool where there is no memory. Freed by log_close.
 */
struct log *log_open(const char *const *paths, size_t count);

/* From now on log_next also returns totals; else they are left out, and log_tell says so. */
void log_take_totals(struct log *log);

/*
 * The next record; false after the last one of the last file. Files that cannot be read are
 * skipped.
 */
bool log_next(struct log *log, struct log_record *record);

/* The files that were opened so far: all of them once log_next has returned false. */
size_t log_count_files(const struct log *log);
const struct log_file *log_file(const struct log *log, size_t file);

/*
 * Prints a message on stderr for each thing that is wrong with a file; to be called after the last
 * record. Returns TOOL_FINE, or TOOL_DIFFERENT where there was no record, after a message that says
 * so: the command then ends with that status.
 */
int log_tell(const struct log *log);

void log_close(struct log *log);

#endif
