/* pack_copy.h - the inner loops of pack: runs of bytes, and results that meet what is there */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_PACK_COPY_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_PACK_COPY_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How far ahead of a copy memory is asked for. Further on than that, or in the run that then comes,
 * lies what ahead points to: it is fetched while the run is copied. It may be any address: it is
 * neither read nor written.
 */
enum { PACK_COPY_LEAD_BYTES = 6144 };

/* With ordinary stores: what is written stays in the cache. ahead: what is read later. */
void pack_copy(void *to, const void *from, uint64_t size_bytes, const void *ahead);

/*
 * With stores that pass the cache by, where the processor has them: the old lines are not read
 * first. ahead: what is written later. The caller ends with pack_copy_fence, once, before it tells
 * anybody.
 */
void pack_copy_stream(void *to, const void *from, uint64_t size_bytes, const void *ahead);
void pack_copy_fence(void);

/*
 * c := z + beta c, for so many numbers, real or (turn) complex. Neither needs to be aligned. An
 * element comes out the same wherever the array begins and ends.
 */
void pack_copy_scale_s(void *c, const void *z, uint64_t count, double beta);
void pack_copy_scale_d(void *c, const void *z, uint64_t count, double beta);
void pack_copy_turn_c(void *c, const void *z, uint64_t count, const double beta[2]);
void pack_copy_turn_z(void *c, const void *z, uint64_t count, const double beta[2]);

/* For tests: as on a processor without wide vectors. */
void pack_copy_set_plain(bool plain);

#endif
