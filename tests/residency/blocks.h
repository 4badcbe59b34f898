/* blocks.h - regions of memory with numbers of one type, and the matrices in them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENCY_BLOCKS_H
#define GPUSHIM_TESTS_RESIDENCY_BLOCKS_H

#include "../resident/regions.h"
#include "exact.h"

struct block {
	struct region region;
	char type;
};

/* How a matrix lies in its block. */
enum layout {
	LAYOUT_WHOLE, /* no gaps: all its pages but the outer ones are its own */
	LAYOUT_HALF,  /* the same from the middle on */
	LAYOUT_TALL,  /* columns of several pages, with gaps */
	LAYOUT_PART,  /* any part */
	LAYOUTS
};

enum { BLOCKS_COUNT = 18 };
extern struct block blocks_all[BLOCKS_COUNT];

void blocks_make(void);
/* A block of the type that is none of these two. */
struct block *blocks_choose(char type, const struct block * not, const struct block *nor);
struct matrix blocks_find_matrix(const struct block *block, enum layout layout);
/* What is stored to the block from now on are numbers of its type. */
void blocks_set_filler(const struct block *block);

/*
 * Between these two a call may change the matrix alone. Meanwhile others may write its neighbours:
 * another thread a few numbers in the same pages, and a read that is under way.
 */
void blocks_begin_call(struct block *block, const struct matrix *result);
/* In a forked child, which has neither the thread nor reads under way. */
void blocks_leave_neighbours(void);
/* Ends the program where another byte of the block has changed. */
void blocks_end_call(void);

#endif
