/* share_bound.h - the least time of a product that devices and a CPU share, from rates alone */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SHARE_BOUND_H
#define GPUSHIM_TESTS_SCHEDULE_SHARE_BOUND_H

#include <stdbool.h>

/* GB/s, TFLOP/s in double precision, multiprocessors. capability: 10 major + minor. */
struct share_card {
	double up, down, tflops;
	int units, capability;
};

enum { SHARE_CARDS = 2 };

/*
 * copy_threads: of the host, of copy_gbytes_s each, while the CPU library computes too; all of
 * them: while it does not. duplex: what both links keep of their rates while both are busy.
 */
struct share_host {
	struct share_card card[SHARE_CARDS];
	int cards, copy_threads, all_copy_threads;
	double cpu_tflops, copy_gbytes_s, duplex, operation_ns;
};

/*
 * C := A B of this order, in ns.
 *
 * bytes: for a card the slowest of both links and the arithmetic, as if all ran at the same time
 * from the first moment to the last.
 *
 * pipeline: for a card the best of two kinds of pipelines, over all their sizes. Kernels take whole
 * waves of tiles.
 *
 *   panels  a group of columns of C is computed while A comes in slices of k of one tile, then
 *           panels of columns follow. The first kernel waits for its slices, the last result for
 *           its kernel; the results of the group leave when A has come.
 *   rings   a square of C that grows by rows of A and columns of B: its results grow with the
 *           square of what was sent. The last kernel takes one wave.
 *
 * Neither has a cost per copy but the latency of one load, one kernel and one store; both links
 * slow each other down as long as both have to be busy.
 *
 * In both the processor copies what crosses a link, by the threads that the CPU's part leaves free.
 * shared: with the share of the CPU for which all end together; else the better of the cards
 * together and the CPU by itself.
 */
struct share_bound {
	double bytes_ns, pipeline_ns;
};
struct share_bound share_bound_find(const struct share_host *host, int order, bool shared);

#endif
