/* matrix_limits.c - closed descriptors, limits, jails, lost environments */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "matrix.h"

extern char **environ;

static int work_and_say(void)
{
	matrix_work();
	matrix_say("main");
	return 0;
}

static void close_all(void)
{
	for (int fd = 0; fd < 1024; fd++)
		if (fd != 1)
			close(fd);
}

static int run_closed(void)
{
	close_all();
	matrix_work();
	return work_and_say();
}

static int run_closed_later(void)
{
	matrix_work();
	close_all();
	matrix_work();
	return work_and_say();
}

/* The descriptors that were closed are the program's own now. */
static int run_reused(void)
{
	matrix_work();
	close_all();
	for (int i = 0; i < 40; i++)
		if (open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
			return 3;
	matrix_work();
	return work_and_say();
}

static int run_no_descriptors(void)
{
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_NOFILE, &none);
	return work_and_say();
}

static int run_no_files(void)
{
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_FSIZE, &none);
	return work_and_say();
}

static int run_little_memory(void)
{
	const struct rlimit little = {(rlim_t)600 << 20, (rlim_t)600 << 20};
	setrlimit(RLIMIT_AS, &little);
	return work_and_say();
}

static int run_no_environment(void)
{
	environ = NULL;
	return work_and_say();
}

static int run_cleared_environment(void)
{
	matrix_work();
	clearenv();
	return work_and_say();
}

static int run_folder_gone(void)
{
	char folder[] = "gone-XXXXXX";
	if (mkdtemp(folder) == NULL || chdir(folder) != 0 || rmdir("../gone") == 0)
		return 3;
	umask(0777);
	return work_and_say();
}

static int run_chroot(void)
{
	char folder[] = "jail-XXXXXX";
	if (mkdtemp(folder) == NULL)
		return 3;
	if (chroot(folder) != 0 || chdir("/") != 0)
		matrix_skip("chroot is not permitted");
	return work_and_say();
}

static int run_chroot_later(void)
{
	matrix_work();
	return run_chroot();
}

static int run_other_user(void)
{
	if (setgid(65534) != 0 || setuid(65534) != 0)
		matrix_skip("there is no other user to become");
	return work_and_say();
}

/* Every system call but these fails with EPERM: no files, threads, processes, clocks of the kernel. */
static int forbid(void)
{
#define ALLOW(name)                                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                     \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(write),
		ALLOW(exit_group),
		ALLOW(exit),
		ALLOW(brk),
		ALLOW(mmap),
		ALLOW(munmap),
		ALLOW(mprotect),
		ALLOW(futex),
		ALLOW(rt_sigreturn),
		ALLOW(rt_sigprocmask),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)};
	const struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int run_forbidden(void)
{
	if (!forbid())
		matrix_skip("no seccomp filters here");
	return work_and_say();
}

static int run_forbidden_later(void)
{
	matrix_work();
	return run_forbidden();
}

const struct situation matrix_limits[] = {
	{"closed", run_closed, "standard input and error closed before the first call"},
	{"closed-later", run_closed_later, "all descriptors closed after it"},
	{"reused-descriptors", run_reused,
         "descriptors that the program took over are not touched"},
	{"no-descriptors", run_no_descriptors, "RLIMIT_NOFILE 0"},
	{"no-file-sizes", run_no_files, "RLIMIT_FSIZE 0"},
	{"little-memory", run_little_memory, "RLIMIT_AS of 600 MiB"},
	{"no-environment", run_no_environment, "`environ` is NULL"},
	{"cleared-environment", run_cleared_environment, "`clearenv` after the first call"},
	{"folder-gone", run_folder_gone, "the working folder does not exist, umask 0777"},
	{"chroot", run_chroot, "an empty root before the first call"},
	{"chroot-later", run_chroot_later, "an empty root after it"},
	{"other-user", run_other_user, "privileges given up before the first call"},
	{"forbidden", run_forbidden, "seccomp: no files, threads or clocks before the first call"},
	{"forbidden-later", run_forbidden_later, "the same after it"},
	{NULL, NULL, NULL}};
