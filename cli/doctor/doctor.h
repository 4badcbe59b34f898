/* doctor.h - the sections of the report of `gpushim doctor` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include "policy/call/reason.h"
#include "policy/options/options.h"

/*
 * What the sections find and the advice at the end needs. gpu: why the GPU cannot be used,
 * REASON_NONE if it can. program_unreachable: nothing can be preloaded into it; program_sees_calls:
 * it needs intercepted routines; program_opens_libraries, program_looks_up_names,
 * program_starts_others: it calls dlopen, dlsym or dlmopen, exec or posix_spawn.
 */
struct doctor {
	struct options options;
	enum reason gpu;
	bool program_given, program_missing, program_unreachable, program_sees_calls;
	bool program_opens_libraries, program_looks_up_names, program_starts_others;
};

/* Prints the sections on the driver, the devices and the CUDA libraries. */
void doctor_gpu_print(struct doctor *doctor);

/* Prints the section on config files, options not at their default, the folder for counters. */
void doctor_options_print(struct doctor *doctor);

/* Prints the section on the program: its file, its libraries, its calls. Does not run it. */
void doctor_program_print(struct doctor *doctor, const char *name);

#endif
