/* explain_request.h - the command line of `gpushim explain` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_REQUEST_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_REQUEST_H

#include "cli/common/call_problem.h"
#include "cli/common/command.h"
#include "policy/decide/cost.h"
#include "policy/options/options.h"

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

#endif
