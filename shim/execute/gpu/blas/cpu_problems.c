/* cpu_problems.c - cuts the CPU's problems of a shared batch into slices and computes them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/cpu_problems.h"

#include "policy/call/batch.h"
#include "policy/call/operand.h"
#include "policy/plan/share.h"
#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/cpu/cpu_batch.h"
#include "shim/execute/gpu/copy/pack_probe.h"

/*
 * Of the whole part: the first slice, and the one before which the device does not begin. Handlers
 * of the program wait no longer than SLICE_NS, where a problem takes less.
 */
enum { CPU_PROBLEMS_FIRST = 8, CPU_PROBLEMS_OPEN = 16, CPU_PROBLEMS_SLICE_NS = 50000000 };

/* -- dividing -- */

static bool cpu_problems_has_pages(const struct call *call, const struct blas_call *blas,
                                   bool handled)
{
	const uint64_t size = element_size_bytes(call->element);
	const struct pack_rule rule = {.element = call->element, .part = PACK_WHOLE};
	bool found = true;
	for (int name = handled ? OPERAND_A : OPERAND_C; name < OPERAND_COUNT && found; name++) {
		struct matrix matrix;
		if (!operand_find(call->family, blas, (enum operand)name, &matrix))
			continue;
		const struct pack_area area = {
			(char *)(uintptr_t)matrix.base, (uint64_t)matrix.rows * size,
			(uint64_t)matrix.columns, (uint64_t)matrix.ld * size};
		found = (!handled || pack_probe(&area, &rule, name == OPERAND_C)) &&
		        (name != OPERAND_C || pack_probe_behind(&area));
	}
	return found;
}

/* As of the parts of other calls: see cpu_part.c. */
static bool cpu_problems_is_safe(const struct cpu_problems *part)
{
	struct call call = *part->call;
	struct batch_group group = {.next = 0};
	const bool handled = pack_probe_is_needed();
	bool safe = !handled || pack_probe_is_able();
	batch_cut(&call.batch, part->begin, part->end);
	while (safe && batch_next_group(&call.batch, call.element, &group))
		for (int64_t i = 0; i < group.count && safe; i++) {
			batch_point(&call.batch, call.element, group.first + i, &group.blas);
			safe = cpu_problems_has_pages(&call, &group.blas, handled);
		}
	return safe;
}

bool cpu_problems_begin(struct cpu_problems *part, struct lane *lane, const struct call *call,
                        const void *caller, const struct cpu_share *share)
{
	struct share_problems cut;
	if (share == NULL || share->wanted <= 0 || !family_is_batch(call->family) ||
	    !share_cut_problems(call, share->wanted, &cut))
		return false;
	*part = (struct cpu_problems){.call = call,
	                              .caller = caller,
	                              .begin = cut.device,
	                              .end = call->batch.problems,
	                              .share = cut.cpu_share};
	part->slice = (part->end - part->begin - 1) / CPU_PROBLEMS_FIRST + 1;
	return cpu_problems_is_safe(part) && cpu_share_begin(lane, share);
}

/* -- slices -- */

/* The next slice takes as long as it should at the speed of this one. */
static void cpu_problems_note(struct cpu_problems *part, int64_t count, int64_t elapsed_ns)
{
	const double wanted = (double)count * CPU_PROBLEMS_SLICE_NS / (double)(elapsed_ns + 1);
	part->elapsed_ns += elapsed_ns;
	part->end -= count;
	part->slice = wanted < 1 ? 1 : wanted < 1e9 ? (int64_t)wanted : (int64_t)1e9;
}

typedef void cpu_problems_routine(const struct call *call, const void *caller, int64_t begin,
                                  int64_t end);

/* From the end, so that what is left begins where it did. */
static void cpu_problems_compute(struct cpu_problems *part, cpu_problems_routine *routine)
{
	const int64_t left = part->end - part->begin,
		      count = left < part->slice ? left : part->slice;
	if (count <= 0)
		return;
	const int64_t begin_ns = clock_monotonic_ns(), seen_ns = observe_begin("part of the CPU");
	routine(part->call, part->caller, part->end - count, part->end);
	observe_end("part of the CPU", seen_ns);
	cpu_problems_note(part, count, clock_monotonic_ns() - begin_ns);
}

void cpu_problems_compute_open(struct cpu_problems *part, const struct cpu_share *share)
{
	const int64_t slice = part->slice;
	part->slice = (part->end - part->begin - 1) / CPU_PROBLEMS_OPEN + 1;
	cpu_problems_compute(part, cpu_batch_run_open);
	part->slice = slice;
	cpu_share_note_threads(CPU_SHARE_BLAS, share);
}

bool cpu_problems_step(void *self)
{
	struct cpu_problems *part = self;
	cpu_problems_compute(part, cpu_batch_run);
	return part->begin < part->end;
}

void cpu_problems_finish_open(const struct cpu_problems *part)
{
	cpu_batch_run_open(part->call, part->caller, 0, part->end);
}
