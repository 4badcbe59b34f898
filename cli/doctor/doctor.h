/* doctor.h - the sections of the doctor's report */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include "policy/call/reason.h"
#include "policy/options/options.h"

/* What the sections find that the advice at the end needs. */
struct doctor {
	struct options options;
	enum reason gpu; /* REASON_NONE: it can be used */
	bool program_given, program_missing, program_unreachable, program_sees_calls,
		program_opens_libraries;
	bool program_looks_up_names;
	bool program_starts_others;
};

/* Driver, devices, CUDA libraries. */
void doctor_gpu_print(struct doctor *doctor);

/* Config files, options that are not at their default, the folder of the counters. */
void doctor_options_print(struct doctor *doctor);

/* What the loader would do with the program, its libraries, its calls. */
void doctor_program_print(struct doctor *doctor, const char *name);

#endif
