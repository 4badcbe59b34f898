/* log_sum.h - what the records of logs add up to, in bounded memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_SUM_H
#define GPUSHIM_CLI_LOG_LOG_SUM_H

#include "cli/log/log.h"
#include "cli/log/log_timeline.h"
#include "shim/table/symbol.h"

enum {
	LOG_BUCKETS =
		48, /* of sizes: 0 is unknown (no bytes), then 1, 2, 5, 10 ... bytes and more */
	LOG_CELLS = 8192,  /* routine x size x target x reason */
	LOG_OBJECTS = 256, /* libraries and programs that called */
	LOG_PROCESSES = 65536,
	LOG_RATIOS = 241,    /* twelve per octave, from 1/1024 to 1024 */
	LOG_RATIO_ONE = 120, /* the bin of measured = predicted */
	LOG_RATIO_OCTAVE = 12,
	LOG_OBJECT_BYTES = 64
};

/*
 * Sums over some calls. timed: those with a measured time. predicted: those with a measured time
 * and both expected ones, over which the last five go: their expected times, their measured time,
 * and the regret, which is by how much calls took longer than the other side was expected to
 * (calls: how many did).
 */
struct log_tally {
	uint64_t calls, timed, predicted, regretted;
	double elapsed_ns, size_bytes, work_flops;
	double predicted_cpu_ns, predicted_gpu_ns, measured_ns, regret_ns;
};

/* family, element and reason are -1 where the tables do not know them. */
struct log_cell {
	int family, element, bucket, reason;
	enum target target;
	struct log_tally tally;
};

/* Both sides of something, by enum target. */
struct log_sides {
	struct log_tally side[2];
};

struct log_object {
	char name[LOG_OBJECT_BYTES]; /* empty: not recorded */
	struct log_sides sides;
};

/* The first call's begin and the last call's end; -1 where no record has a time. */
struct log_process {
	size_t file;
	int64_t pid, first_ns, last_ns;
	struct log_sides sides;
};

/* How often measured / expected time was what, on the side that the call took. */
struct log_spread {
	uint64_t count, bin[LOG_RATIOS];
};

/*
 * The sums, all of which go over the same records. Where a table is full, what has no row of its
 * own goes to its others.
 */
struct log_sum {
	size_t files; /* with at least one record */
	struct log_sides total;
	size_t cell_count, object_count, process_count;
	struct log_cell
		*cells; /* in no order; log_sum_end sorts them by routine, size, target, reason */
	struct log_sides other_cells;
	struct log_sides
		symbols[SYMBOL_COUNT + 1]; /* the last: names that the tables do not know */
	struct log_object objects[LOG_OBJECTS];
	struct log_sides other_objects;
	struct log_process *processes;
	struct log_sides other_processes;
	int64_t first_ns, last_ns;    /* of all records, as of a process */
	struct log_timeline timeline; /* of the records with a time */
	struct log_spread spread[2];  /* by side */
	int64_t least_gpu_bytes,
		most_cpu_bytes; /* smallest call on the GPU, largest on the CPU; -1 where there is none */
};

/* Makes an empty one, to be freed by log_sum_free. Ends the tool where there is no memory. */
struct log_sum *log_sum_make(void);
void log_sum_free(struct log_sum *sum);

void log_sum_add(struct log_sum *sum, const struct log_record *record);

/*
 * After the last record: sorts the cells, and objects and processes by their time. Nothing can be
 * added any more.
 */
void log_sum_end(struct log_sum *sum);

/* The bucket of a size, and the least size of a bucket (0 of the first two). */
int log_sum_bucket(int64_t size_bytes);
int64_t log_sum_bucket_bytes(int bucket);

/* Each adds from to to. */
void log_sum_add_tally(struct log_tally *to, const struct log_tally *from);
void log_sum_add_sides(struct log_sides *to, const struct log_sides *from);

/* The ratio below which this share (0 to 1) of the calls lies; 1 where there are none. */
double log_sum_find_spread(const struct log_spread *spread, double share);

#endif
