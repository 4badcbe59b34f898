/* doctor_messages.h - messages of the shim's own readers, as lines of the verdict */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_MESSAGES_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_MESSAGES_H

#include "cli/doctor/doctor_report.h"

/* From now on the shim's messages are kept and not printed. */
void doctor_messages_begin(void);

/*
 * Ends that, and makes a line "options" of each message, with the way to correct what it is about:
 * a variable, a line of a file, a file.
 */
void doctor_messages_end(struct doctor_report *report);

/* The same for messages about the machine profile, which this command corrects; takes ownership. */
void doctor_messages_end_profile(struct doctor_report *report, char *command);

#endif
