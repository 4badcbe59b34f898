/* track_guard.c - looks into /proc/self for writers that bypass page tables */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/track_guard.h"

#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/execute/gpu/node/kernel_text.h"
#include "shim/execute/gpu/resident/mappings.h"
#include "shim/execute/gpu/resident/track.h"

enum { TRACK_GUARD_BYTES = 64, TRACK_GUARD_XDP = 44, TRACK_GUARD_DECIMAL = 10 };

struct track_guard_row {
	char begins[28];
	enum track_reason reason;
};

/* Names of libraries, without folders. */
static const struct track_guard_row track_guard_names[] = {
	{"libibverbs.so", TRACK_REASON_RDMA}, {"libucp.so", TRACK_REASON_RDMA},
	{"libuct_ib.so", TRACK_REASON_RDMA},  {"libfabric.so", TRACK_REASON_RDMA},
	{"libcxi.so", TRACK_REASON_RDMA},     {"libpsm2.so", TRACK_REASON_RDMA},
	{"libpsm3.so", TRACK_REASON_RDMA},
};

/* Targets of the links in /proc/self/fd. */
static const struct track_guard_row track_guard_targets[] = {
	{"anon_inode:[userfaultfd]", TRACK_REASON_USERFAULTFD},
	{"/dev/vfio/", TRACK_REASON_VFIO},
	{"/dev/iommu", TRACK_REASON_VFIO},
	{"/dev/video", TRACK_REASON_VIDEO},
	{"/dev/xpmem", TRACK_REASON_XPMEM},
};

#define TRACK_GUARD_FIND(table, text) track_guard_find(table, sizeof table / sizeof *table, text)

static enum track_reason track_guard_find(const struct track_guard_row *row, size_t count,
                                          const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(text, row[i].begins, strlen(row[i].begins)) == 0)
			return row[i].reason;
	return TRACK_REASON_NONE;
}

enum track_reason track_guard_judge_library(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash == NULL ? TRACK_REASON_NONE : TRACK_GUARD_FIND(track_guard_names, slash + 1);
}

/*
 * PAGEMAP_SCAN protects pages on demand; what was written to them before is not told any more. The
 * file system may be mounted anywhere.
 */
static bool track_guard_is_page_map(const char *target)
{
	const char *name = strrchr(target, '/');
	return name != NULL && strcmp(name, "/pagemap") == 0;
}

enum track_reason track_guard_judge_target(const char *target)
{
	return track_guard_is_page_map(target) ? TRACK_REASON_PAGEMAP
	                                       : TRACK_GUARD_FIND(track_guard_targets, target);
}

/*
 * Whether the line of /proc/self/status has this value. noinline keeps the text off the caller's
 * frame: threads of programs may have small stacks.
 */
static __attribute__((noinline)) enum track_reason track_guard_ask(const char *line,
                                                                   const char *value,
                                                                   enum track_reason otherwise)
{
	char text[KERNEL_TEXT_BYTES];
	if (!track_read_status(text, sizeof text) &&
	    !kernel_text_read("", "/proc/self/", "status", text))
		return TRACK_REASON_NO_STATUS;
	const char *found = strstr(text, line);
	if (found == NULL)
		return TRACK_REASON_NO_STATUS;
	found += strlen(line);
	found += strspn(found, " \t");
	return strncmp(found, value, strlen(value)) == 0 ? TRACK_REASON_NONE : otherwise;
}

enum track_reason track_guard_pins(void)
{
	return track_guard_ask("\nVmPin:", "0 kB\n", TRACK_REASON_PINNED);
}

enum track_reason track_guard_filter(void)
{
	return track_guard_ask("\nSeccomp:", "0\n", TRACK_REASON_FILTERED);
}

static bool track_guard_visit_library(const struct mapping *mapping, void *self)
{
	enum track_reason *reason = self;
	*reason = track_guard_judge_library(mapping->name);
	return *reason == TRACK_REASON_NONE;
}

enum track_reason track_guard_libraries(void)
{
	enum track_reason reason = TRACK_REASON_NONE;
	return mappings_visit(track_guard_visit_library, &reason) ? reason : TRACK_REASON_NO_STATUS;
}

static enum track_reason track_guard_judge_socket(int descriptor)
{
	int domain = 0;
	socklen_t bytes = sizeof domain;
	const long error =
		syscall(SYS_getsockopt, descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &bytes);
	return error == 0 && domain == TRACK_GUARD_XDP ? TRACK_REASON_XDP : TRACK_REASON_NONE;
}

/*
 * While buffers are being registered the kernel tells nothing of a ring (Linux 6.12.31, 6.16), and
 * nothing either while another thread submits: that is asked again. Before those versions a ring
 * has no buffers until the first one is pinned.
 */
static __attribute__((noinline)) bool track_guard_has_buffers(const char *name)
{
	enum { TRIALS = 4 };
	char text[KERNEL_TEXT_BYTES];
	for (int i = 0; i < TRIALS; i++)
		if (kernel_text_read("", "/proc/self/fdinfo/", name, text) &&
		    strstr(text, "\nUserBufs:") != NULL)
			return strstr(text, "\nUserBufs:\t0\n") == NULL;
	return true;
}

/* By its name: what a descriptor is may be a question to a file system that does not answer. */
static enum track_reason track_guard_judge_name(int folder, const char *name, int descriptor)
{
	char target[TRACK_GUARD_BYTES];
	const ssize_t bytes = readlinkat(folder, name, target, sizeof target - 1);
	target[bytes > 0 ? bytes : 0] = '\0';
	if (strncmp(target, "socket:", strlen("socket:")) == 0)
		return track_guard_judge_socket(descriptor);
	if (strcmp(target, "anon_inode:[io_uring]") == 0)
		return track_guard_has_buffers(name) ? TRACK_REASON_IO_URING : TRACK_REASON_NONE;
	return track_guard_judge_target(target);
}

/* name: an entry of /proc/self/fd, "." and ".." among them. */
static enum track_reason track_guard_judge_entry(int folder, const char *name)
{
	int descriptor = 0;
	for (const char *digit = name; *digit != '\0'; digit++) {
		if (*digit < '0' || *digit > '9')
			return TRACK_REASON_NONE;
		descriptor = descriptor * TRACK_GUARD_DECIMAL + (*digit - '0');
	}
	if (track_owns(descriptor))
		return TRACK_REASON_NONE;
	return track_guard_judge_name(folder, name, descriptor);
}

enum track_reason track_guard_descriptors(void)
{
	const int opened = track_open_descriptors();
	DIR *folder = opened < 0 ? NULL : fdopendir(opened);
	if (folder == NULL) {
		if (opened >= 0)
			close(opened);
		return TRACK_REASON_NO_STATUS;
	}
	enum track_reason reason = TRACK_REASON_NONE;
	const struct dirent *entry;
	while (reason == TRACK_REASON_NONE && (entry = readdir(folder)) != NULL)
		reason = track_guard_judge_entry(dirfd(folder), entry->d_name);
	closedir(folder);
	return reason;
}
