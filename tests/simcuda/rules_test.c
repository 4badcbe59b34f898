/* rules_test.c - checks each rule of CUDA that clients depend on */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "sim_rules.h"

/*
 * rules_test [FOLDER:...] [MAJOR]. Runs against the stand-ins, or against the real libraries where
 * there is a GPU. FOLDER "-", or no FOLDER, lets the loader find the libraries. Rules that only the
 * stand-ins can show are skipped with the real libraries and reported as skipped.
 */
int main(int count, char **arguments)
{
	static const struct rule *const lists[] = {
		device_rules, memory_rules,  copy_rules,    stream_rules,    cublas_rules,
		level3_rules, cufft_rules,   solver_rules,  decompose_rules, geam_rules,
		handle_rules, fault_rules,   alive_rules,   hang_rules,      clock_rules,
		dry_rules,    context_rules, capture_rules, float_rules,     node_rules,
		NULL};
	const char *folder = count > 1 && strcmp(arguments[1], "-") ? arguments[1] : NULL;
	return rules_run(folder, count > 2 ? atoi(arguments[2]) : 0, lists);
}
