/* lapack_cost.h - the time of a LAPACK call's work on either side, without its copies; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_LAPACK_COST_H
#define GPUSHIM_POLICY_DECIDE_LAPACK_COST_H

#include "policy/call/call.h"
#include "policy/machine/machine.h"

/* Whether the call computes any eigenvectors or singular vectors. */
bool lapack_cost_has_vectors(const struct call *call);

/* The flops of the square call of this order with all vectors: what a measured rate counts. */
double lapack_cost_count_flops(enum family family, enum element element, double order);

/*
 * The order of the square call of this routine with as many flops: with as many right-hand sides as
 * rows, and all vectors if this call has any. At least 1.
 */
double lapack_cost_find_size(const struct call *call);

/*
 * The time in nanoseconds of the call's work, with operands in the memory of that side; threads of
 * the CPU library, ignored for the GPU. -1: unknown, because the profile lacks a rate.
 *
 * By the profile's curve of this routine; else in a constant proportion to that of the routine that
 * lapack_cost.def names, whose curves are rates of square calls with all vectors; else by the
 * model:
 *
 *   flops / (share of gemm's rate at this size) + bytes of level-2 steps / memory
 *
 * and on the GPU the latency of each column. Beyond the largest size of a curve of the GPU time
 * grows as in the model. Never falls as a size or the flops grow, and is more with vectors than
 * without.
 */
double lapack_cost_predict(const struct machine *machine, enum machine_side side,
                           const struct call *call, int threads);

/* Whether that is the model, since the profile has no such curve. */
bool lapack_cost_is_modelled(const struct machine *machine, enum machine_side side,
                             const struct call *call);

/*
 * The latency on the GPU of a column of this routine, without vectors: by the profile's curve of
 * it, else the model's. machine may be NULL.
 */
double lapack_cost_find_column(const struct machine *machine, enum family family);

/* Bytes of input that the results overwrite: a copy of them is kept until all are stored. */
double lapack_cost_count_shadow(const struct call *call);
/* Bytes of an A that is read and not written: what the device may have from an earlier call. */
double lapack_cost_count_held(const struct call *call);

/*
 * Bytes per second of that copy: the host reads each byte, clears a page for it and writes it.
 * DBL_MAX where the rate of memory is not known.
 */
double lapack_cost_find_shadow_rate(const struct machine *machine);

/*
 * The order of a square call with vectors that takes the CPU about this long, at least 1; 0 where
 * its time is unknown.
 */
double lapack_cost_find_order(const struct machine *machine, enum family family,
                              enum element element, int threads, double time_ns);

#endif
