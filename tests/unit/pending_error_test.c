/* pending_error_test.c - the program's dlerror() survives the shim's own calls of the loader */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/pending_error.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static void succeed(void)
{
	cr_expect_not_null(dlsym(RTLD_DEFAULT, "strlen"));
}

static void fail(void)
{
	cr_expect_null(dlopen("the-shim-s-own", RTLD_LAZY));
}

static void fail_and_ask(void)
{
	fail();
	cr_expect_not_null(strstr(dlerror(), "the-shim-s-own"));
}

static void fail_and_succeed(void)
{
	fail();
	succeed();
}

static void (*const works[])(void) = {succeed, fail, fail_and_ask, fail_and_succeed};
enum { WORKS = sizeof works / sizeof works[0] };

static void keep(void (*work)(void))
{
	void *error = pending_error_begin();
	void *inner = pending_error_begin();
	work();
	pending_error_end(inner);
	work();
	pending_error_end(error);
}

static void *try_all(void *unused)
{
	for (int i = 0; i < WORKS; i++) {
		cr_expect_null(dlopen("the-program-s", RTLD_LAZY));
		keep(works[i]);
		const char *text = dlerror();
		cr_assert_not_null(text, "the error is lost by work %d", i);
		cr_expect_not_null(strstr(text, "the-program-s"));
		keep(works[i]);
		cr_expect_not_null(strstr(text, "the-program-s"), "the text stays readable");
		cr_expect_null(dlerror(), "an error is delivered once");
		keep(works[i]);
		cr_expect_null(dlerror(), "work %d leaves an error behind", i);
	}
	return unused;
}

Test(pending_error, survives)
{
	try_all(NULL);
}

Test(pending_error, is_each_threads_own)
{
	pthread_t thread;
	cr_expect_null(dlopen("the-first-thread-s", RTLD_LAZY));
	cr_assert_eq(pthread_create(&thread, NULL, try_all, NULL), 0);
	pthread_join(thread, NULL);
	cr_expect_not_null(strstr(dlerror(), "the-first-thread-s"));
}
