/* under_filter.c - runs a program under a filter of system calls that names userfaultfd */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* usage: under_filter kill|refuse|allow PROGRAM [ARGUMENT...]; status 77: no filter is possible */
int main(int count, char **words)
{
	const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;
	if (count < 3)
		return 99;
	struct sock_filter step[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, strcmp(words[1], "kill") == 0 ? SECCOMP_RET_KILL_PROCESS
	                                  : strcmp(words[1], "refuse") == 0 ? refuse
	                                                                    : SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog rules = {sizeof step / sizeof *step, step};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &rules) != 0)
		return 77;
	execvp(words[2], words + 2);
	return 99;
}
