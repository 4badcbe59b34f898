/* calibrate_print.c - prints what was measured */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/common/say.h"
#include "cli/common/units.h"

/* Columns of a table, so that its lines have 80 characters; figures that vary which are listed. */
enum {
	PRINT_CELL_BYTES = 32,
	PRINT_COLUMNS = 4,
	PRINT_VARIES_BYTES = 16,
	PRINT_LINE_BYTES = 160,
	PRINT_UNSTEADY = 12
};

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

/* "3 %", "<1 %", and nothing where it is not known. */
static void calibrate_print_share(double varies, char out[PRINT_VARIES_BYTES])
{
	if (varies < 0)
		out[0] = '\0';
	else if (varies < 0.01)
		strcpy(out, "<1 %");
	else
		snprintf(out, PRINT_VARIES_BYTES, "%.0f %%", varies < 9.99 ? varies * 100 : 999);
}

static void calibrate_print_rate(const struct calibrate *calibrate,
                                 const struct machine_curve *curve, char cell[PRINT_CELL_BYTES])
{
	const struct calibrate_board *board = calibrate->board;
	char varies[PRINT_VARIES_BYTES] = "";
	if (curve == NULL) {
		snprintf(cell, PRINT_CELL_BYTES, " %8s %5s", "-", "");
		return;
	}
	const struct machine_point *point = &curve->point[curve->count - 1];
	for (int i = 0; i < board->figure_count; i++) {
		const struct calibrate_figure *figure = &board->figures[i];
		if (figure->what == NULL && figure->side == curve->side &&
		    figure->family == curve->family && figure->element == curve->element &&
		    figure->rigour == curve->rigour && figure->threads == curve->threads &&
		    figure->size == point->size)
			calibrate_print_share(figure->varies, varies);
	}
	snprintf(cell, PRINT_CELL_BYTES, " %8.1f %5s", point->rate / 1e9, varies);
}

/* Cells begin with a blank. Blanks at the end of a row are left out. */
static void calibrate_print_row(const char *name, const char cells[PRINT_COLUMNS][PRINT_CELL_BYTES],
                                int count)
{
	char line[PRINT_LINE_BYTES];
	int used = snprintf(line, sizeof line, "  %-18s", name);
	for (int i = 0; i < count; i++)
		used += snprintf(line + used, sizeof line - (size_t)used, "%s", cells[i]);
	while (used > 0 && line[used - 1] == ' ')
		used--;
	printf("%.*s\n", used, line);
}

/* Columns are numbers of threads, and behind those the GPU. */
static void calibrate_print_columns(const struct calibrate *calibrate, int first, int count)
{
	const struct machine *machine = &calibrate->board->machine;
	char cells[PRINT_COLUMNS][PRINT_CELL_BYTES], name[PRINT_CELL_BYTES];
	for (int i = 0; i < count; i++) {
		const bool cpu = first + i < calibrate->thread_counts;
		const int threads = cpu ? calibrate->threads[first + i] : 0;
		snprintf(name, sizeof name, cpu ? "%d thread%s" : "GPU", threads,
		         threads == 1 ? "" : "s");
		snprintf(cells[i], sizeof cells[i], " %14.14s", name);
	}
	calibrate_print_row("", cells, count);
	for (int row = 0; row < CALIBRATE_ROWS; row++) {
		if (!(calibrate_cpu_rows[row].share > 0) &&
		    calibrate_print_find_curve(machine, MACHINE_GPU, &calibrate_cpu_rows[row], 0) ==
		            NULL)
			continue;
		for (int i = 0; i < count; i++) {
			const bool cpu = first + i < calibrate->thread_counts;
			calibrate_print_rate(
				calibrate,
				calibrate_print_find_curve(machine, cpu ? MACHINE_CPU : MACHINE_GPU,
			                                   &calibrate_cpu_rows[row],
			                                   cpu ? calibrate->threads[first + i] : 0),
				cells[i]);
		}
		calibrate_print_row(calibrate_cpu_rows[row].name, cells, count);
	}
}

static void calibrate_print_rates(const struct calibrate *calibrate)
{
	const int columns = calibrate->thread_counts + 1;
	printf("rates at the largest size that was measured, Gflop/s, and how much they vary\n");
	for (int first = 0; first < columns; first += PRINT_COLUMNS)
		calibrate_print_columns(calibrate, first,
		                        columns - first < PRINT_COLUMNS ? columns - first
		                                                        : PRINT_COLUMNS);
}

/* How much a figure that has a name varies; nothing where it is not known. */
static void calibrate_print_find(const struct calibrate *calibrate, const char *what,
                                 char out[PRINT_VARIES_BYTES])
{
	const struct calibrate_board *board = calibrate->board;
	out[0] = '\0';
	for (int i = 0; i < board->figure_count; i++)
		if (board->figures[i].what != NULL && strcmp(board->figures[i].what, what) == 0)
			calibrate_print_share(board->figures[i].varies, out);
}

