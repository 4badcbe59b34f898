/* regret_fault.h - what differs on a real machine from its profile: one row per fault */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_REGRET_REGRET_FAULT_H
#define GPUSHIM_TESTS_REGRET_REGRET_FAULT_H

#include "tests/regret/regret_call.h"

/*
 * Each factor multiplies times of one side; 0 counts as 1. Bursts hit the calls of every tenth
 * block of fifty, drawn by the seed; tails hit one call in twenty. late: the second half of the
 * program. Sharers use the GPU a fourth of the time each, in blocks of 200 calls, and all of
 * them look at it at once.
 */
struct regret_fault {
	const char *name;
	double first_ns;  /* the first call of each routine and element on the GPU takes longer */
	double kernel_ns; /* the first call of each routine, element and bucket there */
	double burst[2], tail[2], late[2]; /* CPU, GPU */
	double cpu_fft;                    /* on all transforms of the CPU */
	bool dear_trsm; /* a third of the rate of products, and 1.5 us for each row */
	int sharers;    /* other processes that use the GPU */
	double most;    /* a row may use so much of its allowance; 0: 1.5 */
};

enum { REGRET_FAULTS_MAX = 32 };

/* Fault number index, or NULL. Number 0 has no effect. */
const struct regret_fault *regret_fault_find(int index);

/* The number of the fault of this name, or -1. */
int regret_fault_name(const char *name);

/* The place of a call in its process. */
struct regret_place {
	uint64_t seed, number;
	bool late;
};

/* The factor on the time of one call on a side (0: CPU), beside that on the mean. */
double regret_fault_factor(const struct regret_fault *fault, unsigned side,
                           const struct regret_place *place);

/* The factor on the mean time of such calls: of what is not a matter of the moment. */
double regret_fault_mean(const struct regret_fault *fault, const struct call *call, unsigned side);

#endif
