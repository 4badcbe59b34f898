/* page_move.c - move_pages(2): what the kernel said of each page; free memory of a node */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/node/page_move.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/execute/gpu/node/kernel_text.h"

/* Of linux/mempolicy.h: pages that only this process has. Unset: the kernel said nothing. */
enum { PAGE_MOVE_OWN = 1 << 1, PAGE_MOVE_UNSET = INT_MIN };

static long page_move_real(unsigned long count, void **pages, const int *nodes, int *status)
{
	return syscall(SYS_move_pages, 0, count, pages, nodes, status, PAGE_MOVE_OWN);
}

static page_move_call *page_move_used = page_move_real;

void page_move_use_call(page_move_call *call)
{
	page_move_used = call != NULL ? call : page_move_real;
}

/* A page without a status was not reached, or stayed where it was. */
static void page_move_count(const int *status, uint64_t count, int node,
                            struct page_move_outcome *outcome)
{
	for (uint64_t i = 0; i < count; i++) {
		if (status[i] == node) {
			outcome->moved++;
			continue;
		}
		outcome->refused++;
		if (status[i] < 0 && status[i] != PAGE_MOVE_UNSET)
			outcome->page_error = -status[i];
	}
}

void page_move(uintptr_t start, uint64_t count, uint64_t page_bytes, int node,
               struct page_move_outcome *outcome)
{
	static void *pages[PAGE_MOVE_MOST];
	static int nodes[PAGE_MOVE_MOST], status[PAGE_MOVE_MOST];
	const int saved_errno = errno;
	*outcome = (struct page_move_outcome){.moved = 0};
	count = count < PAGE_MOVE_MOST ? count : PAGE_MOVE_MOST;
	for (uint64_t i = 0; i < count; i++) {
		pages[i] = (void *)(start + i * page_bytes);
		nodes[i] = node;
		status[i] = PAGE_MOVE_UNSET;
	}
	if (page_move_used(count, pages, nodes, status) < 0)
		outcome->error = errno;
	page_move_count(status, count, node, outcome);
	errno = saved_errno;
}

bool page_move_is_there(uintptr_t page, int node)
{
	const int saved_errno = errno;
	void *pages[1] = {(void *)page};
	int status[1] = {PAGE_MOVE_UNSET};
	const bool there = page_move_used(1, pages, NULL, status) == 0 && status[0] == node;
	errno = saved_errno;
	return there;
}

/* "Node 1 MemFree:        123456 kB"; 0 where there is no such line. */
static uint64_t page_move_read_free(const char *text)
{
	const char *digit = strstr(text, "MemFree:");
	uint64_t kilobytes = 0;
	if (digit == NULL)
		return 0;
	for (digit += strlen("MemFree:"); *digit == ' '; digit++)
		continue;
	for (; *digit >= '0' && *digit <= '9' && kilobytes < UINT64_MAX / 16384; digit++)
		kilobytes = kilobytes * 10 + (uint64_t)(*digit - '0');
	return kilobytes * 1024;
}

/* noinline keeps the text off the frames of callers: threads of programs may have small stacks. */
__attribute__((noinline)) uint64_t page_move_free_bytes(const char *root, int node)
{
	const int saved_errno = errno;
	char text[KERNEL_TEXT_BYTES], folder[64];
	snprintf(folder, sizeof folder, "/sys/devices/system/node/node%d", node);
	uint64_t bytes = 0;
	if (kernel_text_read(root, folder, "/meminfo", text))
		bytes = page_move_read_free(text);
	errno = saved_errno;
	return bytes;
}
