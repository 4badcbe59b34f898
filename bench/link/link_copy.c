/* link_copy.c - prints the bandwidth of the link by the size of a copy */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "bench/link/link_bench.h"
#include "measure/measure_link.h"

static const size_t MEGABYTE = 1 << 20;

static void link_copy_print_row(struct link_bench *bench, struct measure_link *link, size_t chunk)
{
	struct measure_rates rates;
	struct link_figures *figures = &bench->figures;
	measure_link_copies(link, chunk, &rates);
	printf("%8zu  %8.1f %8.1f   %8.1f %8.1f   %8.1f %8.1f\n", chunk / MEGABYTE,
	       rates.alone[MEASURE_UP] / 1e9, rates.alone[MEASURE_DOWN] / 1e9,
	       rates.beside[MEASURE_UP] / 1e9, rates.beside[MEASURE_DOWN] / 1e9,
	       rates.pageable[MEASURE_UP] / 1e9, rates.pageable[MEASURE_DOWN] / 1e9);
	fflush(stdout);
	if (rates.alone[MEASURE_UP] + rates.alone[MEASURE_DOWN] <
	    figures->up_bytes + figures->down_bytes)
		return;
	figures->up_bytes = rates.alone[MEASURE_UP];
	figures->down_bytes = rates.alone[MEASURE_DOWN];
	figures->duplex = measure_link_duplex(&rates);
}

void link_copy_measure(struct link_bench *bench)
{
	const size_t most = bench->quick ? MEGABYTE : 64 * MEGABYTE;
	struct measure_link link;
	measure_link_open(&link, &bench->device, 2 * most,
	                  bench->quick ? 2 * MEGABYTE : 2048 * MEGABYTE);
	printf("copies, GB/s: page-locked alone, page-locked while the other way is busy too, pageable\n");
	printf("%8s  %8s %8s   %8s %8s   %8s %8s\n", "MB", "up", "down", "up", "down", "up",
	       "down");
	for (size_t chunk = MEGABYTE; chunk <= most; chunk *= 2)
		link_copy_print_row(bench, &link, chunk);
	printf("both ways at once each keeps %.2f of its rate\n\n", bench->figures.duplex);
	measure_link_close(&link);
}
