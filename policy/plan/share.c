/* share.c - distributes a level-3 call over several devices, and the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/plan/share.h"

#include "policy/call/batch.h"

/* The cut of a call: its dimension, and how the work of panels grows along it. */
struct share_cutter {
	enum { SHARE_EVEN, SHARE_GROWING, SHARE_SHRINKING } shape;
	bool rows;
	int64_t total, step;
};

/* Every device needs the operand that is not cut, so it should be the smaller one. */
static bool share_cuts_rows(enum family family, const struct blas_call *blas, int count)
{
	if (operand_is_triangle(family))
		return false;
	if (family_has_square(family))
		return blas->side == SIDE_RIGHT;
	const bool few_columns = blas->n / count < SHARE_MULTIPLE;
	return blas->m > (few_columns ? blas->n : 2 * blas->n);
}

static struct share_cutter share_start(enum family family, const struct blas_call *blas, int count)
{
	struct share_cutter cutter = {.rows = share_cuts_rows(family, blas, count)};
	cutter.total = cutter.rows ? blas->m : blas->n;
	cutter.step = cutter.total / count < SHARE_MULTIPLE ? 1 : SHARE_MULTIPLE;
	if (operand_is_triangle(family))
		cutter.shape = blas->uplo == UPLO_UPPER ? SHARE_GROWING : SHARE_SHRINKING;
	return cutter;
}

/* Work before position `at`, in elements of C per row of a panel, or of the triangle. */
static double share_measure(const struct share_cutter *cutter, int64_t at)
{
	const double width = (double)at, total = (double)cutter->total;
	switch (cutter->shape) {
	case SHARE_GROWING: return width * (width + 1) / 2;
	case SHARE_SHRINKING: return width * total - width * (width - 1) / 2;
	case SHARE_EVEN: break;
	}
	return width;
}

