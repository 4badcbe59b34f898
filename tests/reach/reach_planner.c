/* reach_planner.c - a program without FFTW that asks the global scope for a planner */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>

typedef void *planner(int n, void *in, void *out, int sign, unsigned flags);
typedef void destroyer(void *plan);

int main(void)
{
	static double x[16], y[16];
	planner *plan_1d = (planner *)dlsym(RTLD_DEFAULT, "fftw_plan_dft_1d");
	destroyer *destroy = (destroyer *)dlsym(RTLD_DEFAULT, "fftw_destroy_plan");
	if (plan_1d == NULL || destroy == NULL) {
		printf("no planner\n");
		return 0;
	}
	void *plan = plan_1d(8, x, y, -1, 1u << 6);
	printf("%s\n", plan != NULL ? "a plan" : "no plan");
	destroy(plan);
	destroy(NULL);
	return 0;
}
