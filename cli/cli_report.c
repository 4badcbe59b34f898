/* cli_report.c - times, outputs, decisions, and what they come to */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/cli_predict.h"
#include "cli/cli_say.h"
#include "cli/cli_statistics.h"
#include "shim/record/human.h"

static const char report_machine[] = "h200"; /* the reference machine of predictions */

enum report_quantity { REPORT_WALL, REPORT_USER, REPORT_SYSTEM };

static double cli_report_measure(const struct cli_outcome *outcome, enum report_quantity quantity)
{
	if (quantity == REPORT_WALL)
		return (double)outcome->wall_ns;
	return (double)(quantity == REPORT_USER ? outcome->user_ns : outcome->system_ns);
}

static struct cli_statistics cli_report_find_times(const struct cli_trial *trial, enum cli_side side,
                                                   enum report_quantity quantity)
{
	double *values = cli_say_need(calloc(trial->pair_count, sizeof *values));
	for (size_t i = 0; i < trial->pair_count; i++)
		values[i] = cli_report_measure(&trial->pairs[i].outcome[side], quantity);
	const struct cli_statistics result = cli_statistics_compute(values, trial->pair_count);
	free(values);
	return result;
}

static struct cli_statistics cli_report_find_ratios(const struct cli_trial *trial)
{
	double *values = cli_say_need(calloc(trial->pair_count, sizeof *values));
	for (size_t i = 0; i < trial->pair_count; i++)
		values[i] = (double)trial->pairs[i].outcome[CLI_SIDE_ON].wall_ns /
		            (double)trial->pairs[i].outcome[CLI_SIDE_OFF].wall_ns;
	const struct cli_statistics result = cli_statistics_compute(values, trial->pair_count);
	free(values);
	return result;
}

static void cli_report_print_times(const struct cli_trial *trial, enum cli_side side, const char *title)
{
	const struct cli_statistics wall = cli_report_find_times(trial, side, REPORT_WALL);
	const struct cli_statistics user = cli_report_find_times(trial, side, REPORT_USER);
	const struct cli_statistics system = cli_report_find_times(trial, side, REPORT_SYSTEM);
	const double values[] = {wall.median, wall.least, wall.most, wall.deviation, user.median, system.median};
	printf("%-10s", title);
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		char text[HUMAN_BYTES];
		human_format_time((uint64_t)values[i], text);
		printf("%11s", text);
	}
	printf("\n");
}

static void cli_report_print_output(const struct cli_trial *trial)
{
	const struct cli_difference *found = &trial->difference;
	if (found->kind == CLI_DIFFERENCE_NONE)
		printf("output: equal, byte by byte\n");
	else if (found->kind == CLI_DIFFERENCE_NUMBERS)
		printf("output: equal within the tolerance %g: numbers differ by at most %.2g of the largest of their line\n",
		       trial->tolerance, found->deviation);
	else
		printf("output: DIFFERS beyond the tolerance %g, at line %zu\n  without the shim: %s\n  with the shim:    %s\n",
		       trial->tolerance, found->line, found->before, found->after);
	if (trial->unstable.kind == CLI_DIFFERENCE_FOUND)
		printf("  (it differs from run to run even without the shim, at line %zu: '%s', '%s')\n",
		       trial->unstable.line, trial->unstable.before, trial->unstable.after);
}

static void cli_report_print_status(const struct cli_trial *trial)
{
	if (trial->status_differs)
		printf("exit status: DIFFERS: %d without the shim, %d with it\n", trial->status[CLI_SIDE_OFF],
		       trial->status[CLI_SIDE_ON]);
	else
		printf("exit status: %d in all runs\n", trial->status[CLI_SIDE_OFF]);
}

static void cli_report_print_reason(const struct cli_harvest *harvest, enum reason reason)
{
	static const char *const where[] = {"cpu", "gpu", "cpu"};
	char calls[HUMAN_BYTES], time[HUMAN_BYTES];
	const uint64_t count = cli_harvest_count_reason(harvest, reason);
	const uint64_t elapsed_ns = cli_harvest_sum_elapsed(harvest, reason);
	if (count == 0)
		return;
	human_format_count(count, calls);
	human_format_time(elapsed_ns, time);
	printf("  %s %12s calls %10s  %s: %s\n", where[reason_outcome(reason)], calls, elapsed_ns > 0 ? time : "",
	       reason_name(reason), reason_sentence(reason));
}

static void cli_report_print_decisions(const struct cli_trial *trial)
{
	if (cli_harvest_count_calls(&trial->harvest) == 0) {
		printf("decisions: none, no intercepted routine was called\n");
		return;
	}
	printf("decisions, all runs with the shim together:\n");
	for (int reason = 0; reason < REASON_COUNT; reason++)
		cli_report_print_reason(&trial->harvest, (enum reason)reason);
}

