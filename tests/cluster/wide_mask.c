/* wide_mask.c - a program that believes in an affinity mask of more processors than there are */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: wide_mask COUNT PROGRAM [ARGUMENT...]
 *
 * sched_getaffinity is answered by this process, for the program and all that it starts
 * (SECCOMP_RET_USER_NOTIF); everything else is the kernel's. Status 77: the kernel does not offer
 * that. The program's status is its own.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MASK_SKIPPED = 77, MASK_POLL_MS = 50 };

/* The mask is one word, as the kernel writes it for at most 64 processors. */
static uint64_t mask_word;

static int mask_install(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_sched_getaffinity, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof code / sizeof code[0], code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
	                    &program);
}

/* Room for one descriptor beside a byte. */
union mask_control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void mask_send(int channel, int file)
{
	char byte = 0;
	union mask_control control = {.bytes = {0}};
	struct iovec piece = {&byte, 1};
	struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
	if (file >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof control.bytes;
		struct cmsghdr *head = CMSG_FIRSTHDR(&message);
		*head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof file),
		                         .cmsg_level = SOL_SOCKET,
		                         .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(head), &file, sizeof file);
	}
	if (sendmsg(channel, &message, 0) != 1)
		_exit(MASK_SKIPPED);
}

/* -1: none was sent. */
static int mask_receive(int channel)
{
	char byte;
	int file = -1;
	union mask_control control;
	struct iovec piece = {&byte, 1};
	struct msghdr message = {.msg_iov = &piece,
	                         .msg_iovlen = 1,
	                         .msg_control = control.bytes,
	                         .msg_controllen = sizeof control.bytes};
	if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	if (head != NULL && head->cmsg_type == SCM_RIGHTS)
		memcpy(&file, CMSG_DATA(head), sizeof file);
	return file;
}

static void mask_answer(int listener)
{
	struct seccomp_notif asked;
	memset(&asked, 0, sizeof asked);
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
		return;
	struct seccomp_notif_resp answer = {.id = asked.id, .error = -EINVAL};
	const struct iovec from = {&mask_word, sizeof mask_word};
	const struct iovec to = {(void *)(uintptr_t)asked.data.args[2], sizeof mask_word};
	if (asked.data.args[1] >= sizeof mask_word &&
	    process_vm_writev((pid_t)asked.pid, &from, 1, &to, 1, 0) == sizeof mask_word)
		answer = (struct seccomp_notif_resp){.id = asked.id, .val = sizeof mask_word};
	ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

static int mask_serve(int listener, pid_t child)
{
	struct pollfd ready = {.fd = listener, .events = POLLIN};
	int status;
	while (waitpid(child, &status, WNOHANG) == 0)
		if (poll(&ready, 1, MASK_POLL_MS) == 1 && (ready.revents & POLLIN) != 0)
			mask_answer(listener);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **argument)
{
	int channel[2];
	const int processors = count > 2 ? atoi(argument[1]) : 0;
	if (processors < 1 || processors > 63 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
		return 2;
	mask_word = (UINT64_C(1) << processors) - 1;
	const pid_t child = fork();
	if (child == 0) {
		const int listener = mask_install();
		mask_send(channel[1], listener);
		if (listener >= 0)
			close(listener);
		execvp(argument[2], argument + 2);
		_exit(127);
	}
	close(channel[1]);
	const int listener = child > 0 ? mask_receive(channel[0]) : -1;
	if (listener < 0) {
		fprintf(stderr, "wide_mask: the kernel does not hand system calls to a process\n");
		return MASK_SKIPPED;
	}
	return mask_serve(listener, child);
}