/* The position at which this share of the work ends, to the nearest step. */
static int64_t share_find(const struct share_cutter *cutter, double share)
{
	const double wanted = share * share_measure(cutter, cutter->total);
	int64_t low = 0, high = cutter->total;
	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		if (share_measure(cutter, middle) < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	const int64_t rounded = (low + cutter->step / 2) / cutter->step * cutter->step;
	return rounded < cutter->total ? rounded : cutter->total;
}

static void share_make_part(enum family family, const struct blas_call *blas, enum element element,
                            bool rows, struct panel_span span, struct share_part *part)
{
	const int64_t end = span.begin + span.count;
	part->row = rows ? span : (struct panel_span){0, blas->m};
	part->column = rows ? (struct panel_span){0, blas->n} : span;
	if (operand_is_triangle(family) && blas->uplo == UPLO_UPPER)
		part->row.count = end;
	else if (operand_is_triangle(family))
		part->row = (struct panel_span){span.begin, blas->n - span.begin};
	part->problem_count =
		region_cut(family, blas, part->row, part->column, element, part->problems);
}

int share_cut(enum family family, const struct blas_call *blas, enum element element,
              const double weights[], int count, struct share_part parts[])
{
	const struct share_cutter cutter = share_start(family, blas, count);
	double all = 0, share = 0;
	int64_t begin = 0;
	int made = 0, last = 0;
	for (int device = 0; device < count; device++) {
		all += weights[device];
		last = weights[device] > 0 ? device : last;
	}
	for (int device = 0; device <= last; device++) {
		share += weights[device];
		const int64_t end =
			device == last ? cutter.total : share_find(&cutter, share / all);
		if (end <= begin)
			continue;
		const struct panel_span span = {begin, end - begin};
		parts[made].device = device;
		share_make_part(family, blas, element, cutter.rows, span, &parts[made++]);
		begin = end;
	}
	return made;
}

/* -- with the CPU -- */

enum { SHARE_WITH_CPU = 2, SHARE_FINE = 100, SHARE_LEAST_STEP = 16 };

/* Elements of C, or of its triangle. */
static double share_count(enum family family, double rows, double columns)
{
	return operand_is_triangle(family) ? columns * (columns + 1) / 2 : rows * columns;
}

double share_find_rest(enum family family, const struct blas_call *blas,
                       const struct share_part *device)
{
	return 1 - share_count(family, (double)device->row.count, (double)device->column.count) /
	                   share_count(family, (double)blas->m, (double)blas->n);
}

bool share_is_by_rows(enum family family, const struct blas_call *blas)
{
	return share_cuts_rows(family, blas, SHARE_WITH_CPU);
}

/* The CPU's columns or rows are at the end, of a lower triangle at the beginning. */
static struct panel_span share_find_device_span(enum family family, const struct blas_call *blas,
                                                const struct share_cutter *cutter, double share)
{
	if (!operand_is_triangle(family))
		return (struct panel_span){0, share_find(cutter, 1 - share)};
	/* Of a triangle the device's part is one too, from either end: its work grows. */
	struct share_cutter growing = *cutter;
	growing.shape = SHARE_GROWING;
	const int64_t order = share_find(&growing, 1 - share);
	return (struct panel_span){blas->uplo == UPLO_UPPER ? 0 : cutter->total - order, order};
}

/*
 * Fine parts where a multiple of SHARE_MULTIPLE would be far from the share, or more than a part of
 * SHARE_FINE of the call, which one side would wait for.
 */
static struct share_cutter share_start_cpu(enum family family, const struct blas_call *blas,
                                           double share)
{
	struct share_cutter cutter = share_start(family, blas, SHARE_WITH_CPU);
	const double smaller = share < 0.5 ? share : 1 - share;
	if (smaller * (double)cutter.total < 4.0 * SHARE_MULTIPLE)
		cutter.step = 1;
	while (cutter.step > SHARE_LEAST_STEP && cutter.step * SHARE_FINE > cutter.total)
		cutter.step /= 2;
	return cutter;
}

bool share_cut_cpu(enum family family, const struct blas_call *blas, enum element element,
                   double share, struct share_part *device, struct share_part *cpu)
{
	if (!panels_takes(family))
		return false;
	const struct share_cutter cutter = share_start_cpu(family, blas, share);
	const struct panel_span all_rows = {0, blas->m}, all_columns = {0, blas->n};
	const struct panel_span own = share_find_device_span(family, blas, &cutter, share);
	if (own.count <= 0 || own.count >= cutter.total)
		return false;
	const bool triangle = operand_is_triangle(family);
	const struct panel_span rest = {own.begin == 0 ? own.count : 0, cutter.total - own.count};
	*device = (struct share_part){.row = triangle || cutter.rows ? own : all_rows,
	                              .column = cutter.rows ? all_columns : own};
	*cpu = (struct share_part){.device = 1,
	                           .row = cutter.rows ? rest : all_rows,
	                           .column = cutter.rows ? all_columns : rest};
	device->problem_count =
		region_cut(family, blas, device->row, device->column, element, device->problems);
	return device->problem_count == 1;
}

/* -- batches -- */

static double share_weigh_problem(const struct blas_call *blas)
{
	return (double)blas->m * (double)blas->n * (double)blas->k;
}

static double share_sum_problems(const struct call *call)
{
	struct batch_group group = {.next = 0};
	double work = 0;
	while (batch_next_group(&call->batch, call->element, &group))
		work += (double)group.count * share_weigh_problem(&group.blas);
	return work;
}

/* Problems from the first on, whose work comes nearest to this one. */
static int64_t share_find_problem(const struct call *call, double work)
{
	struct batch_group group = {.next = 0};
	int64_t problems = 0;
	while (batch_next_group(&call->batch, call->element, &group)) {
		const double one = share_weigh_problem(&group.blas);
		if (work < (double)group.count * one)
			return problems + (int64_t)(work / one + 0.5);
		work -= (double)group.count * one;
		problems += group.count;
	}
	return problems;
}

bool share_cut_problems(const struct call *call, double share, struct share_problems *cut)
{
	const int64_t most = call->batch.problems - 1;
	const double work = share_sum_problems(call);
	struct call device = *call;
	if (most < 1 || !(work > 0))
		return false;
	cut->device = share_find_problem(call, (1 - share) * work);
	cut->device = cut->device < 1 ? 1 : cut->device > most ? most : cut->device;
	batch_cut(&device.batch, 0, cut->device);
	cut->cpu_share = 1 - share_sum_problems(&device) / work;
	return cut->cpu_share > 0 && cut->cpu_share < 1;
}
