/* cpu_batch.c - problems of a batch by the library's routine of batches, with fewer problems */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/cpu/cpu_batch.h"

#include <string.h>

#include "policy/call/batch.h"
#include "shim/base/fp_environment.h"
#include "shim/execute/cpu/cpu_fortran.h"
#include "shim/shield/shield.h"
#include "shim/table/shapes.h"

/* The entry of a group in an array of the caller. */
static const void *cpu_batch_enter(const void *array, int64_t group, uint64_t entry_bytes)
{
	return (const char *)array + (uint64_t)group * entry_bytes;
}

/* The entry of the group's first problem. */
static void *cpu_batch_point(const void *operands, const struct batch_group *group)
{
	return (char *)(uintptr_t)operands + (uint64_t)group->first * sizeof(void *);
}

/* The arrays of the caller serve, but for what Fortran and the part have otherwise. */
static void cpu_batch_call_group(const struct cpu_fortran *routine, const struct batch_call *batch,
                                 const struct batch_group *group)
{
	static const char trans[] = "NTC";
	const bool x = batch->exchange;
	const int64_t at = group->next - 1;
	const uint64_t wide = batch->wide ? sizeof(int64_t) : sizeof(int32_t),
		       scalar = element_size_bytes(routine->element);
	/* Their lower halves, which come first, are all that a library of narrow integers reads. */
	const int64_t one = 1, count = group->count;
	void (*code)(PARAMS_f77(BATCH, D));
	memcpy(&code, &routine->code, sizeof code);
	code(&trans[group->blas.transa], &trans[group->blas.transb],
	     cpu_batch_enter(x ? batch->n : batch->m, at, wide),
	     cpu_batch_enter(x ? batch->m : batch->n, at, wide),
	     cpu_batch_enter(batch->k, at, wide), cpu_batch_enter(batch->alpha, at, scalar),
	     cpu_batch_point(x ? batch->b : batch->a, group),
	     cpu_batch_enter(x ? batch->ldb : batch->lda, at, wide),
	     cpu_batch_point(x ? batch->a : batch->b, group),
	     cpu_batch_enter(x ? batch->lda : batch->ldb, at, wide),
	     cpu_batch_enter(batch->beta, at, scalar), cpu_batch_point(batch->c, group),
	     cpu_batch_enter(batch->ldc, at, wide), &one, &count, 1, 1);
}

/*
 * A call for each group: BLIS 0.9.0 takes the first group's transpositions for all. False, with
 * nothing done, where the library lacks the routine, or has other integers.
 */
static bool cpu_batch_run_groups(const struct call *call, const void *caller)
{
	struct cpu_fortran routine;
	struct batch_group group = {.next = 0};
	if (!cpu_fortran_find_beside(&routine, call, caller) || routine.wide != call->batch.wide)
		return false;
	while (batch_next_group(&call->batch, call->element, &group))
		if (group.count > 0)
			cpu_batch_call_group(&routine, &call->batch, &group);
	return true;
}

static bool cpu_batch_run_strided(const struct call *call, const void *caller)
{
	struct cpu_fortran routine;
	return cpu_fortran_find_beside(&routine, call, caller) &&
	       cpu_fortran_run_strided(&routine, &call->batch);
}

void cpu_batch_run(const struct call *call, const void *caller, int64_t begin, int64_t end)
{
	struct call part = *call;
	batch_cut(&part.batch, begin, end);
	fp_environment_lend();
	const bool done = part.batch.strided ? cpu_batch_run_strided(&part, caller)
	                                     : cpu_batch_run_groups(&part, caller);
	if (!done && !cpu_compose_run(&part, caller))
		cpu_plain_run(&part);
	fp_environment_take_back();
}

void cpu_batch_run_open(const struct call *call, const void *caller, int64_t begin, int64_t end)
{
	shield_open();
	cpu_batch_run(call, caller, begin, end);
	shield_close();
}
