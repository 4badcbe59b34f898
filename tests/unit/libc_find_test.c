/* libc_find_test.c - each row's function is the one that the loader finds in libc */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "shim/libc/libc_find.h"

static const char *const names[LIBC_ROWS] = {
#define LIBC(name) #name,
#include "shim/libc/libc.def"
#undef LIBC
};

Test(libc_find, finds_what_dlsym_finds)
{
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	cr_assert_not_null(libc);
	if (dlsym(RTLD_DEFAULT, "__sanitizer_set_death_callback") != NULL)
		libc = RTLD_DEFAULT; /* a sanitizer's functions come first */
	for (unsigned row = 0; row < LIBC_ROWS; row++) {
		const uintptr_t found = libc_find_row(row);
		cr_expect_eq(found, (uintptr_t)dlsym(libc, names[row]), "%s", names[row]);
		cr_expect_eq(libc_slots[row], found, "%s", names[row]);
	}
}

Test(libc_find, leaves_errno_and_the_loaders_message)
{
	dlsym(RTLD_DEFAULT, "there is no such function");
	errno = EILSEQ;
	for (unsigned row = 0; row < LIBC_ROWS; row++)
		libc_find_row(row);
	cr_expect_eq(errno, EILSEQ);
	const char *message = dlerror();
	cr_expect(message != NULL && strstr(message, "there is no such function") != NULL);
}

enum { SMALL_BYTES = 16 * 1024 };

static void *find_all(void *unused)
{
	(void)unused;
	for (unsigned row = 0; row < LIBC_ROWS; row++)
		libc_find_row(row);
	return NULL;
}

Test(libc_find, fits_the_smallest_stack)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	cr_assert_eq(pthread_attr_setstacksize(&attributes, SMALL_BYTES), 0);
	cr_assert_eq(pthread_create(&thread, &attributes, find_all, NULL), 0);
	cr_expect_eq(pthread_join(thread, NULL), 0);
}
