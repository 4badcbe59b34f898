/* coverage.h - what the parts of `gpushim coverage` share: the files of a run, and rows made of them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COVERAGE_COVERAGE_H
#define GPUSHIM_CLI_COVERAGE_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "audit/count/count_file.h"

enum { COVERAGE_LABEL_BYTES = COUNT_PATH_BYTES + 32 };

/* One per process image, the oldest first. refused: files that could not be read. */
struct coverage_files {
	struct count_file **files;
	size_t count, refused;
};

/*
 * What calls come to, by routine, or by the object that made them. counts: whether the flops are in
 * the sum of all.
 * is_elsewhere: a LAPACK routine whose work is that of BLAS calls in other rows. needs_audit: the
 * shim's audit library can take them, its preload cannot.
 */
struct coverage_row {
	char label[COVERAGE_LABEL_BYTES], provider[COUNT_PATH_BYTES];
	const char *reason; /* why the shim does not take them; NULL: it can */
	bool counts, is_elsewhere, needs_audit;
	uint64_t calls, unsized, flops, large_calls, large_flops, largest;
	int64_t sizes[COUNT_SIZES];
};

struct coverage_rows {
	struct coverage_row *rows;
	size_t count;
};

/* Reads the files of a folder; one sentence for each that cannot be used. */
void coverage_gather(struct coverage_files *files, const char *folder);
void coverage_gather_free(struct coverage_files *files);

/*
 * Adds up the cells of all files: by routine, what the shim can take first; and by calling object.
 */
void coverage_rows_make(struct coverage_rows *rows, const struct coverage_files *files);
void coverage_rows_make_callers(struct coverage_rows *rows, const struct coverage_files *files);
void coverage_rows_free(struct coverage_rows *rows);

/*
 * The table, what follows from it, what is in no count, and at the end what the shim can take.
 * program: the file that ran; wall_ns: how long. Of no files only what is in no count.
 */
void coverage_report(FILE *out, const struct coverage_files *files, const char *program,
                     int64_t wall_ns);

/* Sentences on what is in no count. file: the program's own, may be empty. */
void coverage_gaps_print(FILE *out, const struct coverage_files *files, const char *file);

/* The last part of a path, without what a terminal would act on. */
void coverage_clean_name(char *name, size_t size, const char *path);

#endif
