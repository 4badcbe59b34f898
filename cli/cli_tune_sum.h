/* cli_tune_sum.h - what recorded calls took and were expected to take, by shape, in bounded memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_TUNE_SUM_H
#define GPUSHIM_CLI_CLI_TUNE_SUM_H

#include "cli/cli_explain_machine.h"
#include "cli/cli_tune_call.h"

enum {
	CLI_TUNE_SHAPES = 24576, /* that have a cell of their own; further calls share one with others of their size */
	CLI_TUNE_CELLS = 32768,
	CLI_TUNE_PROCESSES = 1024, /* whose starts of CUDA are counted */
	CLI_TUNE_PROCESS_PLACES = 2 * CLI_TUNE_PROCESSES,
	CLI_TUNE_SIDES = 2
};

/*
 * Calls of one routine and one shape (shared: of many shapes, their bytes within a 32nd part of an octave). Sums over
 * calls by enum target, the side where they ran. timed: those that tell how long such calls take; a process's first
 * call on the GPU may have waited for CUDA, and a transform's first one there for its plan. hint: what the log expected
 * of each side. model: what the machine is expected to take; time: what one call takes, -1 where it is not known.
 */
struct cli_tune_cell {
	struct cli_explain_problem problem;
	uint64_t size_bytes;
	bool shared;
	bool passes; /* work_threshold and k_threshold let it leave the CPU */
	uint64_t calls[CLI_TUNE_SIDES], timed[CLI_TUNE_SIDES], hints;
	double timed_ns[CLI_TUNE_SIDES], hint_ns[CLI_TUNE_SIDES], model_ns[CLI_TUNE_SIDES], time_ns[CLI_TUNE_SIDES];
	double elapsed_ns;                 /* of all of its calls, as is the next one's second */
	double plan_factor;                /* the time of the engine's plan against the model's formula */
	double model_flops, work_flops;    /* of the call that the model was asked about */
	uint64_t processes, gpu_processes; /* a bit per process, modulo 64: that made such calls, and on the GPU */
};

/* Its largest movable call; and of each routine its largest one that passes. 0 where there is none. */
struct cli_tune_process {
	bool taken, saw_gpu;
	size_t file;
	int64_t pid, index;
	uint64_t all_bytes, most_bytes[FAMILY_COUNT][ELEMENT_COUNT];
};

/* Calls, and what they took. */
struct cli_tune_lot {
	uint64_t calls, gpu_calls;
	double elapsed_ns;
};

struct cli_tune_sum {
	const struct options *options;
	const struct cli_explain_machine *machine;
	int cpu_threads;
	bool by_model; /* the log's own expectations are not read */
	struct cli_tune_cell *cells;
	uint32_t *places; /* a hash table: 1 + the cell, 0 where there is none */
	size_t cell_count;
	struct cli_tune_process *processes; /* a hash table */
	size_t process_count;
	bool more_processes;                     /* than are counted */
	struct cli_tune_lot all, bound, blurred; /* all: of which the others are a part */
	uint64_t reckoned;                       /* movable calls of which the log expected nothing */
	uint64_t least_bytes;                    /* of movable calls */
	bool all_sizes;                          /* calls below the gate are in the log */
};

/* Ends the tool where there is no memory. */
struct cli_tune_sum *cli_tune_sum_make(const struct options *options, const struct cli_explain_machine *machine);
void cli_tune_sum_free(struct cli_tune_sum *sum);

void cli_tune_sum_add(struct cli_tune_sum *sum, const struct cli_log_record *record);

/*
 * After the last record: each cell's times. What was measured on a side is its time there; else what was expected, by
 * the log or (by_model, or where the log says nothing) by the machine, times what calls of that routine and about that
 * much work took against it.
 */
void cli_tune_sum_end(struct cli_tune_sum *sum);

/* One record, as the sums see it. cell: NULL where there was no room. timed: as in struct cli_tune_cell. */
struct cli_tune_view {
	enum cli_tune_fate fate;
	struct cli_explain_problem problem;
	struct cli_explain_call built;
	struct cli_tune_cell *cell;
	struct cli_tune_process *process;
	bool timed;
};

/* The same records once more, from the first on: rewind, then view each. */
void cli_tune_sum_rewind(struct cli_tune_sum *sum);
void cli_tune_sum_view(struct cli_tune_sum *sum, const struct cli_log_record *record, struct cli_tune_view *view);

/* Whether there is a cell, and a time of it on either side: else its calls are left where they were. */
bool cli_tune_sum_knows(const struct cli_tune_cell *cell);

/* What all calls of a cell take on one side; those that are timed there took what they took. */
double cli_tune_sum_time(const struct cli_tune_sum *sum, const struct cli_tune_cell *cell, enum target side);

#endif
