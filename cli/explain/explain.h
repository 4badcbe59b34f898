/* explain.h - the command line and the two reports of `gpushim explain` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_H

#include "cli/common/command.h"
#include "cli/explain/explain_facts.h"

/*
 * routine: as it was typed; NULL for the table of all routines. defect: why no such call runs on
 * the GPU; then problem and setting are not filled. setting: cpu_threads is 0 where --threads was
 * not given.
 */
struct explain_request {
	const char *routine;
	enum reason defect;
	struct call_problem problem;
	struct cost_setting setting;
	struct options options;
	uint64_t calls;
	bool json;
};

/* Reads the command line. false after a message. */
bool explain_request_read(struct explain_request *request, struct explain_arguments *arguments);

/*
 * A routine that the shim has no row for, or a call that it never sends to the GPU (defect): the
 * sentences that coverage has for it. false, and nothing is printed, where the routine is neither.
 */
bool explain_untaken_print(const struct explain_request *request);

/*
 * Where the first call of the prediction goes, and where the decision sends such calls. Nothing
 * where that is the same side. Text only.
 */
void explain_states_print(struct emit *emit, const struct explain_facts *facts);

/* Whether such calls start CUDA at all: the options do not keep them on the CPU. */
bool explain_states_starts_cuda(const struct explain_facts *facts);

/* One call. */
void explain_print(struct emit *emit, const struct explain_facts *facts);

/*
 * The size from which on each routine is faster on the GPU, and is let go there. The text also has
 * a plot of the speedup against the size. Operands are in pageable memory.
 */
void explain_table_print(struct emit *emit, const struct explain_view *view);

#endif
