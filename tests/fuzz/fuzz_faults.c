/* fuzz_faults.c - several faults of the simulated CUDA at once: results, or memory untouched */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/wait.h>

#include "policy/call/reason.h"
#include "tests/fuzz/fuzz.h"
#include "tests/gpu/gpu_sweep.h"

/*
 * gpu_sweep plants one fault at a time. Here the input chooses a case and up to FAULTS_MOST faults,
 * which may meet: an error in the repair of another one.
 */
enum { FAULTS_MOST = 6, TEXT_BYTES = 512, CASES_MOST = 64 };

static char faults[TEXT_BYTES];

/* What a run without a fault uses: found once for each case. */
static const unsigned long *find_uses(const struct sweep_case *wanted,
                                      struct sweep_problem *problem)
{
	static struct sweep_report usual[CASES_MOST];
	struct sweep_report *report = &usual[wanted - sweep_cases];
	if (!report->ended)
		sweep_child_run(wanted, problem, NULL, false, SWEEP_CALLS, report);
	FUZZ_CHECK(report->ended && report->calls == SWEEP_CALLS);
	return report->uses;
}

/* A function that is used, and most often one of its uses. */
static int take_function(struct fuzz_input *input, const unsigned long *uses, unsigned *use)
{
	int function = (int)fuzz_take_byte(input) % sweep_function_count;
	while (uses[function] == 0)
		function = (function + 1) % sweep_function_count;
	*use = 1 + (unsigned)(fuzz_take_word(input, 2) % (uses[function] + 1));
	return function;
}

static void add_fault(struct fuzz_input *input, const unsigned long *uses)
{
	static const int sticky[] = {700, 702, 719};
	unsigned use;
	const int function = take_function(input, uses, &use);
	const unsigned kind = fuzz_take_byte(input) % 8;
	const bool device = function >= sweep_function_count - 2;
	const size_t length = strlen(faults);
	char *const at = faults + length;
	const size_t left = sizeof faults - length;
	const char *const comma = length > 0 ? "," : "", *const name = sweep_functions[function];
	if (device && kind < 3)
		snprintf(at, left, "%s%s:%u%s:hang", comma, name, use, kind == 0 ? "+" : "");
	else if (device || (kind == 3 && strncmp(name, "cuda", 4) == 0))
		snprintf(at, left, "%s%s:%u:%d", comma, name, use, sticky[use % 3]);
	else
		snprintf(at, left, "%s%s:%u%s", comma, name, use, kind < 2 ? "+" : "");
}

static bool hangs(void)
{
	return strstr(faults, ":hang") != NULL;
}

static void check_call(const struct sweep_report *report, int i)
{
	const enum reason reason = report->call[i].reason;
	const bool finished = report->call[i].finished;
	FUZZ_CHECK(reason == REASON_NONE || reason_outcome(reason) == OUTCOME_BACK);
	FUZZ_CHECK(finished || reason != REASON_NONE);
	FUZZ_CHECK(report->call[i].verdict == (finished ? SWEEP_RIGHT : SWEEP_UNTOUCHED));
}

/* A child whose CUDA did not start says so, and ends as skipped. */
static void check_report(const struct sweep_report *report)
{
	if (WIFEXITED(report->status) && WEXITSTATUS(report->status) == GPU_CHECK_SKIPPED)
		return;
	if (report->status != 0 || !report->ended)
		fprintf(stderr, "with %s the child ended with %x: %s\n", faults,
		        (unsigned)report->status, report->errors);
	FUZZ_CHECK(report->status == 0 && report->ended);
	for (int i = 0; i < report->calls; i++)
		check_call(report, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {data, size};
	struct sweep_report report;
	const struct sweep_case *wanted =
		&sweep_cases[(int)fuzz_take_byte(&input) % sweep_case_count];
	struct sweep_problem problem = sweep_problem_make(wanted);
	const unsigned long *uses = find_uses(wanted, &problem);
	FUZZ_CHECK(sweep_case_count <= CASES_MOST);
	faults[0] = '\0';
	for (unsigned count = 1 + fuzz_take_byte(&input) % FAULTS_MOST; count > 0; count--)
		add_fault(&input, uses);
	sweep_child_run(wanted, &problem, faults, hangs(), SWEEP_CALLS, &report);
	sweep_problem_free(&problem);
	if (getenv("FUZZ_SHOW") != NULL)
		fprintf(stderr, "%s: %s: %d calls\n", wanted->name, faults, report.calls);
	check_report(&report);
	return 0;
}
