/* tune_sum.h - measured and expected times of recorded calls, by shape, in limited memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_SUM_H
#define GPUSHIM_CLI_TUNE_TUNE_SUM_H

#include "cli/common/known_machine.h"
#include "cli/tune/tune_call.h"

enum {
	TUNE_SHAPES = 24576, /* with a cell of their own; further ones share cells by size */
	TUNE_CELLS = 32768,
	TUNE_PROCESSES = 1024, /* whose starts of CUDA are counted */
	TUNE_PROCESS_PLACES = 2 * TUNE_PROCESSES,
	TUNE_SIDES = 2
};

/*
 * Calls of one routine and one shape; shared: of many shapes whose bytes are within a 32nd part of
 * a factor of two. Arrays are by enum target. calls, timed, timed_ns: by the side that ran the
 * call. timed: calls whose time tells how long such a call takes, which excludes the first call of
 * a process on the GPU, as it may have waited for CUDA, and the first one of a transform there, as
 * it may have made a plan. hint_ns: the sums of the times that the log expected, of hints calls.
 * model_ns: the expected time of the machine for one call, with work model_flops. time_ns: the time
 * of one call; -1 where it is unknown. elapsed_ns, work_flops: sums over all calls.
 */
struct tune_cell {
	struct call_problem problem;
	uint64_t size_bytes;
	bool shared;
	bool passes; /* work_threshold and k_threshold let the calls leave the CPU */
	uint64_t calls[TUNE_SIDES], timed[TUNE_SIDES], hints;
	double timed_ns[TUNE_SIDES], hint_ns[TUNE_SIDES], model_ns[TUNE_SIDES], time_ns[TUNE_SIDES];
	double elapsed_ns;
	/* time of the engine's plan divided by the time of the model's formula */
	double plan_factor;
	double model_flops, work_flops;
	/*
	 * bit (index modulo 64) of each process that made such calls, and that made them on the GPU
	 */
	uint64_t processes, gpu_processes;
};

/*
 * A process, taken where the place is used. all_bytes: of its largest movable call; most_bytes: of
 * the largest one of each routine that passes. 0 where there is none.
 */
struct tune_process {
	bool taken, saw_gpu;
	size_t file;
	int64_t pid, index;
	uint64_t all_bytes, most_bytes[FAMILY_COUNT][ELEMENT_COUNT];
};

/* A number of calls, and their time. */
struct tune_lot {
	uint64_t calls, gpu_calls;
	double elapsed_ns;
};

struct tune_sum {
	const struct options *options;
	const struct known_machine *machine;
	int cpu_threads;
	bool by_model; /* do not use the expected times of the log */
	struct tune_cell *cells;
	uint32_t *places; /* a hash table: 1 + the number of a cell, 0: free */
	size_t cell_count;
	struct tune_process *processes; /* a hash table */
	size_t process_count;
	bool more_processes;                 /* more than TUNE_PROCESSES */
	struct tune_lot all, bound, blurred; /* bound and blurred are parts of all */
	uint64_t reckoned;                   /* movable calls without expected times in the log */
	uint64_t least_bytes;                /* of the smallest movable call */
	bool all_sizes;                      /* the log has calls below the gate */
};

/* Ends the tool where there is no memory. */
struct tune_sum *tune_sum_make(const struct options *options, const struct known_machine *machine);
void tune_sum_free(struct tune_sum *sum);

void tune_sum_add(struct tune_sum *sum, const struct log_record *record);

/*
 * To be called after the last record: fills time_ns. A side with measured calls has their mean. The
 * other side has the expected time of the log, or of the machine (by_model, or where the log has
 * none), corrected by measured / expected of calls of that routine and similar work.
 */
void tune_sum_end(struct tune_sum *sum);

/*
 * A record as the sums see it. cell: NULL where there was no room. timed: as in struct tune_cell.
 */
struct tune_view {
	enum tune_fate fate;
	struct call_problem problem;
	struct built_call built;
	struct tune_cell *cell;
	struct tune_process *process;
	bool timed;
};

/* To view the same records again from the first on: call rewind, then view for each. */
void tune_sum_rewind(struct tune_sum *sum);
void tune_sum_view(struct tune_sum *sum, const struct log_record *record, struct tune_view *view);

/*
 * Whether the cell exists and has a time on both sides. Otherwise its calls are left on their side.
 */
bool tune_sum_knows(const struct tune_cell *cell);

/* The time of all calls of a cell on one side; measured ones count with their measured times. */
double tune_sum_time(const struct tune_sum *sum, const struct tune_cell *cell, enum target side);

#endif
