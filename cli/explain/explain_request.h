/* explain_request.h - the words of `gpushim explain` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_EXPLAIN_EXPLAIN_REQUEST_H
#define GPUSHIM_CLI_EXPLAIN_EXPLAIN_REQUEST_H

#include "cli/common/call_problem.h"
#include "policy/decide/cost.h"
#include "policy/options/options.h"

enum { EXPLAIN_THREADS_MAX = 4096 };

/*
 * routine: as it was typed, NULL for the table of all. setting: without threads where threads is 0.
 */
struct explain_request {
	const char *routine, *profile;
	struct call_problem problem;
	struct cost_setting setting;
	struct options options;
	bool json;
};

/* Reads all words. false after a sentence. */
bool explain_request_read(struct explain_request *request, char **words);

#endif
