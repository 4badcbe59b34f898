/* fftw_blocks.h - large blocks of fftw_malloc on pages of their own, so that their pages can be locked (fftw_pinned) */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_FFTW_BLOCKS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_FFTW_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Of pages that are locked for one block no other may have a part: CUDA refuses to lock them twice,
 * and to copy what is locked in part. So a large block begins and ends with a page, inside one that
 * is a little larger: it must be given back by fftw_free, which finds the outer one again.
 */

/*
 * pinned: the option fftw_pinned. Without it no block is padded or noted. Call once, before anything
 * else here.
 */
void fftw_blocks_configure(bool pinned);

/* How many elements of unit_bytes to ask the library for, where the program asks for count. */
size_t fftw_blocks_pad(size_t count, size_t unit_bytes);

/*
 * What the program gets: the block inside outer, where count was padded, else outer itself. NULL
 * stays NULL.
 */
void *fftw_blocks_take(void *outer, size_t count, size_t unit_bytes);

/* The program gives it back: what the library is to free. */
void *fftw_blocks_give(void *block);

/* Around fork: the child finds its blocks. */
void fftw_blocks_before_fork(void);
void fftw_blocks_after_fork(void);

#endif
