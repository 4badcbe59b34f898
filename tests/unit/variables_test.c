/* variables_test.c - the copy of the environment, from lists that other threads left half done */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/variables.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* A readable page in front of one that is not. */
static char *make_edge(void)
{
	char *map =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(map, MAP_FAILED);
	cr_assert_eq(mprotect(map + PAGE, PAGE, PROT_NONE), 0);
	return map + PAGE;
}

Test(variables, is_getenv_without_a_copy)
{
	setenv("SOME", "value", 1);
	cr_expect_str_eq(variables_find("SOME"), "value");
	setenv("SOME", "other", 1);
	cr_expect_str_eq(variables_find("SOME"), "other");
	cr_expect_null(variables_find("SOM"));
}

Test(variables, is_kept)
{
	char long_value[3 * PAGE];
	memset(long_value, 'x', sizeof long_value);
	long_value[sizeof long_value - 1] = '\0';
	setenv("SOME", "value", 1);
	setenv("LONG", long_value, 1);
	setenv("EMPTY", "", 1);
	variables_keep();
	setenv("SOME", "other", 1);
	setenv("LATE", "value", 1);
	cr_expect_str_eq(variables_find("SOME"), "value");
	cr_expect_str_eq(variables_find("LONG"), long_value);
	cr_expect_str_eq(variables_find("EMPTY"), "");
	cr_expect_null(variables_find("LATE"));
	variables_keep();
	cr_expect_str_eq(variables_find("LATE"), "value");
	setenv("LATE", "later", 1);
	variables_keep();
	cr_expect_str_eq(variables_find("LATE"), "value", "there are two copies at most");
}

/* What released memory may hold. */
Test(variables, wild_pointers_are_left_out)
{
	char *edge = make_edge();
	char last[] = "LAST=1", own[] = "EPOCHLY_GPU_SOME=2";
	memcpy(edge - 4, "EDGE", 4); /* never ends */
	memcpy(edge - 16, "ENDING=3", 9);
	char *list[] = {(char *)16, edge, edge - 4,  (char *)-9, (char *)1,
	                last,       own,  edge - 16, NULL};
	environ = list;
	variables_keep();
	cr_expect_str_eq(variables_find("LAST"), "1");
	cr_expect_str_eq(variables_find("EPOCHLY_GPU_SOME"), "2");
	cr_expect_str_eq(variables_find("ENDING"), "3");
	cr_expect_str_eq(variables_list()[0], own, "the shim's own come first");
}

Test(variables, a_list_may_run_into_nothing)
{
	char **list = (char **)(void *)make_edge() - 2;
	char first[] = "FIRST=1", second[] = "SECOND=2";
	list[0] = first;
	list[1] = second;
	environ = list;
	variables_keep();
	cr_expect_str_eq(variables_find("FIRST"), "1");
	cr_expect_str_eq(variables_find("SECOND"), "2");
}

Test(variables, there_may_be_none)
{
	environ = NULL;
	variables_keep();
	cr_expect_null(variables_find("HOME"));
	cr_expect_null(variables_list()[0]);
}

Test(variables, a_wild_list)
{
	environ = (char **)(void *)(make_edge() + 8);
	variables_keep();
	cr_expect_null(variables_find("HOME"));
}

Test(variables, is_long)
{
	enum { MANY = 6000 };
	static char names[MANY][32];
	static char *list[MANY + 1];
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof names[i], "N%d=%d", i, i);
		list[i] = names[i];
	}
	environ = list;
	variables_keep();
	cr_expect_str_eq(variables_find("N0"), "0");
	cr_expect_str_eq(variables_find("N4095"), "4095");
	cr_expect_null(variables_find("N4096"));
}
