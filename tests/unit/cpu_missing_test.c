/* cpu_missing_test.c - a missing routine is searched once, and again after a dlopen */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>

#include "shim/execute/cpu/cpu.h"
#include "shim/table/symbol.h"

/* Calls of dlopen: they show the search for a default library. */
static int opened;

/* Replaces libc's for this program and its libraries. */
void *dlopen(const char *file, int mode)
{
	static void *(*real)(const char *, int);
	if (real == NULL)
		real = __extension__(void *(*)(const char *, int)) dlsym(RTLD_NEXT, "dlopen");
	opened++;
	return real(file, mode);
}

static struct options options;

static struct cpu_routine find(void)
{
	return cpu_find(SYMBOL_scipy_zgemm_batch_strided_, (const void *)(uintptr_t)find);
}

Test(cpu_missing, is_searched_once)
{
	options_set_defaults(&options);
	snprintf(options.cpu_blas, sizeof options.cpu_blas, "libnowhere.so");
	cpu_configure(&options);
	cr_assert_null(find().code);
	cr_assert_gt(opened, 0, "the first search asks the loader");
	find(); /* the search itself may have loaded a library */
	opened = 0;
	for (int i = 0; i < 10; i++)
		cr_assert_null(find().code);
	cr_assert_eq(opened, 0, "what was not there is not searched again");
	if (dlopen("libfftw3.so.3", RTLD_NOW) == NULL)
		cr_skip("no libfftw3.so.3 to load meanwhile");
	opened = 0;
	find();
	cr_assert_gt(opened, 0, "a library was loaded: it may have the routine");
}
