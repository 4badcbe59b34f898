/* calibrate_print.c - prints what was measured */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/common/say.h"

enum { PRINT_CELL_BYTES = 24 };

/* The curve of these rates, or NULL. */
static const struct machine_curve *calibrate_print_find_curve(const struct machine *machine,
                                                              enum machine_side side,
                                                              const struct calibrate_row *row,
                                                              int threads)
{
	for (int i = 0; i < machine->curve_count; i++) {
		const struct machine_curve *curve = &machine->curve[i];
		if (curve->side == side && curve->family == row->family &&
		    curve->element == row->element && curve->threads == threads &&
		    curve->rigour == row->rigour)
			return curve;
	}
	return NULL;
}

static void calibrate_print_rate(const struct machine_curve *curve)
{
	if (curve == NULL)
		printf(" %11s", "-");
	else
		printf(" %11.1f", curve->point[curve->count - 1].rate / 1e9);
}

static void calibrate_print_rates(const struct calibrate *calibrate)
{
	const struct machine *machine = &calibrate->board->machine;
	char cell[PRINT_CELL_BYTES];
	printf("rates at the largest size that was measured, Gflop/s\n  %-18s", "");
	for (int i = 0; i < calibrate->thread_counts; i++) {
		snprintf(cell, sizeof cell, "%d thread%s", calibrate->threads[i],
		         calibrate->threads[i] == 1 ? "" : "s");
		printf(" %11s", cell);
	}
	printf(" %11s\n", "GPU");
	for (int row = 0; row < CALIBRATE_ROWS; row++) {
		printf("  %-18s", calibrate_cpu_rows[row].name);
		for (int i = 0; i < calibrate->thread_counts; i++)
			calibrate_print_rate(calibrate_print_find_curve(machine, MACHINE_CPU,
			                                                &calibrate_cpu_rows[row],
			                                                calibrate->threads[i]));
		calibrate_print_rate(calibrate_print_find_curve(machine, MACHINE_GPU,
		                                                &calibrate_cpu_rows[row], 0));
		printf("\n");
	}
}

static void calibrate_print_links(const struct machine *machine)
{
	printf("link, GB/s\n  %-28s %11s %11s\n", "", "to the GPU", "from it");
	printf("  %-28s %11.1f %11.1f\n", "as operands are moved", machine->link_up_bytes / 1e9,
	       machine->link_down_bytes / 1e9);
	printf("  %-28s %11.1f %11.1f\n", "page-locked memory", machine->link_up_pinned_bytes / 1e9,
	       machine->link_down_pinned_bytes / 1e9);
	printf("  %-28s %11.1f %11.1f\n", "pageable memory", machine->link_up_pageable_bytes / 1e9,
	       machine->link_down_pageable_bytes / 1e9);
	say_fact("while both ways are busy, each keeps %.0f %% of its rate",
	         machine->link_duplex * 100);
}

static void calibrate_print_costs(const struct machine *machine)
{
	say_section("fixed costs");
	printf("  %-28s %8.1f ms\n", "start of CUDA", machine->start_ns / 1e6);
	printf("  %-28s %8.2f ms\n", "a cuFFT plan", machine->fft_plan_ns / 1e6);
	printf("  %-28s %8.1f us\n", "a call", machine->call_fixed_ns / 1e3);
	printf("  %-28s %8.1f us\n", "a copy or kernel of it", machine->operation_ns / 1e3);
	printf("  %-28s %8.1f us\n", "a small transform", machine->gpu_fft_floor_ns[0] / 1e3);
	printf("  %-28s %8.1f us\n", "a small transform in 3-D",
	       machine->gpu_fft_floor_ns[2] / 1e3);
	printf("  %-28s %8.2f us\n", "a row of trsm", machine->gpu_trsm_row_ns / 1e3);
}

static void calibrate_print_fact(const char *what, const char *text)
{
	if (text[0] != '\0')
		say_fact("%-14s %s", what, text);
}

void calibrate_print(const struct calibrate *calibrate)
{
	const struct machine *machine = &calibrate->board->machine;
	if (calibrate->board->simulated)
		printf("SIMULATED: this is the CUDA of the tests; no figure of the GPU is a "
		       "speed\n");
	if (calibrate->quick)
		printf("QUICK: sizes so small that no figure below means anything\n");
	say_section("machine");
	calibrate_print_fact("host", machine->host);
	calibrate_print_fact("processor", machine->cpu);
	calibrate_print_fact("BLAS", machine->cpu_blas);
	calibrate_print_fact("FFTW", machine->cpu_fftw);
	calibrate_print_fact("GPU", machine->gpu);
	calibrate_print_fact("CUDA", machine->cuda);
	calibrate_print_rates(calibrate);
	if (machine->link_up_bytes > 0) {
		calibrate_print_links(machine);
		calibrate_print_costs(machine);
	}
}
