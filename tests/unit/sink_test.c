/* sink_test.c - names of log files with process, host and rank */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim/record/sink.h"

Test(sink, names_hold_process_host_and_rank)
{
	char out[256], expected[256], host[128];
	cr_assert_eq(gethostname(host, sizeof(host)), 0);
	unsetenv("PMI_RANK");
	setenv("OMPI_COMM_WORLD_RANK", "../x", 1);
	setenv("SLURM_PROCID", "3", 1);
	snprintf(expected, sizeof(expected), "/a/%s-%d-3%%x%%%%", host, (int)getpid());
	cr_assert(sink_expand_name("/a/%h-%p-%r%x%%%", out, sizeof(out)));
	cr_assert_str_eq(out, expected);
	cr_assert_not(sink_expand_name("%p", out, 1));
	cr_assert(sink_names_process("a%p") && !sink_names_process("a%%p") &&
	          !sink_names_process("%"));
}
