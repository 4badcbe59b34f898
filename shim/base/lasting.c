/* lasting.c - mappings that are never given back */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/lasting.h"

#include <sys/mman.h>

/* What lasting memory points to is no leak. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_register_root_region(memory, size_bytes) ((void)0)
#endif

void *lasting_take(size_t size_bytes)
{
	void *memory =
		mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	__lsan_register_root_region(memory, size_bytes);
	return memory;
}
