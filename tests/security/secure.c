/* secure.c - a program that is made set-uid, and allows nothing but its own work from then on */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: secure WAY [FILE...]
 *
 *   tell              prints whether the kernel calls the program secure (AT_SECURE)
 *   arm FILE          gives FILE a file capability; fails where the file system has none
 *   open              makes calls, and prints the wrong results
 *   sealed            the same; any system call but those of plain work ends the program with 9
 *   dropped           as sealed, with the caller's rights
 *   forked            as sealed, in a child
 *   undumpable        as open, after PR_SET_DUMPABLE 0
 *   audit LIBRARY     whether the library of `gpushim coverage` goes to work
 *   bind              whether gpushim_bind takes a binding
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { N = 160, LENGTH = 4096, SEAL_BROKEN = 9 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dsymm_(const char *side, const char *uplo, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta,
            double *c, const int *ldc);
void *fftw_plan_dft_1d(int n, double *in, double *out, int sign, unsigned flags);
void fftw_execute(void *plan);
void fftw_destroy_plan(void *plan);

static double a[N * N], b[N * N], c[N * N], in[2 * LENGTH], out[2 * LENGTH];

/* -- the seal --------------------------------------------------------------------------------- */

static void on_forbidden(int number, siginfo_t *info, void *context)
{
	char text[64];
	(void)number, (void)context;
	const int length =
		snprintf(text, sizeof text, "forbidden system call %d\n", info->si_syscall);
	if (write(STDOUT_FILENO, text, (size_t)length) < 0)
		_exit(SEAL_BROKEN + 1);
	_exit(SEAL_BROKEN);
}

#define ALLOW(name)                                                                                \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1),                                     \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Writing to open files, memory without a file, waiting, and questions about the own stack. */
static int seal(void)
{
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(write),
		ALLOW(exit_group),
		ALLOW(exit),
		ALLOW(brk),
		ALLOW(getrandom), /* malloc */
		ALLOW(munmap),
		ALLOW(mprotect),
		ALLOW(madvise),
		ALLOW(futex),
		ALLOW(rt_sigprocmask),
		ALLOW(rt_sigreturn),
		ALLOW(gettid),
		ALLOW(getpid),
		ALLOW(prlimit64),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	};
	const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	struct sigaction action = {.sa_sigaction = on_forbidden, .sa_flags = SA_SIGINFO};
	sigaction(SIGSYS, &action, NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		printf("skipped: no seccomp filter: %s\n", strerror(errno));
		return 77;
	}
	return 0;
}

/* -- the work --------------------------------------------------------------------------------- */

static int count_wrong(const double *found, int count, double wanted)
{
	int wrong = 0;
	for (int i = 0; i < count; i++)
		wrong += found[i] != wanted;
	return wrong;
}

static int multiply(int n)
{
	const double one = 1, none = 0;
	memset(c, 0, sizeof c);
	dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &none, c, &n);
	return count_wrong(c, n * n, 2.0 * n);
}

/* No library has dsymm_: the shim computes it, or without a shim the program would not start. */
static int multiply_symmetric(int n)
{
	const double one = 1, none = 0;
	memset(c, 0, sizeof c);
	dsymm_("L", "U", &n, &n, &one, a, &n, b, &n, &none, c, &n);
	return count_wrong(c, n * n, 2.0 * n);
}

static int transform(int n)
{
	memset(out, 0, sizeof out);
	void *plan = fftw_plan_dft_1d(n, in, out, -1, 0);
	fftw_execute(plan);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return count_wrong(out, 2 * n, 2);
}

/* An argument that BLAS refuses, to a routine that nobody has: nothing is computed. */
static int refuse(void)
{
	const int n = 3, bad = -1;
	const double one = 1, none = 0;
	memset(c, 0, sizeof c);
	dsymm_("L", "U", &bad, &n, &one, a, &n, b, &n, &none, c, &n);
	return count_wrong(c, n * n, 0);
}

static int work(void)
{
	int wrong = 0;
	for (int i = 0; i < N * N; i++) {
		a[i] = 1;
		b[i] = 2;
	}
	for (int i = 0; i < 2 * LENGTH; i++)
		in[i] = 1;
	for (int round = 0; round < 3; round++) {
		wrong += multiply(4) + multiply(N);
		wrong += multiply_symmetric(4) + multiply_symmetric(60);
		wrong += transform(16) + transform(LENGTH);
	}
	wrong += refuse();
	printf("%d wrong results\n", wrong);
	return wrong != 0;
}

static int work_sealed(void)
{
	static char buffer[256];
	setvbuf(stdout, buffer, _IOLBF, sizeof buffer); /* no fstat later */
	const int refused = seal();
	return refused != 0 ? refused : work();
}

/* -- ways ------------------------------------------------------------------------------------- */

static int tell(void)
{
	printf("%s\n", getauxval(AT_SECURE) != 0 ? "secure" : "ordinary");
	return 0;
}

static int arm(const char *path)
{
	struct vfs_cap_data data = {.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE};
	data.data[0].permitted = 1u << CAP_NET_BIND_SERVICE;
	if (setxattr(path, "security.capability", &data, sizeof data, 0) == 0)
		return 0;
	perror("security.capability");
	return 1;
}

static int work_dropped(void)
{
	const uid_t caller = getuid();
	if (setresuid(caller, caller, caller) != 0)
		return 1;
	return work_sealed();
}

static int work_in_child(void)
{
	int status = 0;
	const pid_t child = fork();
	if (child == 0)
		exit(work_sealed());
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int work_undumpable(void)
{
	return prctl(PR_SET_DUMPABLE, 0) == 0 ? work() : 1;
}

static int audit(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	unsigned (*version)(unsigned) = NULL;
	if (library != NULL)
		*(void **)&version = dlsym(library, "la_version");
	if (version == NULL)
		return 1;
	printf("%s\n", version(1) != 0 ? "audits" : "stays out");
	return 0;
}

static int bind_name(void)
{
	void *(*bind)(const char *, void *, void *) = NULL;
	*(void **)&bind = dlsym(RTLD_DEFAULT, "gpushim_bind");
	void *thunk = dlsym(RTLD_DEFAULT, "dgemm_");
	void *real = (void *)(uintptr_t)&work;
	if (bind == NULL || thunk == NULL)
		return 1;
	printf("%s\n", bind("dgemm_", real, thunk) != real ? "binds" : "stays out");
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "", *file = argc > 2 ? argv[2] : "";
	if (strcmp(way, "tell") == 0)
		return tell();
	if (strcmp(way, "arm") == 0)
		return arm(file);
	if (strcmp(way, "open") == 0)
		return work();
	if (strcmp(way, "sealed") == 0)
		return work_sealed();
	if (strcmp(way, "dropped") == 0)
		return work_dropped();
	if (strcmp(way, "forked") == 0)
		return work_in_child();
	if (strcmp(way, "undumpable") == 0)
		return work_undumpable();
	if (strcmp(way, "audit") == 0)
		return audit(file);
	return strcmp(way, "bind") == 0 ? bind_name() : 2;
}
