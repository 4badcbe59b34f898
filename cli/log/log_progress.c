/* log_progress.c - draws how far the reading is, no more often than one can see */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/log/log_progress.h"

#include "cli/common/progress_bar.h"
#include "policy/text/human.h"
#include "shim/base/clock.h"

enum { PROGRESS_MUCH_BYTES = 100000000, PROGRESS_PAUSE_NS = 100000000 };

static void log_progress_draw(const struct log_progress *progress)
{
	char whole[HUMAN_BYTES];
	const double done = (double)progress->done_bytes / (double)progress->whole_bytes;
	const double share = done < 1 ? done : 1;
	human_format_size(progress->whole_bytes, whole);
	progress_bar_draw(share, "%3.0f %%  reading %s", share * 100, whole);
}

void log_progress_begin(struct log_progress *progress, uint64_t whole_bytes)
{
	*progress = (struct log_progress){.whole_bytes = whole_bytes};
	progress->draws = whole_bytes > PROGRESS_MUCH_BYTES && progress_bar_is_seen();
}

void log_progress_add(struct log_progress *progress, uint64_t bytes)
{
	progress->done_bytes += bytes;
	const int64_t now_ns = progress->draws ? clock_monotonic_ns() : 0;
	if (!progress->draws || now_ns - progress->drawn_ns < PROGRESS_PAUSE_NS)
		return;
	progress->drawn_ns = now_ns;
	log_progress_draw(progress);
}

void log_progress_end(struct log_progress *progress)
{
	if (progress->draws)
		progress_bar_clear();
	progress->draws = false;
}
