/* cpu_part.c - cuts the CPU's part of a shared call into slices and computes them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/blas/cpu_part.h"

#include "shim/base/clock.h"
#include "shim/base/observe.h"
#include "shim/execute/cpu/cpu_finish.h"
#include "shim/execute/gpu/blas/gpu_square.h"
#include "shim/execute/gpu/copy/pack_probe.h"

/*
 * SLICE_NS: handlers of the program wait no longer, where a slice of SLICE_LEAST rows or columns
 * takes less. Each slice packs an operand anew, which narrower ones would mostly do. FIRST: the
 * first slice is that part of the whole. OPEN: the first slice of a thread, before which the device
 * does not begin; enough for the library to start all of its threads.
 */
enum {
	CPU_PART_SLICE_NS = 50000000,
	CPU_PART_SLICE_LEAST = 512,
	CPU_PART_FIRST = 8,
	CPU_PART_OPEN = 64
};

/* One of cpu_finish.h. */
typedef void cpu_part_routine(const struct call *call, const void *caller, struct panel_span row,
                              struct panel_span column);

/* -- dividing -- */

/* The elements of an operand that a routine may touch. */
static struct pack_rule cpu_part_make_rule(const struct region_problem *problem,
                                           enum element element, enum operand name)
{
	struct pack_rule rule = {.element = element, .part = PACK_WHOLE};
	if (name == OPERAND_A)
		return gpu_square_make_rule(problem->family, element, &problem->blas);
	if (name == OPERAND_C && operand_is_triangle(problem->family))
		rule.part = problem->blas.uplo == UPLO_UPPER ? PACK_UPPER : PACK_LOWER;
	return rule;
}

static bool cpu_part_has_pages(const struct region_problem *problem, enum element element,
                               bool handled)
{
	const uint64_t size = element_size_bytes(element);
	bool found = !handled || pack_probe_is_able();
	for (int name = handled ? OPERAND_A : OPERAND_C; name < OPERAND_COUNT && found; name++) {
		const struct pack_rule rule =
			cpu_part_make_rule(problem, element, (enum operand)name);
		struct matrix matrix;
		if (!operand_find(problem->family, &problem->blas, (enum operand)name, &matrix))
			continue;
		const struct pack_area area = {
			(char *)(uintptr_t)matrix.base, (uint64_t)matrix.rows * size,
			(uint64_t)matrix.columns, (uint64_t)matrix.ld * size};
		found = (!handled || pack_probe(&area, &rule, name == OPERAND_C)) &&
		        (name != OPERAND_C || pack_probe_behind(&area));
	}
	return found;
}

/*
 * A handler of faults that jumps out of the CPU's routine would leave a thread that still writes
 * results: where the program has one, all pages of the CPU's part must be there. What is directly
 * behind C must be there in any case.
 */
static bool cpu_part_is_safe(const struct call *call, const struct share_part *cpu)
{
	struct region_problem problems[REGION_PROBLEMS];
	const bool handled = pack_probe_is_needed();
	const int count = region_cut(call->family, &call->blas, cpu->row, cpu->column,
	                             call->element, problems);
	bool safe = true;
	for (int i = 0; i < count && safe; i++)
		safe = cpu_part_has_pages(&problems[i], call->element, handled);
	return safe;
}

/* Of a product the longer side is cut: the operand that each slice packs is the smaller one. */
static bool cpu_part_cuts_rows(const struct cpu_part *part)
{
	const struct call *call = part->call;
	if (family_is_product(call->family))
		return part->row.count > part->column.count;
	return share_is_by_rows(call->family, &call->blas);
}

static void cpu_part_fill(struct cpu_part *part, struct panel_span row, struct panel_span column)
{
	part->row = row;
	part->column = column;
	part->by_rows = cpu_part_cuts_rows(part);
	const int64_t total = part->by_rows ? row.count : column.count;
	part->slice = total / CPU_PART_FIRST;
	if (part->slice < CPU_PART_SLICE_LEAST)
		part->slice = CPU_PART_SLICE_LEAST;
}

bool cpu_part_begin(struct cpu_part *part, struct lane *lane, const struct call *call,
                    const void *caller, const struct cpu_share *share,
                    struct panel_problem *problem)
{
	struct share_part device, cpu;
	if (share == NULL || share->wanted <= 0 ||
	    !share_cut_cpu(call->family, &call->blas, call->element, share->wanted, &device,
	                   &cpu) ||
	    !cpu_part_is_safe(call, &cpu) || !cpu_share_begin(lane, share))
		return false;
	*part = (struct cpu_part){
		.call = call,
		.caller = caller,
		.share = share_find_rest(call->family, &call->blas, &device),
	};
	cpu_part_fill(part, cpu.row, cpu.column);
	problem->family = device.problems[0].family;
	problem->blas = device.problems[0].blas;
	problem->same = operand_b_is_a(problem->family, &problem->blas);
	return true;
}

void cpu_part_add(struct cpu_part *part, const struct call *call, struct panel_span row,
                  struct panel_span column, double share)
{
	part->call = call;
	part->share += share;
	cpu_part_fill(part, row, column);
}

/* -- slices -- */

/* From the end, so that what is left begins where it did. */
bool cpu_part_next(const struct cpu_part *part, struct panel_span *row, struct panel_span *column)
{
	*row = part->row;
	*column = part->column;
	struct panel_span *cut = part->by_rows ? row : column;
	if (cut->count > part->slice) {
		cut->begin += cut->count - part->slice;
		cut->count = part->slice;
	}
	return row->count > 0 && column->count > 0;
}

/* The next slice takes as long as it should at the speed of this one. */
static void cpu_part_note(struct cpu_part *part, int64_t width, int64_t elapsed_ns)
{
	const double wanted = (double)width * CPU_PART_SLICE_NS / (double)(elapsed_ns + 1);
	part->elapsed_ns += elapsed_ns;
	part->elements +=
		(double)width * (double)(part->by_rows ? part->column.count : part->row.count);
	if (part->by_rows)
		part->row.count -= width;
	else
		part->column.count -= width;
	part->slice = CPU_PART_SLICE_LEAST;
	if (wanted > CPU_PART_SLICE_LEAST)
		part->slice = wanted < 1e9 ? (int64_t)wanted : (int64_t)1e9;
}

static void cpu_part_compute(struct cpu_part *part, cpu_part_routine *routine)
{
	struct panel_span row, column;
	if (!cpu_part_next(part, &row, &column))
		return;
	const int64_t begin_ns = clock_monotonic_ns(), seen_ns = observe_begin("part of the CPU");
	routine(part->call, part->caller, row, column);
	observe_end("part of the CPU", seen_ns);
	cpu_part_note(part, part->by_rows ? row.count : column.count,
	              clock_monotonic_ns() - begin_ns);
}

void cpu_part_compute_open(struct cpu_part *part, const struct cpu_share *share)
{
	const int64_t slice = part->slice;
	part->slice = CPU_PART_OPEN;
	cpu_part_compute(part, cpu_finish_region);
	part->slice = slice;
	cpu_share_note_threads(CPU_SHARE_BLAS, share);
}

bool cpu_part_step(void *self)
{
	struct panel_span row, column;
	cpu_part_compute(self, cpu_finish_part);
	return cpu_part_next(self, &row, &column);
}
