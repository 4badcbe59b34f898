/* reach_modules.c - modules with their own BLAS; each STEP opens, calls or closes one */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * usage: reach_modules STEP...
 *
 * local:PATH, global:PATH, deep:PATH, space:PATH (in a namespace of its own) open a module as
 * number 0, 1, …; call:N, cblas:N, big:N, huge:N call it; tail:N calls its dgemm_ by a jump;
 * close:N closes it; handle:N looks dgemm_ up in its scope with dlsym; default looks cblas_dgemm
 * up in the global scope; repeat:COUNT repeats all the steps that follow.
 */
enum { MODULES_MAX = 400 };
static void *modules[MODULES_MAX];
static int modules_open;

typedef void call_function(double *result, long size);
typedef void gemm_function(const char *, const char *, const int *, const int *, const int *,
                           const double *, const double *, const int *, const double *, const int *,
                           const double *, double *, const int *);
typedef void cblas_function(int, int, int, int, int, int, double, const double *, int,
                            const double *, int, double, double *, int);

static void show(const char *step, const double *result)
{
	printf("%s: %.3f %.0f %.0f\n", step, result[0], result[1], result[2]);
}

static void *look_up(void *handle, const char *name)
{
	void *found = dlsym(handle, name);
	if (found == NULL)
		printf("%s is not there\n", name);
	return found;
}

static void open_module(const char *path, int flags, Lmid_t space)
{
	modules[modules_open] = dlmopen(space, path, RTLD_NOW | flags);
	if (modules[modules_open] == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	modules_open++;
}

static void call_module(const char *step, void *handle, const char *name, long size)
{
	double result[3];
	call_function *call = (call_function *)look_up(handle, name);
	if (call == NULL)
		return;
	call(result, size);
	show(step, result);
}

static void call_gemm(const char *step, gemm_function *gemm)
{
	const int two = 2;
	const double one = 1, zero = 0, a[4] = {5, 0, 0, 5}, b[4] = {7, 0, 0, 7};
	double c[4] = {0};
	if (gemm == NULL)
		return;
	gemm("N", "N", &two, &two, &two, &one, a, &two, b, &two, &zero, c, &two);
	show(step, c);
}

static void call_cblas(const char *step, cblas_function *gemm)
{
	const double a[4] = {5, 0, 0, 5}, b[4] = {7, 0, 0, 7};
	double c[4] = {0};
	if (gemm == NULL)
		return;
	gemm(102, 111, 111, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
	show(step, c);
}

static void take_step(const char *step)
{
	const char *colon = strchr(step, ':'), *argument = colon != NULL ? colon + 1 : "";
	void *module =
		modules[atoi(argument) < MODULES_MAX && colon != NULL ? (size_t)abs(atoi(argument))
	                                                              : 0];
	const size_t length = colon != NULL ? (size_t)(colon - step) : strlen(step);
#define IS(word) (length == strlen(word) && strncmp(step, word, length) == 0)
	if (IS("local"))
		open_module(argument, RTLD_LOCAL, LM_ID_BASE);
	else if (IS("global"))
		open_module(argument, RTLD_GLOBAL, LM_ID_BASE);
	else if (IS("deep"))
		open_module(argument, RTLD_LOCAL | RTLD_DEEPBIND, LM_ID_BASE);
	else if (IS("space"))
		open_module(argument, RTLD_LOCAL, LM_ID_NEWLM);
	else if (IS("call"))
		call_module(step, module, "module_call", 2);
	else if (IS("big"))
		call_module(step, module, "module_call", 1200);
	else if (IS("huge"))
		call_module(step, module, "module_call", (1L << 33) + 7);
	else if (IS("cblas"))
		call_module(step, module, "module_call_cblas", 2);
	else if (IS("tail"))
		call_gemm(step, (gemm_function *)look_up(module, "module_tail"));
	else if (IS("handle"))
		call_gemm(step, (gemm_function *)look_up(module, "dgemm_"));
	else if (IS("default"))
		call_cblas(step, (cblas_function *)look_up(RTLD_DEFAULT, "cblas_dgemm"));
	else if (IS("close"))
		printf("%s: %d\n", step, dlclose(module));
	else
		printf("unknown step %s\n", step);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "repeat:", 7) != 0) {
			take_step(argv[i]);
			continue;
		}
		for (int round = atoi(argv[i] + 7); round > 0; round--) {
			modules_open = 0;
			for (int j = i + 1; j < argc; j++)
				take_step(argv[j]);
		}
		break;
	}
	return 0;
}
