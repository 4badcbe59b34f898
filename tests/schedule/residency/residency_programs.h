/* residency_programs.h - programs that use operands again, and what their calls come to */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_RESIDENCY_RESIDENCY_PROGRAMS_H
#define GPUSHIM_TESTS_SCHEDULE_RESIDENCY_RESIDENCY_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/schedule/schedule_clock.h"

struct residency_program {
	const char *name;
	void (*go)(void);
};

/*
 * virtual_ns: of all calls. bound_ns, bytes_bound_ns: see residency_bound.h. rewriting_ns: time of
 * the program's writing between the calls, by its processor; in that it had so many page faults.
 * failed: a call was not carried out.
 */
struct residency_account {
	double virtual_ns, bound_ns, bytes_bound_ns;
	double rewriting_ns, rewriting_faults;
	bool failed;
};

/* From 0 on; NULL: there is none of that number. */
const struct residency_program *residency_programs_find(size_t number);

/* Once. The clock has to stay. */
bool residency_programs_start(int device, const struct schedule_clock *clock);
/* Memory for the operands, touched anew, in large pages or small ones. */
void residency_programs_prepare(bool large);
struct residency_account residency_programs_run(const struct residency_program *program);

#endif
