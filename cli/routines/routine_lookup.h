/* routine_lookup.h - finds a routine by the name that a program, a log or a person uses */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_ROUTINES_ROUTINE_LOOKUP_H
#define GPUSHIM_CLI_ROUTINES_ROUTINE_LOOKUP_H

#include "cli/common/call_problem.h"

/*
 * Options that complete the name of a transform. precision: "single", "double", or NULL where the
 * option was not given.
 */
struct routine_transform {
	const char *precision;
	bool real, inverse;
};

/*
 * Fills family and element. name: a symbol in any spelling, a routine as logs name it (dgemm,
 * fftwf_r2c), or "fft", which the options complete. *defect: why the routine has no form on the
 * GPU; else REASON_NONE. false after a message where there is no such routine.
 */
bool routine_lookup_find(const char *name, const struct routine_transform *fft,
                         struct call_problem *problem, enum reason *defect);

/*
 * Whether the name is a routine of LAPACK that the GPU computes: a symbol, or as logs name it
 * (dgesv).
 */
bool routine_lookup_is_solved(const char *name);

#endif
