/* tune_choice_test.c - tune proposes the simplest setting that saves about as much as the best */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli/tune/tune.h"

/* Times in the order of enum tune_setting; 0: not tried. */
struct choice_row {
	double time_ns[TUNE_SETTINGS];
	enum tune_setting want;
};

/* clang-format off */
static const struct choice_row choice_rows[] = {
	/* recorded  cpu  gpu  present  auto  waits  threshold  routines */
	{{3060, 3060, 1010, 954, 954, 802, 784, 775}, TUNE_THRESHOLD}, /* no two steps if neither is worth it */
	{{3060, 3060, 1010, 954, 954, 790, 784, 775}, TUNE_WAIT},
	{{3060, 3060, 1010, 954, 954, 802, 784, 740}, TUNE_ROUTINES},
	{{1000, 1000, 5000, 1000, 1000, 1000, 1000, 999}, TUNE_PRESENT},
	{{1000, 1000, 5000, 1000, 990, 985, 981, 0}, TUNE_PRESENT},
	{{1000, 1000, 5000, 1000, 979, 985, 981, 0}, TUNE_AUTO},
	{{1000, 500, 5000, 1000, 1000, 1000, 500, 0}, TUNE_CPU},
	{{1000, 1000, 100, 1000, 600, 130, 100, 0}, TUNE_THRESHOLD}, /* at equal times a threshold is preferred to the GPU for all calls */
	{{1000, 1000, 100, 1000, 600, 130, 0, 0}, TUNE_GPU},
	{{1000, 1000, 100, 0, 0, 0, 100, 0}, TUNE_THRESHOLD},      /* a log from a pipe: not replayed */
	{{1000, 1000, 5000, 0, 0, 0, 1000, 0}, TUNE_LOGGED},
	{{700, 1000, 5000, 1000, 1000, 1000, 995, 0}, TUNE_PRESENT}, /* the recorded run is faster, but is no setting */
	{{0, 0, 0, 0, 0, 0, 0, 0}, TUNE_LOGGED},
};
/* clang-format on */

int main(void)
{
	int failures = 0;
	for (size_t i = 0; i < sizeof choice_rows / sizeof choice_rows[0]; i++) {
		static struct tune_result result;
		for (int setting = 0; setting < TUNE_SETTINGS; setting++) {
			const double time_ns = choice_rows[i].time_ns[setting];
			result.row[setting] = (struct tune_row){
				.tried = time_ns > 0 || setting == TUNE_LOGGED, .time_ns = time_ns};
		}
		tune_choose(&result);
		if (result.best == choice_rows[i].want)
			continue;
		printf("row %zu: %s is proposed, not %s\n", i, tune_name(result.best),
		       tune_name(choice_rows[i].want));
		failures++;
	}
	printf("%d failures\n", failures);
	return failures > 0;
}
