/* trial_check.c - the status and the output of a run, beside those of the runs before */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/trial_check.h"

#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "shim/base/clock.h"

/* Compares the parts of the outputs that are not stored, by their hashes. */
static void trial_check_rest(const struct child_output *first, const struct child_output *output,
                             struct difference *difference)
{
	const uint64_t kept = CHILD_OUTPUT_KEPT_BYTES;
	if ((first->total_bytes <= kept && output->total_bytes <= kept) ||
	    (first->total_bytes == output->total_bytes && first->rest == output->rest))
		return;
	difference->rest_differs = true;
	difference->rest_bytes[0] = first->total_bytes;
	difference->rest_bytes[1] = output->total_bytes;
}

static int trial_check_compare(struct trial_runs *trial, size_t index,
                               const struct child_output *output)
{
	struct trial_side *side = &trial->side[index];
	const struct line_set *unsteady =
		index != TRIAL_RUNS_OFF ? &trial->side[TRIAL_RUNS_OFF].difference.lines : NULL;
	const int error = difference_add(&side->difference, unsteady, trial->first.file,
	                                 output->file, trial->tolerance);
	if (error != 0) {
		trial_runs_stop(trial, "error", "cannot read the program's output again: %s",
		                say_error(error));
		return TOOL_NOT_RUN;
	}
	trial_check_rest(&trial->first, output, &side->difference);
	side->outputs++;
	return TOOL_FINE;
}

static int trial_check_output(struct trial_runs *trial, size_t index, struct child_output *output)
{
	if (trial->first.file < 0) {
		trial->first = *output;
		trial->first_ns = clock_monotonic_ns();
		output->file = -1;
		trial->side[index].outputs++;
		return TOOL_FINE;
	}
	return trial_check_compare(trial, index, output);
}

bool trial_check_wants_repeat(const struct trial_runs *trial, size_t index)
{
	return index != TRIAL_RUNS_OFF && trial->side[TRIAL_RUNS_OFF].outputs < 2 &&
	       trial_check_judge(trial, index).kind == DIFFERENCE_FOUND;
}

int trial_check_run(struct trial_runs *trial, size_t index, const struct child_outcome *outcome,
                    struct child_output *output)
{
	if (child_interrupted() != 0)
		return 128 + child_interrupted();
	if (outcome->start_error != 0) {
		trial_runs_stop(trial, "error", "cannot run '%s' (%s): %s", trial->words[0],
		                trial->side[index].name, say_error(outcome->start_error));
		return TOOL_NOT_RUN;
	}
	if (output->error != 0) {
		trial_runs_stop(trial, "error",
		                "cannot keep the program's output: %s; TMPDIR can name a folder "
		                "with more room",
		                say_error(output->error));
		return TOOL_NOT_RUN;
	}
	status_list_add(&trial->side[index].statuses, child_status(outcome));
	if (outcome->status != 0 && !trial->ignores_failure)
		return TOOL_FAILED;
	return trial_check_output(trial, index, output);
}

bool trial_check_status_differs(const struct trial_runs *trial, size_t index)
{
	return index != TRIAL_RUNS_OFF &&
	       status_list_differs(&trial->side[index].statuses,
	                           &trial->side[TRIAL_RUNS_OFF].statuses);
}

struct difference_verdict trial_check_judge(const struct trial_runs *trial, size_t index)
{
	return difference_judge(&trial->side[index].difference,
	                        &trial->side[TRIAL_RUNS_OFF].difference);
}
