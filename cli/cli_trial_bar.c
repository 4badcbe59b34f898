/* cli_trial_bar.c - the rounds done, the ratio so far, the time left */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_trial_bar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli_bar.h"
#include "cli/cli_interval.h"
#include "cli/cli_trial.h"
#include "shim/base/clock.h"
#include "shim/record/human.h"

enum { BAR_RUNS_BYTES = 32, BAR_ESTIMATE_BYTES = 64 };

static const double bar_confidence = 0.95;

static void cli_trial_bar_estimate(const struct cli_trial *trial, char out[BAR_ESTIMATE_BYTES])
{
	out[0] = '\0';
	if (trial->rounds == 0 || trial->sides != 2)
		return;
	double *differences = cli_trial_list_differences(trial, CLI_TRIAL_ON, CLI_TRIAL_OFF);
	const struct cli_interval found = cli_interval_find(differences, trial->rounds, bar_confidence);
	if (trial->rounds < cli_interval_least_count(bar_confidence))
		snprintf(out, BAR_ESTIMATE_BYTES, "  on / off %.3f", exp(found.middle));
	else
		snprintf(out, BAR_ESTIMATE_BYTES, "  on / off %.3f (%.3f to %.3f)", exp(found.middle), exp(found.low),
		         exp(found.high));
	free(differences);
}

static void cli_trial_bar_left(const struct cli_trial *trial, double passed_ns, char out[HUMAN_BYTES])
{
	const double rounds = (double)trial->rounds;
	double left_ns = passed_ns / rounds * ((double)trial->runs - rounds);
	if (trial->seconds > 0)
		left_ns = fmax(fmin(left_ns, trial->seconds * 1e9 - passed_ns), 0);
	human_format_time((uint64_t)(ceil(left_ns / 1e9) * 1e9), out);
}

/* By the rounds or by the time, whichever comes to its end first. */
static double cli_trial_bar_share(const struct cli_trial *trial, double passed_ns)
{
	const double done = (double)trial->rounds / (double)trial->runs;
	return trial->seconds > 0 ? fmin(fmax(done, passed_ns / (trial->seconds * 1e9)), 1) : done;
}

void cli_trial_bar_draw(const struct cli_trial *trial, int64_t start_ns)
{
	char runs[BAR_RUNS_BYTES] = "", estimate[BAR_ESTIMATE_BYTES] = "", left[HUMAN_BYTES] = "";
	const double passed_ns = (double)(clock_monotonic_ns() - start_ns);
	if (!cli_bar_is_seen())
		return;
	if (trial->seconds <= 0)
		snprintf(runs, sizeof runs, " of %zu", trial->runs);
	if (trial->rounds > 0) {
		cli_trial_bar_estimate(trial, estimate);
		cli_trial_bar_left(trial, passed_ns, left);
	}
	cli_bar_draw(cli_trial_bar_share(trial, passed_ns), "round %zu%s%s%s%s%s", trial->rounds + 1, runs, estimate,
	             left[0] != '\0' ? "  " : "", left, left[0] != '\0' ? " left" : "");
}
