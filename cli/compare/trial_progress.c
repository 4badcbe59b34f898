/* trial_progress.c - the rounds done, the ratio so far, the time left */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common/progress_bar.h"
#include "cli/compare/interval.h"
#include "cli/compare/trial_runs.h"
#include "policy/text/human.h"
#include "shim/base/clock.h"

enum { BAR_RUNS_BYTES = 32, BAR_ESTIMATE_BYTES = 64 };

static const double bar_confidence = 0.95;

static void trial_progress_estimate(const struct trial_runs *trial, char out[BAR_ESTIMATE_BYTES])
{
	out[0] = '\0';
	if (trial->rounds == 0 || trial->sides != 2)
		return;
	double *differences = trial_runs_list_differences(trial, TRIAL_RUNS_ON, TRIAL_RUNS_OFF);
	const struct interval found = interval_find(differences, trial->rounds, bar_confidence);
	if (trial->rounds < interval_least_count(bar_confidence))
		snprintf(out, BAR_ESTIMATE_BYTES, "  on / off %.3f", exp(found.middle));
	else
		snprintf(out, BAR_ESTIMATE_BYTES, "  on / off %.3f (%.3f to %.3f)",
		         exp(found.middle), exp(found.low), exp(found.high));
	free(differences);
}

static void trial_progress_left(const struct trial_runs *trial, double passed_ns,
                                char out[HUMAN_BYTES])
{
	const double rounds = (double)trial->rounds;
	double left_ns = passed_ns / rounds * ((double)trial->runs - rounds);
	if (trial->seconds > 0)
		left_ns = fmax(fmin(left_ns, trial->seconds * 1e9 - passed_ns), 0);
	human_format_time((uint64_t)(ceil(left_ns / 1e9) * 1e9), out);
}

/* By the rounds or by the time, whichever comes to its end first. */
static double trial_progress_share(const struct trial_runs *trial, double passed_ns)
{
	const double done = (double)trial->rounds / (double)trial->runs;
	return trial->seconds > 0 ? fmin(fmax(done, passed_ns / (trial->seconds * 1e9)), 1) : done;
}

void trial_progress_draw(const struct trial_runs *trial, int64_t start_ns)
{
	char runs[BAR_RUNS_BYTES] = "", estimate[BAR_ESTIMATE_BYTES] = "", left[HUMAN_BYTES] = "";
	const double passed_ns = (double)(clock_monotonic_ns() - start_ns);
	if (!progress_bar_is_seen())
		return;
	if (trial->seconds <= 0)
		snprintf(runs, sizeof runs, " of %zu", trial->runs);
	if (trial->rounds > 0) {
		trial_progress_estimate(trial, estimate);
		trial_progress_left(trial, passed_ns, left);
	}
	progress_bar_draw(trial_progress_share(trial, passed_ns), "round %zu%s%s%s%s%s",
	                  trial->rounds + 1, runs, estimate, left[0] != '\0' ? "  " : "", left,
	                  left[0] != '\0' ? " left" : "");
}
