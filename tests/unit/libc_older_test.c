/* libc_older_test.c - what stands in for functions of libc does as they do */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/libc/libc_find.h"
#include "shim/libc/libc_older.h"

typedef pid_t thread_function(void);
typedef int kill_function(pid_t process, pid_t thread, int signal);
typedef int path_function(const char *path, struct stat *status);
typedef int file_function(int file, struct stat *status);
typedef const char *words_function(int error);

#define OLDER(type, name) ((type *)libc_older_find(LIBC_ROW_##name))

Test(libc_older, finds_threads)
{
	cr_expect_eq(OLDER(thread_function, gettid)(), gettid());
	cr_expect_eq(OLDER(kill_function, tgkill)(getpid(), gettid(), 0), 0);
	errno = 0;
	cr_expect_eq(OLDER(kill_function, tgkill)(getpid(), 1, 0), -1);
	cr_expect_eq(errno, ESRCH);
}

static void expect_same(const struct stat *one, const struct stat *other)
{
	cr_expect_eq(one->st_dev, other->st_dev);
	cr_expect_eq(one->st_ino, other->st_ino);
	cr_expect_eq(one->st_mode, other->st_mode);
	cr_expect_eq(one->st_nlink, other->st_nlink);
	cr_expect_eq(one->st_uid, other->st_uid);
	cr_expect_eq(one->st_size, other->st_size);
	cr_expect_eq(one->st_mtim.tv_nsec, other->st_mtim.tv_nsec);
}

Test(libc_older, reads_the_status_of_files)
{
	struct stat one = {0}, other = {0};
	cr_expect_eq(OLDER(path_function, stat)("/proc/self/exe", &one), 0);
	cr_expect_eq(stat("/proc/self/exe", &other), 0);
	expect_same(&one, &other);
	cr_expect_eq(OLDER(path_function, lstat)("/proc/self/exe", &one), 0);
	cr_expect(S_ISLNK(one.st_mode));
	cr_expect_eq(OLDER(file_function, fstat)(STDERR_FILENO, &one), 0);
	cr_expect_eq(fstat(STDERR_FILENO, &other), 0);
	expect_same(&one, &other);
	errno = 0;
	cr_expect_eq(OLDER(path_function, stat)("/no such file", &one), -1);
	cr_expect_eq(errno, ENOENT);
}

Test(libc_older, describes_errors)
{
	for (int error = 0; error < 200; error++) {
		const char *words = OLDER(words_function, strerrordesc_np)(error);
		const char *expected = strerrordesc_np(error);
		cr_expect_eq(words == NULL, expected == NULL, "%d", error);
		cr_expect(words == NULL || strcmp(words, expected) == 0, "%d: %s", error, words);
	}
}

Test(libc_older, has_nothing_else)
{
	cr_expect_eq(libc_older_find(LIBC_ROW_malloc), 0);
	cr_expect_eq(libc_older_find(LIBC_ROWS), 0);
}
