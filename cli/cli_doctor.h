/* cli_doctor.h - the sections of the doctor's report */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_DOCTOR_H
#define GPUSHIM_CLI_CLI_DOCTOR_H

#include <stdbool.h>

#include "policy/options.h"
#include "policy/reason.h"

/* What the sections find that the advice at the end needs. */
struct cli_doctor {
	struct options options;
	enum reason gpu; /* REASON_NONE: it can be used */
	bool program_given, program_missing, program_unreachable, program_sees_calls, program_opens_libraries;
	bool program_looks_up_names;
	bool program_starts_others;
};

/* Driver, devices, CUDA libraries. */
void cli_doctor_gpu_print(struct cli_doctor *doctor);

/* Config files, options that are not at their default, the folder of the counters. */
void cli_doctor_options_print(struct cli_doctor *doctor);

/* What the loader would do with the program, its libraries, its calls. */
void cli_doctor_program_print(struct cli_doctor *doctor, const char *name);

#endif
