/* doctor_remedy.h - how to get a driver, a card or CUDA libraries: a sentence and a command */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_REMEDY_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_REMEDY_H

#include "cli/doctor/doctor.h"

/* advice: static. command: owned, NULL where none can be named. */
struct doctor_remedy {
	const char *advice;
	char *command;
};

/* The driver is missing: what that means depends on the card, the container, the system. */
struct doctor_remedy doctor_remedy_find_driver(const struct doctor *doctor);

/* Commands that install CUDA libraries of this major (11 or 12) and name them; to be freed. */
char *doctor_remedy_install(int major);

#endif
