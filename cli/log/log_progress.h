/* log_progress.h - how far the reading of large logs is */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_LOG_LOG_PROGRESS_H
#define GPUSHIM_CLI_LOG_LOG_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct log_progress {
	bool draws;
	uint64_t whole_bytes, done_bytes;
	int64_t drawn_ns;
};

/* A bar on stderr where that is a terminal and there is much to read; end takes it away. */
void log_progress_begin(struct log_progress *progress, uint64_t whole_bytes);
void log_progress_add(struct log_progress *progress, uint64_t bytes);
void log_progress_end(struct log_progress *progress);

#endif
