/* libc_older.c - stands in for functions that libc lacks before glibc 2.30, 2.32 or 2.33 */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/libc/libc_older.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/libc/libc_rows.h"

/* System calls: struct stat of glibc is the kernel's where a long has 64 bits. */
static pid_t libc_older_gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static int libc_older_tgkill(pid_t process, pid_t thread, int signal)
{
	return (int)syscall(SYS_tgkill, process, thread, signal);
}

static int libc_older_stat(const char *path, struct stat *status)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

static int libc_older_lstat(const char *path, struct stat *status)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

static int libc_older_fstat(int file, struct stat *status)
{
	return (int)syscall(SYS_fstat, file, status);
}

/*
 * The words of a number that libc does not know would be written to the buffer. Other than
 * strerrordesc_np, strerror_r translates.
 */
static const char *libc_older_describe_error(int error)
{
	char unknown[64];
	const char *words = strerror_r(error, unknown, sizeof unknown);
	return words != unknown ? words : NULL;
}

uintptr_t libc_older_find(unsigned row)
{
	switch (row) {
	case LIBC_ROW_gettid: return (uintptr_t)libc_older_gettid;
	case LIBC_ROW_tgkill: return (uintptr_t)libc_older_tgkill;
	case LIBC_ROW_stat: return (uintptr_t)libc_older_stat;
	case LIBC_ROW_lstat: return (uintptr_t)libc_older_lstat;
	case LIBC_ROW_fstat: return (uintptr_t)libc_older_fstat;
	case LIBC_ROW_strerrordesc_np: return (uintptr_t)libc_older_describe_error;
	default: return 0;
	}
}

/*
 * For the tool, which is linked without stubs. Aliases of functions of their own: the compiler may
 * write an alias's name where libc_older_find has the function, and the linker would turn that into
 * the stub, which would jump to itself.
 */
#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 32)
static pid_t libc_older_tool_gettid(void)
{
	return libc_older_gettid();
}

static int libc_older_tool_tgkill(pid_t process, pid_t thread, int signal)
{
	return libc_older_tgkill(process, thread, signal);
}

static const char *libc_older_tool_describe(int error)
{
	return libc_older_describe_error(error);
}

pid_t gettid(void) __attribute__((alias("libc_older_tool_gettid")));
int tgkill(pid_t process, pid_t thread, int signal)
	__attribute__((alias("libc_older_tool_tgkill")));
const char *strerrordesc_np(int error) __attribute__((alias("libc_older_tool_describe")));
#endif