static uint64_t cli_report_count_gpu(const struct cli_harvest *harvest)
{
	uint64_t calls = 0;
	for (int reason = 0; reason < REASON_COUNT; reason++)
		if (reason_outcome((enum reason)reason) == OUTCOME_GPU)
			calls += cli_harvest_count_reason(harvest, (enum reason)reason);
	return calls;
}

/* Why there is no GPU here, as the calls were told; REASON_NONE where none of them asked for one in vain. */
static enum reason cli_report_find_absence(const struct cli_harvest *harvest)
{
	static const enum reason absent[] = {REASON_NO_CUDA,           REASON_NO_DRIVER,          REASON_DRIVER_TOO_OLD,
	                                     REASON_NO_DEVICE,         REASON_DEVICE_UNSUPPORTED, REASON_SYMBOL_MISSING,
	                                     REASON_CUDA_START_FAILED, REASON_MATH_NOT_NATIVE};
	for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
		if (cli_harvest_count_reason(harvest, absent[i]) > 0)
			return absent[i];
	return REASON_NONE;
}

/* Whether all pairs, of which there are some, point to the same side. */
static bool cli_report_is_clear(const struct cli_trial *trial, const struct cli_statistics *ratio)
{
	return trial->pair_count >= 3 && (ratio->most < 1 || ratio->least > 1);
}

static void cli_report_print_cost(const struct cli_trial *trial, const struct cli_statistics *ratio)
{
	const enum reason absence = cli_report_find_absence(&trial->harvest);
	const bool early = cli_harvest_count_reason(&trial->harvest, REASON_WARMING_UP) > 0;
	printf("result: ");
	if (cli_harvest_count_calls(&trial->harvest) == 0)
		printf("there was nothing for the shim to do");
	else
		printf("every call stayed on the CPU");
	if (absence != REASON_NONE)
		printf(", since %s", reason_sentence(absence));
	else if (early)
		printf(", since CUDA was still starting (--warmup wait waits for it)");
	/* What only forwards cannot make a program faster: below 1 it is the machine's noise. */
	if (cli_report_is_clear(trial, ratio) && ratio->median > 1)
		printf("; the shim cost %+.1f %% of the program's time (ratio %.3f)\n", (ratio->median - 1) * 100,
		       ratio->median);
	else
		printf("; what the shim cost is within the spread of the runs (ratio %.3f)\n", ratio->median);
}

/* Whether the options let calls go to the GPU: else a prediction of how many would is none. */
static bool cli_report_is_open(const struct cli_harvest *harvest)
{
	return cli_harvest_count_calls(harvest) > 0 && cli_harvest_count_reason(harvest, REASON_DISABLED) == 0 &&
	       cli_harvest_count_reason(harvest, REASON_PROGRAM_EXCLUDED) == 0 &&
	       cli_harvest_count_reason(harvest, REASON_POLICY_NEVER) == 0;
}

static void cli_report_print_result(const struct cli_trial *trial, const struct cli_statistics *ratio)
{
	if (ratio->median < 1)
		printf("result: with the shim the program is %.2f times as fast", 1 / ratio->median);
	else
		printf("result: with the shim the program takes %.2f times as long", ratio->median);
	printf(cli_report_is_clear(trial, ratio)
	               ? "\n"
	               : "; the runs are too uneven for a clear answer, try more with --runs\n");
}

int cli_report_print(struct cli_trial *trial)
{
	const struct cli_statistics ratio = cli_report_find_ratios(trial);
	const double off_ns = cli_report_find_times(trial, CLI_SIDE_OFF, REPORT_WALL).median;
	printf("%zu pair%s of runs without and with the shim, after one to warm up\n", trial->pair_count,
	       trial->pair_count == 1 ? "" : "s");
	printf("%-10s%11s%11s%11s%11s%11s%11s\n", "", "median", "least", "most", "deviation", "user", "system");
	cli_report_print_times(trial, CLI_SIDE_OFF, "shim off");
	cli_report_print_times(trial, CLI_SIDE_ON, "shim on");
	printf("%-10s%11.3f%11.3f%11.3f%11.3f   (of each pair; below 1 the shim pays)\n", "on / off", ratio.median,
	       ratio.least, ratio.most, ratio.deviation);
	cli_report_print_output(trial);
	cli_report_print_status(trial);
	cli_report_print_decisions(trial);
	if (cli_report_count_gpu(&trial->harvest) > 0)
		cli_report_print_result(trial, &ratio);
	else
		cli_report_print_cost(trial, &ratio);
	fflush(stdout);
	if (cli_report_is_open(&trial->harvest) && cli_report_count_gpu(&trial->harvest) == 0)
		cli_predict_print(trial, report_machine, off_ns);
	return trial->difference.kind == CLI_DIFFERENCE_FOUND || trial->status_differs ? CLI_DIFFERENT : CLI_FINE;
}
