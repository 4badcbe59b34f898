/* coverage.h - types and functions of the parts of `gpushim coverage` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COVERAGE_COVERAGE_H
#define GPUSHIM_CLI_COVERAGE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "audit/count/count_file.h"

enum { COVERAGE_LABEL_BYTES = COUNT_PATH_BYTES + 32 };

/*
 * files: of a run, one per process image (an exec starts a new one), the oldest first; owned.
 * refused: files that could not be used. wall_ns: of the program; end: when it had ended.
 */
struct coverage_files {
	struct count_file **files;
	size_t count, refused;
	int64_t wall_ns;
	struct count_moment end;
};

/* thread_ns: summed over the threads; wall_ns: while at least one of them was inside. */
struct coverage_spent {
	uint64_t thread_ns, wall_ns;
};

enum coverage_outside {
#define OUTSIDE_ROW(id, objects, name, advice) COVERAGE_##id,
#include "cli/coverage/coverage_outside.def"
	COVERAGE_OUTSIDES
};

/*
 * Where the program's time goes. taken: calls that the shim can take; audit: those for which it
 * needs its audit library; other: all else of BLAS, LAPACK and FFTW. outside_calls: 0 where calls
 * are not counted.
 */
struct coverage_times {
	struct coverage_spent taken, audit, other, outside[COVERAGE_OUTSIDES];
	uint64_t outside_calls[COVERAGE_OUTSIDES];
};

/*
 * The sums over the calls of one routine, or of one calling object. label: the routine or the
 * object. provider: the library that has the routine. reason: why the shim does not take the calls,
 * NULL if it can. counts: the flops are part of the total. is_elsewhere: a LAPACK routine whose
 * work is done in BLAS calls, which have rows of their own. needs_audit: the shim takes the calls
 * only with its audit library. unsized: calls whose work is not known. large_calls, large_flops: of
 * calls that reach workload_threshold. largest: the flops of the call that sizes belongs to. spent:
 * without the time of calls that have rows of their own. on_gpu: what these calls do is done on the
 * GPU if the shim takes them; planners only plan.
 */
struct coverage_row {
	char label[COVERAGE_LABEL_BYTES], provider[COUNT_PATH_BYTES];
	const char *reason;
	bool counts, is_elsewhere, needs_audit, on_gpu;
	struct coverage_spent spent;
	uint64_t calls, unsized, flops, large_calls, large_flops, largest;
	int64_t sizes[COUNT_SIZES];
};

struct coverage_rows {
	struct coverage_row *rows;
	size_t count;
};

/* Reads the files in a folder; one message for each that cannot be used. */
void coverage_gather(struct coverage_files *files, const char *folder);
void coverage_gather_free(struct coverage_files *files);

/*
 * Adds up the cells of all files: by routine, those that the shim can take first; or by calling
 * object. To be freed.
 */
void coverage_rows_make(struct coverage_rows *rows, const struct coverage_files *files);
void coverage_rows_make_callers(struct coverage_rows *rows, const struct coverage_files *files);
void coverage_rows_free(struct coverage_rows *rows);

/* The time of a cell or of a group. A call that is still active lasts until the program's end. */
struct coverage_spent coverage_time_read(const struct count_time *time,
                                         const struct coverage_files *files,
                                         const struct count_file *file);

/* The sum over all processes. */
struct coverage_spent coverage_time_add_up(const struct coverage_files *files,
                                           enum count_group group);

void coverage_time_sum(struct coverage_times *times, const struct coverage_files *files,
                       const struct coverage_rows *rows);

/* By how much the program would be faster if the calls of spent took no time at all; 1 or more. */
double coverage_time_bound(const struct coverage_files *files, uint64_t spent_ns);

/* "matmul of gfortran"; and what makes such a program call what the shim sees. */
const char *coverage_time_name(enum coverage_outside outside);
const char *coverage_time_advise(enum coverage_outside outside);

/*
 * Writes the table, the reasons, the callers, what is not counted, where the time goes, and what of
 * it the shim can take; without files only what is not counted. program: the file that ran.
 */
void coverage_report(FILE *out, const struct coverage_files *files, const char *program);

/* The same as one object of JSON, times in nanoseconds; as text, to be freed. */
char *coverage_export_make(const struct coverage_files *files, const char *program);

/* Writes sentences on calls that are not counted. file: the program's ELF file, may be empty. */
void coverage_gaps_print(FILE *out, const struct coverage_files *files, const char *file);

/* Prints start and text in lines of stderr's columns; all but the first are indented. */
void coverage_print_lines(FILE *out, int indent, const char *start, const char *text);

/* Copies the last part of a path; control characters become question marks. */
void coverage_clean_name(char *name, size_t size, const char *path);

/* Reads the options that the shim would have. Once, before the two below. */
void coverage_policy_load(void);
uint64_t coverage_policy_threshold(void);

/*
 * The end of a sentence on the work that the shim can take: what the options say of where it goes.
 * NULL where workload_threshold decides.
 */
const char *coverage_policy_tell(void);

#endif