static void calibrate_print_link(const struct calibrate *calibrate, const char *name,
                                 const char *const what[2], const double bytes[2])
{
	char varies[2][PRINT_VARIES_BYTES];
	for (int way = 0; way < 2; way++)
		calibrate_print_find(calibrate, what[way], varies[way]);
	printf("  %-28s %8.1f %5s %8.1f %5s\n", name, bytes[0] / 1e9, varies[0], bytes[1] / 1e9,
	       varies[1]);
}

static void calibrate_print_links(const struct calibrate *calibrate)
{
	const struct machine *machine = &calibrate->board->machine;
	printf("link, GB/s\n  %-28s %14s %14s\n", "", "to the GPU", "from it");
	calibrate_print_link(calibrate, "as operands are moved",
	                     (const char *const[]){"copies of operands to the GPU",
	                                           "copies of results from the GPU"},
	                     (const double[]){machine->link_up_bytes, machine->link_down_bytes});
	calibrate_print_link(
		calibrate, "page-locked memory",
		(const char *const[]){"page-locked copies to the GPU",
	                              "page-locked copies from the GPU"},
		(const double[]){machine->link_up_pinned_bytes, machine->link_down_pinned_bytes});
	calibrate_print_link(
		calibrate, "pageable memory",
		(const char *const[]){"pageable copies to the GPU", "pageable copies from the GPU"},
		(const double[]){machine->link_up_pageable_bytes,
	                         machine->link_down_pageable_bytes});
	say_fact("while both ways are busy, each keeps %.0f %% of its rate",
	         machine->link_duplex * 100);
}

/* what: the figure's name, NULL of one that is measured once. */
static void calibrate_print_cost(const struct calibrate *calibrate, const char *name,
                                 const char *what, double time_ns)
{
	char time[HUMAN_BYTES], varies[PRINT_VARIES_BYTES] = "once";
	if (what != NULL)
		calibrate_print_find(calibrate, what, varies);
	units_time(time_ns, time);
	printf("  %-28s %11s %5s\n", name, time, varies);
}

static void calibrate_print_costs(const struct calibrate *calibrate)
{
	const struct machine *machine = &calibrate->board->machine;
	say_section("fixed costs");
	calibrate_print_cost(calibrate, "start of CUDA", NULL, machine->start_ns);
	if (machine->solver_start_ns > 0)
		calibrate_print_cost(calibrate, "start of cuSOLVER", NULL,
		                     machine->solver_start_ns);
	calibrate_print_cost(calibrate, "a cuFFT plan", "a cuFFT plan", machine->fft_plan_ns);
	calibrate_print_cost(calibrate, "a call", "a call", machine->call_fixed_ns);
	calibrate_print_cost(calibrate, "a copy or kernel of it", "a copy or kernel of a call",
	                     machine->operation_ns);
	calibrate_print_cost(calibrate, "a copy behind another", "a copy behind another",
	                     machine->copy_ns);
	calibrate_print_cost(calibrate, "a small transform", "a small transform",
	                     machine->gpu_fft_floor_ns[0]);
	calibrate_print_cost(calibrate, "a small transform in 3-D", "a small transform in 3-D",
	                     machine->gpu_fft_floor_ns[2]);
	calibrate_print_cost(calibrate, "a row of trsm", NULL, machine->gpu_trsm_row_ns);
}

/* The figures that vary although they were repeated, and the load of the machine. */
static void calibrate_print_steadiness(const struct calibrate *calibrate)
{
	const struct calibrate_board *board = calibrate->board;
	char name[64], varies[PRINT_VARIES_BYTES], load[CALIBRATE_LOAD_BYTES];
	int unsteady = 0;
	say_section("steadiness");
	calibrate_load_describe(&calibrate->load, load);
	say_fact("%s", load);
	for (int i = 0; i < board->figure_count; i++)
		unsteady += board->figures[i].varies > CALIBRATE_STEADY;
	say_fact("%d of %d figures vary by more than 10 %%, after %d repetition%s", unsteady,
	         board->figure_count, board->repeats, board->repeats == 1 ? "" : "s");
	for (int i = 0, shown = 0; i < board->figure_count && shown < PRINT_UNSTEADY; i++) {
		if (!(board->figures[i].varies > CALIBRATE_STEADY))
			continue;
		calibrate_name_figure(&board->figures[i], name);
		calibrate_print_share(board->figures[i].varies, varies);
		printf("    %-42s %5s\n", name, varies);
		shown++;
	}
	if (unsteady > PRINT_UNSTEADY)
		printf("    and %d more\n", unsteady - PRINT_UNSTEADY);
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
	calibrate_print_fact("LAPACK", machine->cpu_lapack);
	calibrate_print_fact("FFTW", machine->cpu_fftw);
	calibrate_print_fact("GPU", machine->gpu);
	calibrate_print_fact("CUDA", machine->cuda);
	calibrate_print_rates(calibrate);
	if (machine->link_up_bytes > 0) {
		calibrate_print_links(calibrate);
		calibrate_print_costs(calibrate);
	}
	calibrate_print_steadiness(calibrate);
}
