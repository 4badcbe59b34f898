/* schedule_call.h - a call and the order of its plan, as key=value words for the checker */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CALL_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCHEDULE_WORD = 16 };

/*
 * routine: a BLAS routine without its letter; getrf, potrf: of m x n; fft: howmany transforms of n
 * points, with rank > 1 of n in each dimension; load, store: one operand of m KiB. m, n, k are
 * those of BLAS. order, group, width, last and slice are the plan's; an fft has none. memory_mb:
 * the limit of device memory; 0: none. whole: 1, a factorization in, solve, out. The last fields describe the host, see schedule_copiers.h:
 * its cache, its copying threads (0: as many as the engine chooses for its cores), their rate (0:
 * no limit).
 */
struct schedule_call {
	char routine[SCHEDULE_WORD], order[SCHEDULE_WORD];
	char element[2], side[2], uplo[2], transa[2], transb[2];
	int64_t m, n, k, beta, howmany, in_place, group, width, last, slice, memory_mb, whole;
	int64_t rank, l3_mb, threads, cores, copy_gbytes_s, wake_us;
};

/* Reads one word, key=value. false where the key is unknown or the value is not valid. */
bool schedule_call_read(struct schedule_call *call, const char *word);

/*
 * Writes a word for each field that is not empty or 0 into text. words[i] point into text. Returns
 * their number.
 */
enum { SCHEDULE_CALL_WORDS = 28 };
int schedule_call_write(const struct schedule_call *call, char *text, size_t text_bytes,
                        char *words[SCHEDULE_CALL_WORDS]);

#endif
