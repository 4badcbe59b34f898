/* calibrate_steady.c - repeats what varies, and keeps how much each figure does */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/calibrate/calibrate.h"

enum { STEADY_TRIES = 3 };

struct spread calibrate_repeat(const struct calibrate *calibrate,
                               struct spread (*measure)(const void *what), const void *what)
{
	struct spread best = measure(what);
	for (int tries = 1; tries < STEADY_TRIES && best.varies > CALIBRATE_STEADY; tries++) {
		const struct spread next = measure(what);
		calibrate->board->repeats++;
		if (next.median > 0 && next.varies >= 0 && next.varies < best.varies)
			best = next;
	}
	return best;
}

void calibrate_note(const struct calibrate *calibrate, const struct calibrate_figure *figure)
{
	struct calibrate_board *board = calibrate->board;
	if (board->figure_count < CALIBRATE_FIGURES)
		board->figures[board->figure_count++] = *figure;
}

const char *calibrate_name_routine(enum family family, enum element element, enum fft_rigour rigour)
{
	for (int i = 0; i < CALIBRATE_ROWS; i++) {
		const struct calibrate_row *row = &calibrate_cpu_rows[i];
		if (row->family == family && row->element == element && row->rigour == rigour)
			return row->name;
	}
	return "?";
}

void calibrate_name_figure(const struct calibrate_figure *figure, char out[64])
{
	const char *routine =
		calibrate_name_routine(figure->family, figure->element, figure->rigour);
	if (figure->what != NULL)
		snprintf(out, 64, "%s", figure->what);
	else if (figure->side == MACHINE_GPU)
		snprintf(out, 64, "%s on the GPU at %.0f", routine, figure->size);
	else
		snprintf(out, 64, "%s with %d thread%s at %.0f", routine, figure->threads,
		         figure->threads == 1 ? "" : "s", figure->size);
}

void calibrate_add_point(const struct calibrate *calibrate, struct machine_curve *curve,
                         double size, double rate, double varies)
{
	if (curve->count == MACHINE_POINTS || !(rate >= 1))
		return;
	curve->point[curve->count].size = size;
	curve->point[curve->count].rate = rate;
	curve->count++;
	calibrate_note(calibrate, &(struct calibrate_figure){.side = curve->side,
	                                                     .family = curve->family,
	                                                     .element = curve->element,
	                                                     .rigour = curve->rigour,
	                                                     .threads = curve->threads,
	                                                     .size = size,
	                                                     .varies = varies});
}

double calibrate_add_curve(struct machine *machine, const struct machine_curve *curve)
{
	if (curve->count == 0)
		return 0;
	machine_add_curve(machine, curve);
	return curve->point[curve->count - 1].rate;
}
