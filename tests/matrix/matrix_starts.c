/* matrix_starts.c - what a program has set up before its first call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "matrix.h"

/* Says what the next dlerror() tells. */
static void say_pending(void)
{
	const char *text = dlerror();
	matrix_say(text == NULL ? "no error" : strstr(text, "mine") != NULL ? "mine" : "not mine");
}

static int run_pending_error(void)
{
	dlopen("this-one-is-mine", RTLD_LAZY);
	matrix_products();
	say_pending();
	matrix_work();
	say_pending();
	dlsym(RTLD_DEFAULT, "this_one_is_mine");
	matrix_work();
	say_pending();
	return 0;
}

/* A trap may fire in the program's routines alone. */
static void trap_all(void)
{
	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(FE_ALL_EXCEPT);
}

static int run_all_traps(void)
{
	trap_all();
	matrix_products();
	const int traps = fegetexcept(), raised = fetestexcept(FE_ALL_EXCEPT);
	matrix_say(traps == FE_ALL_EXCEPT ? "traps are kept" : "traps are lost");
	matrix_say(raised == 0 ? "nothing is raised" : "flags are raised");
	exit(0);
}

static int run_all_traps_later(void)
{
	matrix_work();
	return run_all_traps();
}

/* As by a kernel that is older than its calls, or a filter that pretends so. */
static int run_calls_unknown(void)
{
	static const unsigned unknown[] = {SYS_process_vm_readv,
	                                   SYS_prctl,
	                                   SYS_sched_getaffinity,
	                                   SYS_readlink,
	                                   SYS_readlinkat,
	                                   SYS_uname,
	                                   SYS_getcwd,
	                                   SYS_sigaltstack,
	                                   SYS_memfd_create,
	                                   SYS_madvise,
	                                   SYS_prlimit64,
	                                   SYS_sysinfo,
	                                   SYS_mbind,
	                                   SYS_get_mempolicy,
	                                   SYS_set_mempolicy,
	                                   SYS_flock,
	                                   SYS_fallocate,
	                                   SYS_ftruncate};
	enum { COUNT = sizeof unknown / sizeof unknown[0] };
	struct sock_filter rules[COUNT * 2 + 2];
	size_t used = 0;
	rules[used++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                                             offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < COUNT; i++) {
		rules[used++] =
			(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unknown[i], 0, 1);
		rules[used++] =
			(struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
	}
	rules[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {(unsigned short)used, rules};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		matrix_skip("no seccomp filters here");
	matrix_work();
	matrix_say("main");
	return 0;
}

/* The limit of threads holds for users without privileges. */
static int run_no_threads(void)
{
	const struct rlimit none = {0, 0};
	if (setrlimit(RLIMIT_NPROC, &none) != 0 || setgid(65534) != 0 || setuid(65534) != 0)
		matrix_skip("there is no other user to become");
	matrix_work();
	matrix_say("main");
	return 0;
}

/* The first thread's own stack is small from the exec on. */
static int run_little_stack(void)
{
	const struct rlimit little = {160 << 10, 160 << 10};
	char name[] = "little-stack-inside";
	char *arguments[] = {(char *)(size_t)matrix_self, name, NULL};
	if (setrlimit(RLIMIT_STACK, &little) != 0)
		return 3;
	execv(matrix_self, arguments);
	return 3;
}

static int run_little_stack_inside(void)
{
	matrix_products();
	matrix_products();
	matrix_say("main");
	return 0;
}

const struct situation matrix_starts[] = {
	{"pending-error", run_pending_error, "a pending `dlerror()` is kept"},
	{"all-traps", run_all_traps,
         "all floating-point traps on, the inexact one too; no flag is left raised"},
	{"all-traps-later", run_all_traps_later, "the same after the first call"},
	{"calls-unknown", run_calls_unknown, "system calls of newer kernels do not exist"},
	{"no-threads", run_no_threads, "RLIMIT_NPROC 0"},
	{"little-stack", run_little_stack, "RLIMIT_STACK of 160 KiB from the start on"},
	{"little-stack-inside", run_little_stack_inside, "the program that `little-stack` becomes"},
	{NULL, NULL, NULL}};
