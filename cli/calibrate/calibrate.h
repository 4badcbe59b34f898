/* calibrate.h - the parts of `gpushim calibrate`, each measured in a process of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CALIBRATE_CALIBRATE_H
#define GPUSHIM_CLI_CALIBRATE_CALIBRATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cli/calibrate/calibrate_load.h"
#include "measure/measure_blas.h"
#include "measure/spread.h"
#include "policy/machine/machine.h"
#include "policy/options/options.h"

enum {
	CALIBRATE_THREADS_MAX = 8,
	CALIBRATE_ROWS = 18,
	CALIBRATE_FIGURES = 1024,
	CALIBRATE_LIBRARIES = 4 /* BLAS, FFTW, LAPACK, cuSOLVER */
};

/*
 * What is measured on the CPU, in this order. share: of a part's time budget; 0 of what is measured
 * on the GPU alone.
 */
struct calibrate_row {
	enum family family;
	enum element element;
	enum fft_rigour rigour;
	double share;
	const char *name;
};
extern const struct calibrate_row calibrate_cpu_rows[CALIBRATE_ROWS];

/* The operations of a square call of order n, of LAPACK with all vectors. */
double calibrate_count_flops(enum family family, enum element element, double n);

/*
 * How much one figure varies, as in struct spread. what: a string literal; NULL of a point of a
 * curve, which the other fields identify.
 */
struct calibrate_figure {
	const char *what;
	enum machine_side side;
	enum family family;
	enum element element;
	enum fft_rigour rigour;
	int threads;
	double size, varies;
};

/* What varies by more is measured again. */
#define CALIBRATE_STEADY 0.1

/*
 * Memory that the tool and the process of a part share. repeats: measurements that were repeated.
 * machine: the figures of all parts that have
 * ended well. sentences: what could not be measured, one per library. simulated: the GPU is that of
 * the tests. done: the share of the part, 0 to 1; now: what it measures, a string literal.
 */
struct calibrate_board {
	struct machine machine;
	char sentences[CALIBRATE_LIBRARIES][MEASURE_SENTENCE_BYTES];
	bool simulated;
	int figure_count, repeats;
	struct calibrate_figure figures[CALIBRATE_FIGURES];
	_Atomic double done;
	_Atomic(const char *) now;
};

/*
 * The arguments and what is measured. blas: the library that is measured. output: the profile's
 * file; default_output: the same if it was not named, to be freed. threads: ascending; the last one
 * is all processors.
 */
struct calibrate {
	struct options options;
	const char *blas, *output;
	char *default_output;
	bool quick;
	int threads[CALIBRATE_THREADS_MAX], thread_counts;
	struct calibrate_board *board;
	struct calibrate_load load; /* of other processes while the parts ran */
};

/*
 * One part. measure adds its figures to machine; false: they are not to be used, after a sentence
 * on the board. threads: of the CPU libraries, 0 for the GPU.
 * budget_s: about how long the part may take. needs_gpu: left out unless an earlier part has
 * measured a GPU. name: for messages.
 */
struct calibrate_part {
	bool (*measure)(const struct calibrate *calibrate, const struct calibrate_part *part,
	                struct machine *machine);
	int threads;
	double budget_s;
	bool needs_gpu;
	char name[64];
};

/*
 * Runs the parts one after the other, each in a child process, because a library may crash or start
 * threads that stay. Prints progress on stderr, and a message for each part that fails; such a part
 * adds no figures.
 */
void calibrate_run_parts(struct calibrate *calibrate, const struct calibrate_part *parts,
                         int count);

/* In the child: sets the share of the part that is done, and what it measures next. */
void calibrate_tell(const struct calibrate *calibrate, double done, const char *now);

/* The functions measure of the parts. */
bool calibrate_cpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine);
bool calibrate_gpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine);
bool calibrate_solver_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                              struct machine *machine);

/*
 * Calls measure, which returns what one call takes, and again, up to three times in all, while that
 * varies by more than CALIBRATE_STEADY; returns the steadiest result.
 */
struct spread calibrate_repeat(const struct calibrate *calibrate,
                               struct spread (*measure)(const void *what), const void *what);

/* Notes how much a figure varies. */
void calibrate_note(const struct calibrate *calibrate, const struct calibrate_figure *figure);

/* The name of the routine of a figure or curve, as in the printed table. */
const char *calibrate_name_routine(enum family family, enum element element,
                                   enum fft_rigour rigour);

/* "dgemm with 2 threads at 1024", "page-locked copies to the GPU". */
void calibrate_name_figure(const struct calibrate_figure *figure, char out[64]);

/*
 * calibrate_add_point adds a point at the curve's end, and notes how much it varies, unless the
 * rate is below 1 or NaN.
 * calibrate_add_curve adds the curve to the machine unless it is empty; returns its last rate, or
 * 0.
 */
void calibrate_add_point(const struct calibrate *calibrate, struct machine_curve *curve,
                         double size, double rate, double varies);
double calibrate_add_curve(struct machine *machine, const struct machine_curve *curve);

/* Prints what was measured. */
void calibrate_print(const struct calibrate *calibrate);

/*
 * Checks, before anything is measured, whether a profile can be stored under this path. makes:
 * missing folders will be made. Changes nothing. false after a message.
 */
bool calibrate_check_file(const char *path, bool makes);

/*
 * Stores the profile, whole or not at all; where the path is the default one, in folders that it
 * makes. false after a message.
 */
bool calibrate_write_file(const struct calibrate *calibrate);

#endif
