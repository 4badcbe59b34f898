/* lapack_flows.h - what is loaded before a LAPACK call's steps, and stored behind them */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_FLOWS_H
#define GPUSHIM_SHIM_EXECUTE_GPU_LAPACK_LAPACK_FLOWS_H

#include "shim/execute/gpu/lapack/lapack_job.h"

/*
 * The loads of the tail and of all that is read, and the stores of all matrices that are written;
 * in front of them that of the infos, where these come late.
 */
struct flow_program lapack_flows_loads(const struct lapack_job *job);
struct flow_program lapack_flows_stores(const struct lapack_job *job);

/* Proves a part of the mirrors of a struct lapack_job that defers; whether more is to be proven. */
bool lapack_flows_prove_part(void *job);

/*
 * Whether infos tell of nothing but illegal arguments, as those of solutions with factors do: they
 * are read behind the results, which go back where an info is not 0.
 */
bool lapack_flows_have_late_infos(const struct call *call);

/* After stores got as far as this: matrices hold again what they held. */
void lapack_flows_restore(const void *self, const struct flow_progress *progress);

#endif
