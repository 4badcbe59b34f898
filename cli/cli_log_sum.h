/* cli_log_sum.h - what the records of logs add up to, in bounded memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_LOG_SUM_H
#define GPUSHIM_CLI_CLI_LOG_SUM_H

#include "cli/cli_log.h"
#include "shim/table/routine.h"

enum {
	CLI_LOG_BUCKETS = 48,  /* of sizes: 0 is unknown (no bytes), then 1, 2, 5, 10 ... bytes and more */
	CLI_LOG_CELLS = 8192,  /* routine x size x target x reason */
	CLI_LOG_OBJECTS = 256, /* libraries and programs that called */
	CLI_LOG_PROCESSES = 65536,
	CLI_LOG_MOMENTS = 256,   /* of the timeline */
	CLI_LOG_RATIOS = 241,    /* twelve per octave, from 1/1024 to 1024 */
	CLI_LOG_RATIO_ONE = 120, /* the bin of measured = predicted */
	CLI_LOG_RATIO_OCTAVE = 12,
	CLI_LOG_OBJECT_BYTES = 64
};

/*
 * Sums over some calls. timed: those with a measured time. predicted: those with a measured time and both expected
 * ones, over which the last five go: their expected times, their measured time, and the regret, which is by how much
 * calls took longer than the other side was expected to (calls: how many did).
 */
struct cli_log_tally {
	uint64_t calls, timed, predicted, regretted;
	double elapsed_ns, size_bytes, work_flops;
	double predicted_cpu_ns, predicted_gpu_ns, measured_ns, regret_ns;
};

/* family, element and reason are -1 where the tables do not know them. */
struct cli_log_cell {
	int family, element, bucket, reason;
	enum target target;
	struct cli_log_tally tally;
};

/* Both sides of something, by enum target. */
struct cli_log_sides {
	struct cli_log_tally side[2];
};

struct cli_log_object {
	char name[CLI_LOG_OBJECT_BYTES]; /* empty: not recorded */
	struct cli_log_sides sides;
};

/* The first call's begin and the last call's end; -1 where no record has a time. */
struct cli_log_process {
	size_t file;
	int64_t pid, first_ns, last_ns;
	struct cli_log_sides sides;
};

/* One stretch of the timeline. A call that takes longer is shared out among those that it touches. */
struct cli_log_moment {
	double elapsed_ns[2];
	uint64_t calls[2]; /* that began there */
};

/* How often measured / expected time was what, on the side that the call took. */
struct cli_log_spread {
	uint64_t count, bin[CLI_LOG_RATIOS];
};

/*
 * The sums, all of which go over the same records. Where a table is full, what has no row of its own goes to its
 * others.
 */
struct cli_log_sum {
	size_t files; /* with at least one record */
	struct cli_log_sides total;
	size_t cell_count, object_count, process_count;
	struct cli_log_cell *cells; /* in no order; cli_log_sum_end sorts them by routine, size, target, reason */
	struct cli_log_sides other_cells;
	struct cli_log_sides symbols[SYMBOL_COUNT + 1]; /* the last: names that the tables do not know */
	struct cli_log_object objects[CLI_LOG_OBJECTS];
	struct cli_log_sides other_objects;
	struct cli_log_process *processes;
	struct cli_log_sides other_processes;
	int64_t first_ns, last_ns;           /* of all records, as of a process */
	int64_t moment_ns, moments_begin_ns; /* how long a moment is, a power of two; when the first one begins */
	size_t moment_count;                 /* of moments up to the last one with a call */
	struct cli_log_moment moments[CLI_LOG_MOMENTS];
	struct cli_log_spread spread[2]; /* by side */
	int64_t least_gpu_bytes,
		most_cpu_bytes; /* smallest call on the GPU, largest on the CPU; -1 where there is none */
};

/* Makes an empty one, to be freed by cli_log_sum_free. Ends the tool where there is no memory. */
struct cli_log_sum *cli_log_sum_make(void);
void cli_log_sum_free(struct cli_log_sum *sum);

void cli_log_sum_add(struct cli_log_sum *sum, const struct cli_log_record *record);

/* After the last record: sorts the cells, and objects and processes by their time. Nothing can be added any more. */
void cli_log_sum_end(struct cli_log_sum *sum);

/* The bucket of a size, and the least size of a bucket (0 of the first two). */
int cli_log_sum_bucket(int64_t size_bytes);
int64_t cli_log_sum_bucket_bytes(int bucket);

/* Adds from to to. */
void cli_log_tally_add(struct cli_log_tally *to, const struct cli_log_tally *from);

/* The ratio below which this share (0 to 1) of the calls lies; 1 where there are none. */
double cli_log_spread_find(const struct cli_log_spread *spread, double share);

#endif
