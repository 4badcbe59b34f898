/* slow_file.c - a file system of one file, which is read past the page cache */
/* SPDX-License-Identifier: Apache-2.0 */
#include "slow_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST_BYTES = 1 << 17, ANSWER_BYTES = 1 << 16, FILE_NODE = 2, FILE_SIZE = 1 << 20 };

static int device, opened, under_way[2], let_go[2];
static pid_t server;
static pthread_t reader;
static struct {
	char *memory;
	size_t bytes;
} wanted;

static struct fuse_attr describe(uint64_t node)
{
	return (struct fuse_attr){.ino = node,
	                          .size = node == FILE_NODE ? FILE_SIZE : 0,
	                          .mode = node == FILE_NODE ? S_IFREG | 0444 : S_IFDIR | 0555,
	                          .nlink = 1,
	                          .blksize = 4096};
}

static void answer(const struct fuse_in_header *request, int error, const void *body, size_t bytes)
{
	static char text[sizeof(struct fuse_out_header) + ANSWER_BYTES];
	const struct fuse_out_header head = {(uint32_t)(sizeof head + bytes), -error,
	                                     request->unique};
	memcpy(text, &head, sizeof head);
	if (bytes > 0)
		memcpy(text + sizeof head, body, bytes);
	if (write(device, text, head.len) < 0 && errno != ENOENT)
		perror("fuse answer");
}

static void answer_read(const struct fuse_in_header *request)
{
	static char bytes[ANSWER_BYTES];
	const struct fuse_read_in *read_in = (const void *)(request + 1);
	const size_t count = read_in->size < sizeof bytes ? read_in->size : sizeof bytes;
	memset(bytes, SLOW_FILE_BYTE, sizeof bytes);
	char word = 0;
	if (write(under_way[1], &word, 1) != 1 || read(let_go[0], &word, 1) != 1)
		_Exit(1);
	answer(request, 0, bytes, count);
}

static void answer_init(const struct fuse_in_header *request)
{
	const struct fuse_init_in *init = (const void *)(request + 1);
	const struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION,
	                                  .minor = FUSE_KERNEL_MINOR_VERSION < init->minor
	                                                   ? FUSE_KERNEL_MINOR_VERSION
	                                                   : init->minor,
	                                  .max_write = 4096};
	answer(request, 0, &out, sizeof out);
}

static void serve_request(const struct fuse_in_header *request)
{
	const uint64_t node = request->nodeid;
	switch (request->opcode) {
	case FUSE_INIT: answer_init(request); break;
	case FUSE_LOOKUP: {
		const struct fuse_entry_out entry = {.nodeid = FILE_NODE,
		                                     .attr = describe(FILE_NODE)};
		answer(request, 0, &entry, sizeof entry);
		break;
	}
	case FUSE_GETATTR: {
		const struct fuse_attr_out attributes = {.attr = describe(node)};
		answer(request, 0, &attributes, sizeof attributes);
		break;
	}
	case FUSE_OPEN: {
		const struct fuse_open_out open_out = {.open_flags = FOPEN_DIRECT_IO};
		answer(request, 0, &open_out, sizeof open_out);
		break;
	}
	case FUSE_READ: answer_read(request); break;
	case FUSE_FORGET: break;
	case FUSE_RELEASE:
	case FUSE_FLUSH: answer(request, 0, NULL, 0); break;
	default: answer(request, ENOSYS, NULL, 0);
	}
}

/*
 * A process of its own, which ends with the test: the kernel then ends what is under way, while a
 * thread that waits for an answer of its own process could not be killed.
 */
static void serve(void)
{
	static _Alignas(8) char request[REQUEST_BYTES];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		const ssize_t bytes = read(device, request, sizeof request);
		if (bytes >= (ssize_t)sizeof(struct fuse_in_header))
			serve_request((const void *)request);
		else if (bytes < 0 && errno != EINTR && errno != ENOENT && errno != EAGAIN)
			_Exit(0);
	}
}

static const char *say(const char **why, const char *what)
{
	static char sentence[128];
	snprintf(sentence, sizeof sentence, "%s: %s", what, strerror(errno));
	*why = sentence;
	return NULL;
}

/* The mount is seen by this process alone, and ends with it. */
const char *slow_file_open(const char **why)
{
	static char folder[] = "slow-XXXXXX", path[64], options[96];
	const unsigned user = geteuid(), group = getegid();
	if (unshare(user == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
		return say(why, "no mount namespace");
	mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (device < 0)
		return say(why, "/dev/fuse");
	if (mkdtemp(folder) == NULL)
		return say(why, "mkdtemp");
	snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u", device,
	         geteuid() == user ? user : 0, getegid() == group ? group : 0);
	if (mount("slow", folder, "fuse", MS_NOSUID | MS_NODEV, options) != 0) {
		say(why, "mount");
		rmdir(folder);
		return NULL;
	}
	if (pipe(under_way) != 0 || pipe(let_go) != 0)
		return say(why, "pipe");
	server = fork();
	if (server == 0)
		serve();
	close(device);
	snprintf(path, sizeof path, "%s/file", folder);
	opened = open(path, O_RDONLY | O_CLOEXEC);
	umount2(folder, MNT_DETACH);
	rmdir(folder);
	return opened < 0 ? say(why, "open") : path;
}

static void *read_wanted(void *unused)
{
	(void)unused;
	if (pread(opened, wanted.memory, wanted.bytes, 0) != (ssize_t)wanted.bytes)
		perror("pread");
	return NULL;
}

void slow_file_begin(char *memory, size_t bytes)
{
	char word;
	wanted.memory = memory;
	wanted.bytes = bytes;
	if (pthread_create(&reader, NULL, read_wanted, NULL) != 0 ||
	    read(under_way[0], &word, 1) != 1)
		abort();
}

void slow_file_end(void)
{
	if (write(let_go[1], "", 1) != 1)
		abort();
	pthread_join(reader, NULL);
}

void slow_file_close(void)
{
	close(opened);
	kill(server, SIGKILL);
	while (waitpid(server, NULL, 0) < 0 && errno == EINTR)
		continue;
}
