/* loader_lock_test.c - locks of the loader that a child inherits from threads it does not have */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/base/loader_lock.h"

/* The first words of a recursive mutex of glibc. */
enum { STATE, COUNT, OWNER, USERS, KIND, WORDS };
enum { LOADER_BYTES = 4096, PATIENCE_S = 5 };

static int *lock_of_list;

/* Runs while this thread holds the lock of the list of objects, and no other lock of the loader. */
static int look(struct dl_phdr_info *info, size_t size, void *loader)
{
	(void)info, (void)size;
	for (char *at = loader; at < (char *)loader + LOADER_BYTES; at += sizeof(void *)) {
		int words[WORDS];
		memcpy(words, at, sizeof words);
		if (words[KIND] == PTHREAD_MUTEX_RECURSIVE_NP && words[OWNER] == gettid())
			lock_of_list = (int *)at;
	}
	return 1;
}

static int see(struct dl_phdr_info *info, size_t size, void *seen)
{
	(void)info, (void)size;
	*(bool *)seen = true;
	return 1;
}

/* In a child whose parent's thread had written so much of the lock; whether it can be taken. */
static bool is_renewed(int state, int count, int owner, int users)
{
	int status = -1;
	const pid_t child = fork();
	if (child == 0) {
		bool seen = false;
		lock_of_list[STATE] = state;
		lock_of_list[COUNT] = count;
		lock_of_list[OWNER] = owner;
		lock_of_list[USERS] = users;
		alarm(PATIENCE_S);
		loader_lock_renew_orphans();
		dl_iterate_phdr(see, &seen);
		_exit(seen ? 0 : 1);
	}
	waitpid(child, &status, 0);
	return status == 0;
}

Test(loader_lock, a_lock_that_a_thread_of_the_parent_was_about_to_take_or_leave)
{
	void *loader = dlsym(RTLD_DEFAULT, "_rtld_global");
	if (loader == NULL)
		cr_skip_test("this C library does not tell where its loader's locks are");
	dl_iterate_phdr(look, loader);
	cr_assert_not_null(lock_of_list);
	loader_lock_find_list();
	cr_expect(is_renewed(0, 0, 0, 0), "free");
	cr_expect(is_renewed(1, 0, 0, 0), "taken, and nothing is written yet");
	cr_expect(is_renewed(2, 1, 0, 0), "the count is written");
	cr_expect(is_renewed(1, 1, 0x3ffffff, 0), "and the owner");
	cr_expect(is_renewed(1, 1, 0x3ffffff, 1), "all is written");
	cr_expect(is_renewed(1, 0, 0, 1), "about to be free");
}
