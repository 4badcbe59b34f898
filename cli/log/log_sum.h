/* log_sum.h - sums over the records of logs, in limited memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_SUM_H
#define GPUSHIM_CLI_LOG_LOG_SUM_H

#include "cli/log/log_ranks.h"
#include "cli/log/log_timeline.h"
#include "shim/table/symbol.h"

enum {
	LOG_BUCKETS = 48,  /* of sizes: 0: unknown; then from 1, 2, 5, 10, ... bytes on */
	LOG_CELLS = 8192,  /* routine x size x target x reason */
	LOG_OBJECTS = 256, /* callers: libraries and programs */
	LOG_PROCESSES = 65536,
	LOG_RATIOS = 241,    /* twelve per octave, from 1/1024 to 1024 */
	LOG_RATIO_ONE = 120, /* the bin of measured = predicted */
	LOG_RATIO_OCTAVE = 12,
	LOG_OBJECT_BYTES = 64,
	LOG_PROGRAMS = 64, /* programs, hosts and machines that differ */
	LOG_HEAD_BYTES = 160
};

/*
 * family, element and reason are -1 where the tables do not know them. bucket: see log_sum_bucket.
 */
struct log_cell {
	int family, element, bucket, reason;
	enum target target;
	struct log_tally tally;
};

struct log_object {
	char name[LOG_OBJECT_BYTES]; /* empty: not recorded */
	struct log_sides sides;
};

/* What the first record of some processes says; all of them say the same, but for their ranks. */
struct log_program {
	char text[LOG_HEADS_SHARED][LOG_HEAD_BYTES];
	size_t processes;
};

/* A histogram of measured / expected time, on the side that ran the call. */
struct log_spread {
	uint64_t count, bin[LOG_RATIOS];
};

/*
 * All sums are over the same records. What finds its table full is added to the others of that
 * table.
 */
struct log_sum {
	size_t files;    /* with at least one record */
	bool has_totals; /* some records are totals: their sizes are means */
	struct log_sides total;
	size_t cell_count, object_count, process_count;
	struct log_cell *cells; /* log_sum_end sorts them by routine, size, target, reason */
	struct log_sides other_cells;
	struct log_sides symbols[SYMBOL_COUNT + 1]; /* the last: names not in the tables */
	struct log_object objects[LOG_OBJECTS];
	struct log_sides other_objects;
	struct log_process *processes;
	struct log_sides other_processes;
	/* in the order in which they came; other_programs: processes of further ones */
	size_t program_count, other_programs;
	struct log_program programs[LOG_PROGRAMS];
	struct log_ranks ranks;
	int64_t first_ns, last_ns;    /* over all records, as in struct log_process */
	struct log_timeline timeline; /* of the records with a time */
	struct log_spread spread[2];  /* by enum target */
	/* the smallest call on the GPU and the largest on the CPU; -1 where there is none */
	int64_t least_gpu_bytes, most_cpu_bytes;
};

/* Makes empty sums. Ends the tool where there is no memory. Freed by log_sum_free. */
struct log_sum *log_sum_make(void);
void log_sum_free(struct log_sum *sum);

void log_sum_add(struct log_sum *sum, const struct log_record *record);

/*
 * To be called after the last record: sorts the cells, and callers and processes by their time.
 * Nothing can be added afterwards.
 */
void log_sum_end(struct log_sum *sum);

/* The bucket of a size; the least size of a bucket, 0 of bucket 0. */
int log_sum_bucket(int64_t size_bytes);
int64_t log_sum_bucket_bytes(int bucket);

/* The quantile of the ratios, share from 0 to 1; 1 where there are none. */
double log_sum_find_spread(const struct log_spread *spread, double share);

#endif
