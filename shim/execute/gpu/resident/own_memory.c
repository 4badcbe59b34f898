/* own_memory.c - a page that the kernel zeroes in forked children */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/own_memory.h"

#include <stddef.h>
#include <sys/mman.h>

#include "shim/execute/gpu/pages/pages.h"

static volatile char *own_memory_page;

bool own_memory_mark(void)
{
#ifdef MADV_WIPEONFORK
	const size_t bytes = pages_size();
	char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return false;
	if (madvise(page, bytes, MADV_WIPEONFORK) == 0) {
		*page = 1;
		own_memory_page = page;
		return true;
	}
	munmap(page, bytes);
#endif
	return false;
}

void own_memory_forget(void)
{
	munmap((void *)own_memory_page, pages_size());
	own_memory_page = NULL;
}

bool own_memory_is_marked(void)
{
	return own_memory_page != NULL;
}

bool own_memory_is_same(void)
{
	return own_memory_page != NULL && *own_memory_page == 1;
}
