/* tune_request.h - the words of `gpushim tune` */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TUNE_TUNE_REQUEST_H
#define GPUSHIM_CLI_TUNE_TUNE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/options/options.h"

/*
 * paths: logs, to be freed. threads: 0 where nobody said. options: as a program would have them
 * that is started now.
 */
struct tune_request {
	const char **paths, *profile, *write;
	size_t path_count;
	int threads;
	bool json, force;
	struct options options;
};

/* Reads all words. false after a sentence. */
bool tune_request_read(struct tune_request *request, char **words);

#endif
