/* reach_plans.c - plans made in one module and executed in another; plans made past the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * usage: reach_plans MODULE MODULE LIBRARY
 *
 * Two modules that load FFTW with local scope, and the file of FFTW.
 */
enum { N = 64 };

typedef void *maker(int n, double *in, double *out);
typedef void *planner(int rank, const int *dims, int loops, const int *loop, double *in,
                      double *out, int sign, unsigned flags);
typedef void user(void *plan);
typedef void new_user(void *plan, double *in, double *out);

static double in[2 * N], out[2 * N], other_in[2 * N], other_out[2 * N];
static int failures;

static void *open_file(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (handle == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return handle;
}

static void fill(double *x, double value)
{
	for (int i = 0; i < N; i++) {
		x[2 * i] = value;
		x[2 * i + 1] = 0;
	}
}

/* The transform of a constant. */
static void tell(const char *what, const double *x, double value)
{
	const int right = x[0] == N * value && x[1] == 0 && x[2] == 0 && x[2 * N - 1] == 0;
	printf("%s: %s\n", what, right ? "right" : "WRONG");
	failures += !right;
}

static void execute_twice(const char *what, void *module, void *plan)
{
	user *execute = (user *)dlsym(module, "module_execute");
	new_user *execute_new = (new_user *)dlsym(module, "module_execute_new");
	fill(in, 2);
	execute(plan);
	tell(what, out, 2);
	fill(in, 3);
	execute(plan);
	tell(what, out, 3);
	fill(other_in, 4);
	execute_new(plan, other_in, other_out);
	tell(what, other_out, 4);
}

int main(int count, char **arguments)
{
	if (count != 4)
		return 2;
	void *first = open_file(arguments[1]), *second = open_file(arguments[2]);
	void *plan = ((maker *)dlsym(first, "module_make"))(N, in, out);
	execute_twice("of the first, by the second", second, plan);
	execute_twice("of the first, by the first", first, plan);
	((user *)dlsym(second, "module_destroy"))(plan);

	void *library = open_file(arguments[3]);
	/* Simpler planners call fftw_plan_many_dft by name, so the shim sees these plans. */
	plan = ((planner *)dlsym(library, "fftw_plan_guru_dft"))(1, (const int[]){N, 1, 1}, 0, NULL,
	                                                         in, out, -1, 1u << 6);
	execute_twice("of the handle, by the first", first, plan);
	((user *)dlsym(first, "module_destroy"))(plan);
	plan = ((maker *)dlsym(second, "module_make"))(N, in, out);
	((user *)dlsym(library, "fftw_execute"))(plan);
	tell("of the second, by the handle", out, 3);
	execute_twice("of the second, by the first", first, plan);
	((user *)dlsym(first, "module_destroy"))(plan);
	return failures != 0;
}
