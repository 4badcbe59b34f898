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
 * refused: files that could not be used.
 */
struct coverage_files {
	struct count_file **files;
	size_t count, refused;
};

/*
 * The sums over the calls of one routine, or of one calling object. label: the routine or the
 * object. provider: the library that has the routine. reason: why the shim does not take the calls,
 * NULL if it can. counts: the flops are part of the total. is_elsewhere: a LAPACK routine whose
 * work is done in BLAS calls, which have rows of their own. needs_audit: the shim takes the calls
 * only with its audit library. unsized: calls whose work is not known. large_calls, large_flops: of
 * calls that reach workload_threshold. largest: the flops of the call that sizes belongs to.
 */
struct coverage_row {
	char label[COVERAGE_LABEL_BYTES], provider[COUNT_PATH_BYTES];
	const char *reason;
	bool counts, is_elsewhere, needs_audit;
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

/*
 * Writes the table, the reasons, the callers, what is not counted, and the share that the shim can
 * take; without files only what is not counted. program: the file that ran; wall_ns: its run time.
 */
void coverage_report(FILE *out, const struct coverage_files *files, const char *program,
                     int64_t wall_ns);

/* Writes sentences on calls that are not counted. file: the program's ELF file, may be empty. */
void coverage_gaps_print(FILE *out, const struct coverage_files *files, const char *file);

/* Copies the last part of a path; control characters become question marks. */
void coverage_clean_name(char *name, size_t size, const char *path);

#endif
