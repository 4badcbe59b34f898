/* recorded_sum.h - measured and expected times of recorded calls, by shape, in limited memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_RECORDED_RECORDED_SUM_H
#define GPUSHIM_CLI_RECORDED_RECORDED_SUM_H

#include "cli/common/known_machine.h"
#include "cli/recorded/recorded_call.h"

enum {
	RECORDED_SHAPES = 24576, /* with a cell of their own; further ones share cells by size */
	RECORDED_CELLS = 32768,
	RECORDED_PROCESSES = 1024, /* whose starts of CUDA are counted */
	RECORDED_PROCESS_PLACES = 2 * RECORDED_PROCESSES,
	RECORDED_SIDES = 2
};

/*
 * Calls of one routine and one shape; shared: of many shapes whose bytes are within a 32nd part of
 * a factor of two. held: the operands that the GPU had from earlier calls, by the record. Arrays
 * are by enum target. calls, timed, timed_ns: by the side that ran the call. timed: calls whose
 * time tells how long such a call takes, which excludes the first call of a process on the GPU, as
 * it may have waited for CUDA, and the first one of a transform there, as it may have made a plan.
 * hint_ns: the sums of the expected times of hints calls. time_ns: the time of one call; -1 where
 * it is unknown. elapsed_ns, work_flops: sums over all calls.
 */
struct recorded_cell {
	struct call_problem problem;
	uint64_t size_bytes;
	bool shared;
	bool held[OPERAND_COUNT];
	uint32_t plain; /* 0, or 1 + the number of the cell of such calls without held operands */
	bool passes;    /* work_threshold and k_threshold let the calls leave the CPU */
	uint64_t calls[RECORDED_SIDES], timed[RECORDED_SIDES], hints;
	double timed_ns[RECORDED_SIDES], hint_ns[RECORDED_SIDES], time_ns[RECORDED_SIDES];
	double elapsed_ns;
	/*
	 * time of the engine's plan divided by the time of the model's formula; measured by
	 * expected time of calls of similar work, by which expected times are multiplied
	 */
	double plan_factor, ratio[RECORDED_SIDES];
	double work_flops;
	/*
	 * bit (index modulo 64) of each process that made such calls, and that made them on the GPU
	 */
	uint64_t processes, gpu_processes;
};

/*
 * A process, taken where the place is used. all_bytes: of its largest movable call; most_bytes: of
 * the largest one of each routine that passes. 0 where there is none.
 */
struct recorded_process {
	bool taken, saw_gpu, saw_solver;
	size_t file;
	int64_t pid, index;
	uint64_t all_bytes, most_bytes[FAMILY_COUNT][ELEMENT_COUNT];
};

/* A number of calls, and their time. */
struct recorded_lot {
	uint64_t calls, gpu_calls;
	double elapsed_ns;
};

struct recorded_sum {
	const struct options *options;
	const struct known_machine *machine;
	int cpu_threads;
	/*
	 * Where the expected times come from. by_model: from the machine for all calls; else from
	 * the log, where its records name this machine, or none.
	 */
	bool by_model;
	struct recorded_cell *cells;
	uint32_t *places; /* a hash table: 1 + the number of a cell, 0: free */
	size_t cell_count;
	struct recorded_process *processes; /* a hash table */
	size_t process_count;
	bool more_processes;                     /* more than RECORDED_PROCESSES */
	struct recorded_lot all, bound, blurred; /* bound and blurred are parts of all */
	uint64_t reckoned;    /* movable calls without expected times in the log */
	uint64_t least_bytes; /* of the smallest movable call */
	bool all_sizes;       /* the log has calls below the gate */
};

/* Ends the tool where there is no memory. */
struct recorded_sum *recorded_sum_make(const struct options *options,
                                       const struct known_machine *machine);
void recorded_sum_free(struct recorded_sum *sum);

void recorded_sum_add(struct recorded_sum *sum, const struct log_record *record);

/*
 * To be called after the last record: fills time_ns. A side with measured calls has their mean. The
 * other side has the expected time of the log, or of the machine (by_model, or where the log has
 * none), corrected by measured / expected of calls of that routine and similar work.
 */
void recorded_sum_end(struct recorded_sum *sum);

/*
 * A record as the sums see it. cell: NULL where there was no room. timed: as in struct
 * recorded_cell. model_ns: the expected times of this call, by enum target; hinted: those of the
 * log.
 */
struct recorded_view {
	enum recorded_fate fate;
	struct call_problem problem;
	struct built_call built;
	bool held[OPERAND_COUNT];
	struct recorded_cell *cell;
	struct recorded_process *process;
	bool timed, hinted;
	double model_ns[RECORDED_SIDES];
};

/* To view the same records again from the first on: call rewind, then view for each. */
void recorded_sum_rewind(struct recorded_sum *sum);
void recorded_sum_view(struct recorded_sum *sum, const struct log_record *record,
                       struct recorded_view *view);

/*
 * Whether the cell exists and has a time on both sides. Otherwise its calls are left on their side.
 */
bool recorded_sum_knows(const struct recorded_cell *cell);

/*
 * The time of a known call on one side: its own where it ran there, the mean of such calls where
 * some did, else the expected one, corrected. To be called after recorded_sum_end.
 */
double recorded_sum_find_time(const struct recorded_view *view, const struct log_record *record,
                              enum target side);

/* The time of all calls of a cell on one side; measured ones count with their measured times. */
double recorded_sum_time(const struct recorded_sum *sum, const struct recorded_cell *cell,
                         enum target side);

#endif
