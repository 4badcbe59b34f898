/* kept.h - the same product again and again, each compared with plain loops over the memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENCY_KEPT_H
#define GPUSHIM_TESTS_RESIDENCY_KEPT_H

#include <stddef.h>

/* Squares of doubles. A has pages of its own, and is at a page's begin where it is mapped. */
enum { KEPT_ORDER = 96, KEPT_SETTLED = 4, KEPT_CHANGES = 4 };
#define KEPT_COUNT ((size_t)KEPT_ORDER * KEPT_ORDER)
#define KEPT_BYTES (KEPT_COUNT * sizeof(double))

struct kept {
	double *a, *b, *c;
	const char *way;
	int calls, wrong, changes;
	double sum; /* of A, at the last call */
};

/* A of this memory, or of new private memory if that is NULL; whole numbers. */
void kept_begin(struct kept *kept, const char *way, void *memory);
/* C := A B. */
void kept_call(struct kept *kept);
/* As often as it takes until A and B are known to stay as they are. */
void kept_settle(struct kept *kept);
/* One number of A. */
void kept_change(struct kept *kept, unsigned seed);
/* Calls with A as it is, and changed, KEPT_CHANGES times. */
void kept_go_on(struct kept *kept);
/* One line of stdout; 0 if all was right, and A has changed between calls if that is asked. */
int kept_end(const struct kept *kept, int changes);
void *kept_map(size_t bytes);
/* Whole numbers, others for each seed. */
void kept_fill(double *number, size_t count, unsigned seed);

#endif
