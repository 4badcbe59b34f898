/* fftw_blocks.h - page-aligned blocks for large fftw_malloc calls, so they can be page-locked */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_FFTW_BLOCKS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_DEVICE_FFTW_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * CUDA refuses to lock a page twice, and to copy memory that is locked in part, so locked blocks
 * must not share pages. A large block therefore begins and ends at a page boundary, inside a
 * slightly larger outer block. It must be freed by fftw_free, which finds the outer block.
 */

/*
 * pinned: the option fftw_pinned; without it no block is padded or noted. Call once, before all
 * else here.
 */
void fftw_blocks_configure(bool pinned);

/* The number of elements to ask the library for, where the program asks for count. */
size_t fftw_blocks_pad(size_t count, size_t unit_bytes);

/*
 * The address for the program: the block inside outer, where count was padded, else outer itself.
 */
void *fftw_blocks_take(void *outer, size_t count, size_t unit_bytes);

/* The program frees a block: returns the address for the library's free. */
void *fftw_blocks_give(void *block);

/* Around fork: the child keeps its blocks. */
void fftw_blocks_before_fork(void);
void fftw_blocks_after_fork(void);

/* In a child that ran no handler of fork: frees the lock. */
void fftw_blocks_renew(void);

#endif
