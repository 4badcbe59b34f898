/* explain.h - the command line and the two reports of `gpushim explain` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_H

#include "cli/common/command.h"
#include "cli/explain/explain_facts.h"

/*
 * routine: as it was typed; NULL for the table of all routines. setting: cpu_threads is 0 where
 * --threads was not given.
 */
struct explain_request {
	const char *routine;
	struct call_problem problem;
	struct cost_setting setting;
	struct options options;
	bool json;
};

/* Reads the command line. false after a message. */
bool explain_request_read(struct explain_request *request, struct explain_arguments *arguments);

/* One call. */
void explain_print(struct emit *emit, const struct explain_facts *facts);

/*
 * The size from which on each routine is faster on the GPU, and is let go there. The text also has
 * a plot of the speedup against the size. Operands are in pageable memory.
 */
void explain_table_print(struct emit *emit, const struct explain_view *view);

#endif
