/* explain_plot.c - speedup against size in plain text, both axes logarithmic */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/explain/explain.h"
#include "cli/explain/explain_smallest.h"

/*
 * From 2^PLOT_FIRST to 2^PLOT_LAST, PLOT_OCTAVE columns to a doubling; two rows to a doubling of
 * the speedup.
 */
enum {
	PLOT_FIRST = 4,
	PLOT_LAST = 15,
	PLOT_OCTAVE = 6,
	PLOT_COLUMNS = (PLOT_LAST - PLOT_FIRST) * PLOT_OCTAVE + 1,
	PLOT_LEAST = -3, /* 1/8 */
	PLOT_MOST = 5,   /* 32 */
	PLOT_ROWS = (PLOT_MOST - PLOT_LEAST) * 2 + 1
};

static const struct plot_curve {
	char mark;
	struct call_problem problem;
} plot_curves[] = {
	{'s', {.family = FAMILY_GEMM, .element = ELEMENT_S, .sizes = 3, .count = 1}},
	{'d', {.family = FAMILY_GEMM, .element = ELEMENT_D, .sizes = 3, .count = 1}},
	{'z', {.family = FAMILY_GEMM, .element = ELEMENT_Z, .sizes = 3, .count = 1}},
	{'f', {.family = FAMILY_FFT_C2C, .element = ELEMENT_Z, .sizes = 2, .count = 1}},
};
enum { PLOT_CURVES = sizeof plot_curves / sizeof plot_curves[0] };

/* The row of a speedup, from the top; what is beyond the axis stands at its end. */
static int explain_plot_find_row(double speedup)
{
	const double height = (log2(speedup) - PLOT_LEAST) * 2;
	if (height <= 0)
		return PLOT_ROWS - 1;
	return height >= PLOT_ROWS - 1 ? 0 : PLOT_ROWS - 1 - (int)(height + 0.5);
}

static void explain_plot_draw(char row[PLOT_ROWS][PLOT_COLUMNS + 1], const struct plot_curve *curve,
                              const struct machine *machine, const struct cost_setting *setting)
{
	for (int column = 0; column < PLOT_COLUMNS; column++) {
		const double n = exp2(PLOT_FIRST + (double)column / PLOT_OCTAVE);
		const double speedup = explain_smallest_speedup(machine, setting, &curve->problem,
		                                                (int64_t)(n + 0.5));
		if (!(speedup > 0))
			continue;
		char *at = &row[explain_plot_find_row(speedup)][column];
		*at = *at == ' ' || *at == '-' ? curve->mark : '*';
	}
}

static void explain_plot_print_axis(void)
{
	printf("%8s", "");
	for (int column = 0; column < PLOT_COLUMNS; column++)
		putchar(column % PLOT_OCTAVE == 0 ? '+' : '-');
	printf("\n%6s", "n");
	for (int power = PLOT_FIRST; power <= PLOT_LAST; power++)
		printf(" %-*d", PLOT_OCTAVE - 1, 1 << power);
	printf("\n");
}

void explain_plot_print(const struct known_machine *machine, const struct cost_setting *setting)
{
	static const char *const label[] = {"1/8", "1/4", "1/2", "1", "2", "4", "8", "16", "32"};
	static char row[PLOT_ROWS][PLOT_COLUMNS + 1];
	for (int i = 0; i < PLOT_ROWS; i++) {
		memset(row[i], i == explain_plot_find_row(1) ? '-' : ' ', PLOT_COLUMNS);
		row[i][PLOT_COLUMNS] = '\0';
	}
	for (int i = 0; i < PLOT_CURVES; i++)
		explain_plot_draw(row, &plot_curves[i], &machine->complete, setting);
	printf("\nspeedup of n x n by the GPU: s sgemm, d dgemm, z zgemm, f fftw_c2c, * several\n");
	for (int i = 0; i < PLOT_ROWS; i++) {
		const bool ticked = (PLOT_ROWS - 1 - i) % 2 == 0;
		for (int last = PLOT_COLUMNS - 1; last >= 0 && row[i][last] == ' '; last--)
			row[i][last] = '\0';
		printf("%6s |%s\n", ticked ? label[(PLOT_ROWS - 1 - i) / 2] : "", row[i]);
	}
	explain_plot_print_axis();
}
