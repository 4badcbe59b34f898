/* calibrate.h - the parts of `gpushim calibrate`, each measured in a process of its own */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CALIBRATE_CALIBRATE_H
#define GPUSHIM_CLI_CALIBRATE_CALIBRATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "measure/measure_blas.h"
#include "policy/machine/machine.h"
#include "policy/options/options.h"

enum { CALIBRATE_THREADS_MAX = 8 };

/*
 * What both processes see. machine: what is known so far, and the part's figures when it has ended
 * well. sentences: of what could not be measured, one per library. now: a text that the program
 * holds.
 */
struct calibrate_board {
	struct machine machine;
	char sentences[2][MEASURE_SENTENCE_BYTES];
	bool simulated;
	_Atomic double done; /* 0 to 1 */
	_Atomic(const char *) now;
};

/* What the command line asks for, and what is measured for it. */
struct calibrate {
	struct options options;
	const char *blas, *output;
	char *default_output;
	bool quick;
	int threads[CALIBRATE_THREADS_MAX], thread_counts; /* ascending; the last one is all */
	struct calibrate_board *board;
};

/*
 * One part. measure adds its figures to machine. threads: of the CPU libraries, 0 for the GPU.
 * budget_s: about how long it may take.
 */
struct calibrate_part {
	void (*measure)(const struct calibrate *calibrate, const struct calibrate_part *part,
	                struct machine *machine);
	int threads;
	double budget_s;
	char name[64];
};

/*
 * Carries the parts out one after the other, each in a child, so that a library that crashes or has
 * threads of its own harms nothing, and tells on stderr how far it is. A part that fails leaves a
 * sentence there, and no figures.
 */
void calibrate_run_parts(struct calibrate *calibrate, const struct calibrate_part *parts,
                         int count);

/* In the child: the share of the part that is done, and what comes next. */
void calibrate_tell(const struct calibrate *calibrate, double done, const char *now);

/* The parts. */
void calibrate_cpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine);
void calibrate_gpu_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                           struct machine *machine);

/*
 * Adds a point at the curve's end, if the rate is one; the curve to the machine's, if it has
 * points: its last rate.
 */
void calibrate_add_point(struct machine_curve *curve, double size, double rate);
double calibrate_add_curve(struct machine *machine, const struct machine_curve *curve);

/* Prints what was measured. */
void calibrate_print(const struct calibrate *calibrate);

/*
 * Whether a profile can be stored under this path, as far as that can be told before. false after a
 * sentence.
 */
bool calibrate_check_file(const char *path);

/* Stores it, whole or not at all. false after a sentence. */
bool calibrate_write_file(const char *path, const struct machine *machine);

#endif
