/* schedule_run.h - carries a call out by the shim's engine, on the virtual clocks, with operands that are not there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_RUN_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_RUN_H

#include "policy/plan/panels.h"
#include "tests/schedule/schedule_call.h"
#include "tests/schedule/schedule_clock.h"

/* A call that can be run again and again, in a process that has started the engine for it. */
struct schedule_run {
	struct schedule_call wanted;
	struct call call;
	struct fft_problem problem;
	struct panel_rates rates;
	int device;
};

/*
 * Starts the engine on the simulated CUDA in the folder; once in a process, whose environment has
 * to name the clock. false after a sentence on stderr.
 */
bool schedule_run_start(struct schedule_run *run, const struct schedule_call *wanted,
                        const char *cuda_path, const struct schedule_clock *clock);

/*
 * Whether the call is planned by panels: then the plan that the engine makes; NULL choice: by its
 * own.
 */
bool schedule_run_plan(const struct schedule_run *run, const struct panel_choice *choice,
                       struct panel_plan *plan);

/*
 * Carries it out, by the choice unless that is NULL; the virtual time, or less than 0 after a
 * sentence on stderr.
 */
double schedule_run_once(const struct schedule_run *run, const struct panel_choice *choice);

#endif
