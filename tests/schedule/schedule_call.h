/* schedule_call.h - a call and the order of its plan, in words that the bench tells its checker */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CALL_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCHEDULE_WORD = 16 };

/*
 * routine: a BLAS routine without its element, or fft: howmany transforms of n points. Sizes are
 * those of BLAS. order, group, width and slice are the plan's, of an fft there are none. memory_mb:
 * the limit, 0 for none.
 */
struct schedule_call {
	char routine[SCHEDULE_WORD], order[SCHEDULE_WORD];
	char element[2], side[2], uplo[2], transa[2], transb[2];
	int64_t m, n, k, beta, howmany, in_place, group, width, last, slice, memory_mb;
};

/* One word, key=value; false where it is none of these. */
bool schedule_call_read(struct schedule_call *call, const char *word);

/* All words that say something, count of them, in text; words[i] point into it. */
enum { SCHEDULE_CALL_WORDS = 20 };
int schedule_call_write(const struct schedule_call *call, char *text, size_t text_bytes,
                        char *words[SCHEDULE_CALL_WORDS]);

#endif
