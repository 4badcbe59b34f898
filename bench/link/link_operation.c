/* link_operation.c - prints what an operation of the device costs beside its work */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "bench/link/link_bench.h"
#include "measure/measure_operation.h"

void link_operation_measure(struct link_bench *bench)
{
	static const char *const what[MEASURE_OPERATIONS] = {
		[MEASURE_LAUNCH] = "a small dgemm behind others of its stream",
		[MEASURE_COPY] = "a small copy behind others of its stream",
		[MEASURE_QUERY] = "a question whether an event is complete",
		[MEASURE_HOP] = "an operation that waits for one of another stream",
		[MEASURE_CALL] = "a whole call: two copies, a product, a copy",
	};
	struct spread cost_ns[MEASURE_OPERATIONS];
	measure_operation_costs(&bench->device, bench->quick ? 3 : 500, cost_ns);
	printf("costs beside the work, ns: median of %d [least..most]\n", MEASURE_OPERATION_ROUNDS);
	for (int i = 0; i < MEASURE_OPERATIONS; i++)
		printf("   %-49s %8.0f [%.0f..%.0f]\n", what[i], cost_ns[i].median,
		       cost_ns[i].least, cost_ns[i].most);
	printf("\n");
	bench->figures.operation_ns = cost_ns[MEASURE_HOP].median;
	bench->figures.call_fixed_ns = cost_ns[MEASURE_CALL].median;
}
