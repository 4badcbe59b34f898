/* schedule_run.h - carries a call out by the shim's engine on virtual clocks, without operands */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_RUN_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_RUN_H

#include "policy/plan/panels.h"
#include "tests/schedule/schedule_call.h"
#include "tests/schedule/schedule_clock.h"

/* A call that can be run repeatedly, in a process that has started the engine for it. */
struct schedule_run {
	struct schedule_call wanted;
	struct call call;
	struct fft_problem problem;
	struct panel_rates rates;
	int device;
	bool copies; /* a load or a store alone */
	char *operand;
};

/*
 * Starts the engine on the simulated CUDA in the folder; once per process, whose environment must
 * name the clock file. false after a message on stderr.
 */
bool schedule_run_start(struct schedule_run *run, const struct schedule_call *wanted,
                        const char *cuda_path, const struct schedule_clock *clock);

/*
 * Makes the plan of the call: by the choice, or where that is NULL by the engine's own. false where
 * the call is not planned by panels.
 */
bool schedule_run_plan(const struct schedule_run *run, const struct panel_choice *choice,
                       struct panel_plan *plan);

/*
 * Carries the call out, by the choice unless that is NULL. Returns the virtual time in ns, less
 * than 0 after a message on stderr.
 */
double schedule_run_once(const struct schedule_run *run, const struct panel_choice *choice);

/* How a call of LAPACK was carried out, as the log says it; "" of other calls. */
const char *schedule_run_tell_recipe(const struct schedule_run *run);

#endif
