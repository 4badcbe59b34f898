/* page_move.h - moves pages of this process to a NUMA node, by a system call without libnuma */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_PAGE_MOVE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_PAGE_MOVE_H

#include <stdbool.h>
#include <stdint.h>

/* How many pages one call takes. */
enum { PAGE_MOVE_MOST = 2048 };

/* error: 0, or an error of errno.h that concerned the whole call. */
struct page_move_outcome {
	uint64_t moved, refused; /* pages */
	int error;
	int page_error; /* of the last page that was refused, or 0 */
};

/*
 * Moves count pages of page_bytes from start on, at most PAGE_MOVE_MOST. Pages that are there
 * already count as moved. One caller at a time; errno is kept.
 */
void page_move(uintptr_t start, uint64_t count, uint64_t page_bytes, int node,
               struct page_move_outcome *outcome);

/* Whether the page is on the node; false where the kernel does not tell. errno is kept. */
bool page_move_is_there(uintptr_t page, int node);

/* Free memory of the node, by a file under root, which is "" but in tests; 0: unknown. */
uint64_t page_move_free_bytes(const char *root, int node);

/* move_pages(2) of this process without its flags. NULL: the real one. For tests. */
typedef long page_move_call(unsigned long count, void **pages, const int *nodes, int *status);
void page_move_use_call(page_move_call *call);

#endif
