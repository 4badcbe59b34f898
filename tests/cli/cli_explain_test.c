/* cli_explain_test.c - all routines, machines, options: what pays by explain passes the gate */
/* SPDX-License-Identifier: Apache-2.0 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/explain/explain_smallest.h"

static const struct {
	const char *key, *value;
} settings[] = {
	{"policy", "auto"},
	{"policy", "threshold"},
	{"policy", "dry"},
	{"policy", "always"},
	{"policy", "never"},
	{"enabled", "false"},
	{"workload_threshold", "1"},
	{"workload_threshold", "300000000"},
	{"workload_threshold_zgemm", "1000000000000"},
	{"work_threshold", "1000000000000"},
	{"k_threshold", "5000"},
	{"policy_fftw_c2c", "never"},
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static const int threads[] = {1, 16};
static int failures;

/*
 * By the shim's own functions: the gate lets the call pass, and decide sends it to the GPU or, on a
 * side that it does not know yet, looks at the CPU first.
 */
static bool shim_sends(const struct explain_view *view, const struct call *call)
{
	const struct experience experience = {.machine = &view->machine->complete,
	                                      .source = view->machine->source};
	const struct situation situation = {.gpu = GPU_READY, .setting = *view->setting};
	struct decision decision;
	if (call->size_bytes <
	    decide_gate_bytes(view->options, &experience, &situation, call->family, call->element))
		return false;
	decide(view->options, &experience, &situation, call, &decision);
	return decision.target == TARGET_GPU || decision.reason == REASON_LOOKED_AT_CPU ||
	       decision.reason == REASON_DRY_FASTER;
}

static void check_size(const struct explain_view *view, const struct call_problem *problem,
                       int64_t n, const char *setting)
{
	struct built_call built;
	char name[CALL_NAME_BYTES];
	if (n > explain_smallest_limit(problem) || !call_problem_build_square(problem, n, &built) ||
	    shim_sends(view, &built.call))
		return;
	call_problem_name(problem, name);
	printf("%s, %s, %d threads: %s %lld pays, says explain\n", view->machine->profile.name,
	       setting, view->setting->cpu_threads, name, (long long)n);
	failures++;
}

static void check_problem(const struct explain_view *view, const struct call_problem *problem,
                          const char *setting)
{
	const struct explain_smallest smallest = explain_smallest_find(view, problem);
	for (int64_t n = smallest.pays; n > 0 && n <= explain_smallest_limit(problem);
	     n = n + n / 3 + 1)
		check_size(view, problem, n, setting);
	if (smallest.pays > 0 && (smallest.by_time == 0 || smallest.by_time > smallest.pays)) {
		printf("%s: a size pays that is not faster\n", setting);
		failures++;
	}
}

static void check_view(const struct explain_view *view, const char *setting)
{
	for (int family = 0; family < FAMILY_FFT_R2R; family++)
		for (int element = 0; element < ELEMENT_BLAS_COUNT; element++) {
			if (family_prefix((enum family)family, (enum element)element) == NULL)
				continue;
			struct call_problem problem = {
				.family = (enum family)family,
				.element = (enum element)element,
				.count = family_is_batch((enum family)family) ? 50 : 1};
			problem.sizes = (int)strlen(call_problem_sizes(problem.family));
			for (int rank = 1; rank <= 3; rank++) {
				if (family_is_fft(problem.family))
					problem.sizes = rank;
				if (rank == 1 || family_is_fft(problem.family))
					check_problem(view, &problem, setting);
			}
		}
}

static void check_machine(const char *path)
{
	static struct known_machine machine;
	static struct options options;
	char message[OPTION_MESSAGE_BYTES];
	options_set_defaults(&options);
	if (!known_machine_load(&machine, path, &options))
		exit(2);
	for (int i = 0; i < SETTINGS * 2; i++) {
		const struct cost_setting setting = {.cpu_threads = threads[i % 2]};
		const struct explain_view view = {&machine, &setting, &options};
		options_set_defaults(&options);
		if (!options_set(&options, settings[i / 2].key, settings[i / 2].value, message))
			exit(2);
		options_settle(&options);
		check_view(&view, settings[i / 2].key);
	}
}

int main(int argc, char **argv)
{
	glob_t found;
	if (argc != 2 || glob(argv[1], 0, NULL, &found) != 0)
		return 2;
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_machine(found.gl_pathv[i]);
	printf("%zu machines, %d failures\n", found.gl_pathc, failures);
	globfree(&found);
	return failures > 0 ? 1 : 0;
}
