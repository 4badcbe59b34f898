/* tune_sum.h - what recorded calls took and were expected to take, by shape, in bounded memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_SUM_H
#define GPUSHIM_CLI_TUNE_TUNE_SUM_H

#include "cli/common/known_machine.h"
#include "cli/tune/tune_call.h"

enum {
	TUNE_SHAPES =
		24576, /* that have a cell of their own; further calls share one with others of their size */
	TUNE_CELLS = 32768,
	TUNE_PROCESSES = 1024, /* whose starts of CUDA are counted */
	TUNE_PROCESS_PLACES = 2 * TUNE_PROCESSES,
	TUNE_SIDES = 2
};

/*
 * Calls of one routine and one shape (shared: of many shapes, their bytes within a 32nd part of an
 * octave). Sums over calls by enum target, the side where they ran. timed: those that tell how long
 * such calls take; a process's first call on the GPU may have waited for CUDA, and a transform's
 * first one there for its plan. hint: what the log expected of each side. model: what the machine
 * is expected to take; time: what one call takes, -1 where it is not known.
 */
struct tune_cell {
	struct call_problem problem;
	uint64_t size_bytes;
	bool shared;
	bool passes; /* work_threshold and k_threshold let it leave the CPU */
	uint64_t calls[TUNE_SIDES], timed[TUNE_SIDES], hints;
	double timed_ns[TUNE_SIDES], hint_ns[TUNE_SIDES], model_ns[TUNE_SIDES], time_ns[TUNE_SIDES];
	double elapsed_ns;  /* of all of its calls, as is the next one's second */
	double plan_factor; /* the time of the engine's plan against the model's formula */
	double model_flops, work_flops; /* of the call that the model was asked about */
	uint64_t processes,
		gpu_processes; /* a bit per process, modulo 64: that made such calls, and on the GPU */
};

/*
 * Its largest movable call; and of each routine its largest one that passes. 0 where there is none.
 */
struct tune_process {
	bool taken, saw_gpu;
	size_t file;
	int64_t pid, index;
	uint64_t all_bytes, most_bytes[FAMILY_COUNT][ELEMENT_COUNT];
};

/* Calls, and what they took. */
struct tune_lot {
	uint64_t calls, gpu_calls;
	double elapsed_ns;
};

struct tune_sum {
	const struct options *options;
	const struct known_machine *machine;
	int cpu_threads;
	bool by_model; /* the log's own expectations are not read */
	struct tune_cell *cells;
	uint32_t *places; /* a hash table: 1 + the cell, 0 where there is none */
	size_t cell_count;
	struct tune_process *processes; /* a hash table */
	size_t process_count;
	bool more_processes;                 /* than are counted */
	struct tune_lot all, bound, blurred; /* all: of which the others are a part */
	uint64_t reckoned;                   /* movable calls of which the log expected nothing */
	uint64_t least_bytes;                /* of movable calls */
	bool all_sizes;                      /* calls below the gate are in the log */
};

/* Ends the tool where there is no memory. */
struct tune_sum *tune_sum_make(const struct options *options, const struct known_machine *machine);
void tune_sum_free(struct tune_sum *sum);

void tune_sum_add(struct tune_sum *sum, const struct log_record *record);

/*
 * After the last record: each cell's times. What was measured on a side is its time there; else
 * what was expected, by the log or (by_model, or where the log says nothing) by the machine, times
 * what calls of that routine and about that much work took against it.
 */
void tune_sum_end(struct tune_sum *sum);

/*
 * One record, as the sums see it. cell: NULL where there was no room. timed: as in struct
 * tune_cell.
 */
struct tune_view {
	enum tune_fate fate;
	struct call_problem problem;
	struct built_call built;
	struct tune_cell *cell;
	struct tune_process *process;
	bool timed;
};

/* The same records once more, from the first on: rewind, then view each. */
void tune_sum_rewind(struct tune_sum *sum);
void tune_sum_view(struct tune_sum *sum, const struct log_record *record, struct tune_view *view);

/*
 * Whether there is a cell, and a time of it on either side: else its calls are left where they
 * were.
 */
bool tune_sum_knows(const struct tune_cell *cell);

/* What all calls of a cell take on one side; those that are timed there took what they took. */
double tune_sum_time(const struct tune_sum *sum, const struct tune_cell *cell, enum target side);

#endif
