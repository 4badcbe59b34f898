/* pack_copy.h - the inner loops of pack.c: runs of bytes, and sums with the old C */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_COPY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_COPY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Prefetch distance. ahead is the address this far on, possibly in the next run. It is only
 * prefetched and may be invalid.
 */
enum { PACK_COPY_LEAD_BYTES = 6144 };

/* PACK_WATCH_NONE: of unknown type, and never found. */
enum pack_watch { PACK_WATCH_NONE, PACK_WATCH_SINGLE, PACK_WATCH_DOUBLE };

/* Whether one of these numbers is infinite or not a number; any alignment. */
bool pack_copy_is_special(const void *numbers, uint64_t size_bytes, enum pack_watch watch);

/*
 * The upper 16 bits of the absolute value of the greatest of these numbers, at least 1 where one is
 * not 0; of their exponent and first bits the order is that of the numbers. Any alignment.
 */
uint32_t pack_copy_find_size(const void *numbers, uint64_t size_bytes, enum pack_watch watch);

/* With ordinary stores, which stay in the cache. ahead: of the source. */
void pack_copy(void *to, const void *from, uint64_t size_bytes, const void *ahead);

/*
 * With streaming stores where available: the old lines are not read. ahead: of the target. Returns
 * what pack_copy_is_special does. Call pack_copy_fence once before publishing the data.
 */
bool pack_copy_stream(void *to, const void *from, uint64_t size_bytes, const void *ahead,
                      enum pack_watch watch);
void pack_copy_fence(void);

/*
 * c := z + beta c for count numbers, real or (turn) complex; any alignment. An element's result
 * does not depend on where the array begins and ends.
 */
void pack_copy_scale_s(void *c, const void *z, uint64_t count, double beta);
void pack_copy_scale_d(void *c, const void *z, uint64_t count, double beta);
void pack_copy_turn_c(void *c, const void *z, uint64_t count, const double beta[2]);
void pack_copy_turn_z(void *c, const void *z, uint64_t count, const double beta[2]);

/* For tests: as on a processor without AVX2. */
void pack_copy_set_plain(bool plain);

#endif
