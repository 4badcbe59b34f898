/* routine_lookup.h - a routine by the name that a program, a log or a person has for it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_ROUTINE_LOOKUP_H
#define GPUSHIM_CLI_COMMON_ROUTINE_LOOKUP_H

#include "cli/common/call_problem.h"

/*
 * What is said of a transform beside its name. precision: "single" or "double", NULL where nothing
 * was said.
 */
struct routine_transform {
	const char *precision;
	bool real, inverse;
};

/*
 * Fills family and element: of a symbol in any spelling, of a routine's name as logs have it
 * (dgemm, fftwf_r2c), of "fft" by what is said beside it. false after a sentence where there is
 * none such, or none with a form on the GPU.
 */
bool routine_lookup_find(const char *name, const struct routine_transform *fft,
                         struct call_problem *problem);

#endif
