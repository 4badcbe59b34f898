/* visit.h - one intercepted call on its way along the route, filled stage by stage */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_VISIT_H
#define GPUSHIM_SHIM_ROUTE_VISIT_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"
#include "policy/call/decision.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/gpu/device/traffic.h"
#include "shim/execute/gpu/engine/cpu_share.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"

enum visit_kind {
	/* a library's call inside a forwarded one, or forwards_only: forwarded, not counted */
	VISIT_NESTED,
	VISIT_SMALL,  /* below the gate: counted, timed only at log level call */
	VISIT_DECIDED /* described, decided and recorded */
};

/*
 * What the calls inside a call of LAPACK on the CPU did. frame: an address in the outer call's
 * frame, NULL: there is none. caller: who made the outer call, NULL where the library's own calls
 * come from the same object. fallback: they must stay on the CPU. elapsed_ns: their time. used_gpu:
 * one of them went to the GPU.
 */
struct visit_nest {
	const void *frame, *caller;
	uint64_t elapsed_ns : 62, fallback : 1, used_gpu : 1; /* small: it is thread-local */
};

/* One call past the gate; lives on the entry's stack. The entry reads code and wide only. */
struct visit {
	void *code; /* the real routine, NULL where no library has it */
	const void *caller;
	bool wide; /* its integers have 64 bits */
	bool recorded;
	bool small; /* of a transform: its plan is below the gate, or unknown and recorded before */
	bool unsized;    /* its size is unknown, so it is not small */
	bool pays_setup; /* its time includes a set-up that later calls of its kind use too */
	enum visit_kind kind;
	int64_t start_ns, begin_ns; /* CLOCK_REALTIME and CLOCK_MONOTONIC */
	int64_t verify_ns;          /* time since begin_ns that verification took */
	/* a verification that waits for the CPU library, since this time; NULL: none */
	struct verify *unsettled;
	int64_t unsettled_ns;
	bool verified;       /* the CPU computed the call too; then verify_ratio is set */
	double verify_ratio; /* verify_norm_find_ratio */
	uint64_t one_off;    /* one_off_mark at begin_ns */
	uint64_t begin_ticks;
	/*
	 * The CPU library made the call inside one that is recorded too; below_fallback: inside one
	 * that the GPU gave back. marked: outer is to be put back; inner: of the calls inside this.
	 */
	bool nested, below_fallback, marked;
	struct visit_nest outer, inner;
	union {
		struct gpu_lapack_account solved; /* of LAPACK on the GPU */
		struct cpu_share share; /* of others on the GPU: the part that the CPU computes */
	};
	struct traffic traffic; /* of a call that was tried on the GPU */
	unsigned flags;         /* that the CPU would have raised for results like the GPU's */
	struct fp_environment program; /* from route_enter to the end of route_run */
	struct call call;
	struct decision decision;
};

/* How the call was divided between CPU and GPU; of LAPACK not at all. */
static inline struct cpu_share visit_find_share(const struct visit *visit)
{
	return family_is_lapack(visit->call.family) ? (struct cpu_share){.wanted = 0}
	                                            : visit->share;
}

#endif
