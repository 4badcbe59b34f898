/* lifetime_test.c - lifetimes of objects that come and go */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "shim/base/lifetime.h"

#define LIBRARY(kind) UNIT_LIFETIME "/libunit_lifetime_" kind ".so"

static void *handle, *inside;

static uint64_t open_library(const char *path)
{
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	cr_assert_not_null(handle, "%s", dlerror());
	inside = dlsym(handle, "lifetime_function");
	cr_assert_not_null(inside);
	return lifetime_find(inside);
}

static bool is_counted(uint64_t lifetime)
{
	return lifetime % LIFETIME_PLACES == LIFETIME_COUNTED;
}

/* The end of such a library is announced, and each load has a lifetime of its own. */
static void check_announced(const char *path)
{
	const uint64_t first = open_library(path);
	const void *const before = inside;
	cr_assert(lifetime_is_announced(first) && first != LIFETIME_PERMANENT);
	cr_assert_eq(lifetime_find(inside), first, "one load has one lifetime");
	cr_assert_eq(open_library(path), first, "a second handle is the same load");
	dlclose(handle);
	cr_assert(lifetime_lasts(first), "the first handle is still open");
	dlclose(handle);
	cr_assert(!lifetime_lasts(first), "the last handle is closed");
	for (int i = 0; i < 1000; i++) {
		const uint64_t next = open_library(path);
		cr_assert(next != first && lifetime_is_announced(next));
		cr_assert(!lifetime_lasts(first));
		cr_assert_eq(next % LIFETIME_PLACES, first % LIFETIME_PLACES, "a place is reused");
		dlclose(handle);
		cr_assert(!lifetime_lasts(next));
	}
	if (inside != before)
		cr_log_info("the loads were at different addresses");
}

/* Nobody announces the end of such a library: any change ends its lifetime. */
static void check_counted(const char *path)
{
	const uint64_t first = open_library(path);
	cr_assert(is_counted(first) && lifetime_lasts(first));
	void *const mine = handle;
	open_library(LIBRARY("plain"));
	cr_assert(!lifetime_lasts(first), "another library was loaded");
	const uint64_t second = lifetime_find(dlsym(mine, "lifetime_function"));
	cr_assert(is_counted(second) && lifetime_lasts(second));
	dlclose(handle);
	cr_assert(!lifetime_lasts(second), "another library was unloaded");
	dlclose(mine);
}

Test(lifetime, of_what_is_never_unloaded)
{
	cr_assert_eq(lifetime_find((const void *)(uintptr_t)check_counted), LIFETIME_PERMANENT);
	cr_assert_eq(lifetime_find(dlsym(RTLD_DEFAULT, "malloc")), LIFETIME_PERMANENT);
	double (*volatile of_libm)(double) = cos;
	cr_assert_eq(lifetime_find((const void *)(uintptr_t)of_libm), LIFETIME_PERMANENT);
	cr_assert(lifetime_lasts(LIFETIME_PERMANENT));
	cr_assert(!lifetime_lasts(LIFETIME_OVER));
}

Test(lifetime, of_what_is_in_no_object)
{
	void *memory = calloc(1, 1);
	const uint64_t lifetime = lifetime_find(memory);
	cr_assert(is_counted(lifetime) && lifetime_lasts(lifetime));
	open_library(LIBRARY("plain"));
	cr_assert(!lifetime_lasts(lifetime));
	free(memory);
}

Test(lifetime, of_a_library)
{
	check_announced(LIBRARY("plain"));
}

/* Circular lists point to themselves as the handle does. */
Test(lifetime, of_a_library_with_lists)
{
	check_announced(LIBRARY("lists"));
}

Test(lifetime, of_a_library_with_many_lists)
{
	check_counted(LIBRARY("crowded"));
}

Test(lifetime, of_a_library_without_start_files)
{
	check_counted(LIBRARY("bare"));
}

Test(lifetime, of_two)
{
	const uint64_t plain = open_library(LIBRARY("plain"));
	void *const first = handle;
	const uint64_t lists = open_library(LIBRARY("lists"));
	cr_assert_neq(plain, lists);
	cr_assert_eq(lifetime_join(plain, LIFETIME_PERMANENT), plain);
	cr_assert_eq(lifetime_join(LIFETIME_PERMANENT, lists), lists);
	cr_assert_eq(lifetime_join(plain, plain), plain);
	cr_assert_eq(lifetime_join(plain, LIFETIME_OVER), LIFETIME_OVER);
	const uint64_t both = lifetime_join(plain, lists);
	cr_assert(lifetime_lasts(both));
	dlclose(first);
	cr_assert(!lifetime_lasts(both) && lifetime_lasts(lists));
}

Test(lifetime, of_what_is_made_permanent)
{
	const uint64_t before = open_library(LIBRARY("plain"));
	lifetime_make_permanent(inside);
	dlclose(handle);
	cr_assert_not_null(dlopen(LIBRARY("plain"), RTLD_NOW | RTLD_NOLOAD));
	cr_assert(lifetime_lasts(before), "what was kept with it stays valid");
	cr_assert_eq(lifetime_find(inside), LIFETIME_PERMANENT);
}

/* More libraries than places: the others are counted. */
Test(lifetime, of_more_than_there_are_places)
{
	char command[1024], path[256];
	char folder[] = "/tmp/lifetime-XXXXXX";
	cr_assert_not_null(mkdtemp(folder));
	snprintf(command, sizeof command,
	         "i=0; while [ $i -lt %d ]; do cp %s %s/$i.so; i=$((i+1)); done",
	         LIFETIME_PLACES + 2, LIBRARY("plain"), folder);
	cr_assert_eq(system(command), 0);
	int announced = 0;
	for (int i = 0; i < LIFETIME_PLACES + 2; i++) {
		snprintf(path, sizeof path, "%s/%d.so", folder, i);
		announced += lifetime_is_announced(open_library(path));
	}
	cr_assert_eq(announced, LIFETIME_PLACES - 2);
	cr_assert(is_counted(lifetime_find(inside)));
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_assert_eq(system(command), 0);
}
