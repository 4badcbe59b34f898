/* lapack_cost.c - times of LAPACK calls: measured rates, or shares of gemm's */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/lapack_cost.h"

#include "policy/call/lapack_flops.h"
#include "policy/call/lapack_operand.h"
#include "policy/decide/cube_root.h"

static const double lapack_cost_ns_per_second = 1e9;
static const double lapack_cost_unknown_ns = -1;

/* The order at which the proportion of two routines is taken: most rows were measured so. */
static const double lapack_cost_order = 2000;

/* The first guess of lapack_cost_find_order: about what takes a core 100 us. */
static const double lapack_cost_first_order = 64;

/*
 * gebrd of a matrix that is at least this many times as long as wide is that of a triangle, after a
 * QR factorisation. Source: the crossover of LAPACK's gesdd.
 */
static const double lapack_cost_tall = 11.0 / 6;

enum lapack_results { LAPACK_RESULTS_VALUES, LAPACK_RESULTS_VECTORS, LAPACK_RESULTS };
enum lapack_sweep { SWEEP_NONE, SWEEP_THIRD, SWEEP_BOTH, SWEEP_ROWS };

enum { LAPACK_FAMILIES = FAMILY_FFT_C2C - FAMILY_GETRF };

/* cpu 0: the routine has no such row. */
static const struct lapack_cost_row {
	double share[MACHINE_SIDES], column_ns;
	enum family like;
	enum lapack_sweep sweep;
} lapack_cost_table[LAPACK_FAMILIES][LAPACK_RESULTS] = {
#define LAPACK_COST(family, results, like, cpu, column_ns, gpu, sweep)                             \
	[FAMILY_##family - FAMILY_GETRF][LAPACK_RESULTS_##results] = {                             \
		{cpu, gpu}, column_ns, FAMILY_##like, SWEEP_##sweep},
#include "policy/decide/lapack_cost.def"
};

static const struct lapack_cost_row *lapack_cost_find_row(enum family family, bool vectors)
{
	const struct lapack_cost_row *rows = lapack_cost_table[family - FAMILY_GETRF];
	const bool has_vectors = rows[LAPACK_RESULTS_VECTORS].column_ns > 0;
	return &rows[vectors && has_vectors ? LAPACK_RESULTS_VECTORS : LAPACK_RESULTS_VALUES];
}

bool lapack_cost_has_vectors(const struct call *call)
{
	const struct lapack_counts counts = lapack_operand_count(call);
	return counts.vectors > 0 || counts.left > 0 || counts.right > 0;
}

/* The flops of a square call of order 1; all grow with the cube of the order. */
static double lapack_cost_count_unit(enum family family, enum element element, bool vectors)
{
	const char job =
		vectors ? family == FAMILY_GESDD || family == FAMILY_GESVD ? 'S' : 'V' : 'N';
	const bool one_side = family == FAMILY_GEEV;
	const struct call unit = {.family = family,
	                          .element = element,
	                          .lapack = {.jobs = {one_side ? 'N' : job, job},
	                                     .range = 'A',
	                                     .m = 1,
	                                     .n = 1,
	                                     .k = 1,
	                                     .nrhs = 1}};
	return lapack_flops_count(&unit);
}

double lapack_cost_count_flops(enum family family, enum element element, double order)
{
	return lapack_cost_count_unit(family, element, true) * order * order * order;
}

double lapack_cost_find_size(const struct call *call)
{
	return cube_root_find(
		call->work_flops /
		lapack_cost_count_unit(call->family, call->element, lapack_cost_has_vectors(call)));
}

/* What the model needs to know of a call. size: as lapack_cost_find_size has it. */
struct lapack_work {
	enum family family;
	enum element element;
	bool vectors;
	double flops, size, columns, sweep_bytes;
};

/* Elements that level-2 steps read; least and most of the matrix's sides. */
static double lapack_cost_count_sweep(enum lapack_sweep sweep, double least, double most)
{
	const double cube = least * least * least, tall = lapack_cost_tall * least;
	switch (sweep) {
	case SWEEP_NONE: return 0;
	case SWEEP_THIRD: return cube / 6;
	case SWEEP_BOTH: return (most < tall ? most : tall) * least * least - cube / 3;
	case SWEEP_ROWS: return cube / 2;
	}
	return 0;
}

static void lapack_cost_measure(struct lapack_work *work, double least, double most)
{
	const struct lapack_cost_row *row = lapack_cost_find_row(work->family, work->vectors);
	work->columns = least;
	work->sweep_bytes = lapack_cost_count_sweep(row->sweep, least, most) *
	                    (double)element_size_bytes(work->element);
}

static struct lapack_work lapack_cost_read(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const struct lapack_counts counts = lapack_operand_count(call);
	struct lapack_work work = {.family = call->family,
	                           .element = call->element,
	                           .vectors = lapack_cost_has_vectors(call),
	                           .flops = call->work_flops,
	                           .size = lapack_cost_find_size(call)};
	lapack_cost_measure(&work, (double)counts.least, (double)counts.most);
	/* Q is applied as products, reflector by reflector of A. */
	if (lapack->k > 0)
		work.columns = (double)lapack->k;
	return work;
}

static struct lapack_work lapack_cost_make_square(enum family family, enum element element,
                                                  bool vectors, double order)
{
	struct lapack_work work = {.family = family,
	                           .element = element,
	                           .vectors = vectors,
	                           .flops = lapack_cost_count_unit(family, element, vectors) *
	                                    order * order * order,
	                           .size = order};
	lapack_cost_measure(&work, order, order);
	return work;
}

static double lapack_cost_check(double time_ns)
{
	return time_ns >= 0 && time_ns <= __DBL_MAX__ ? time_ns : lapack_cost_unknown_ns;
}

/* Without a rate of memory the level-2 steps are left out. */
static double lapack_cost_model(const struct machine *machine, enum machine_side side,
                                const struct lapack_work *work, int threads)
{
	const struct lapack_cost_row *row = lapack_cost_find_row(work->family, work->vectors);
	const double rate =
		machine_find_rate(machine, side, FAMILY_GEMM, work->element, work->size, threads);
	const double memory = machine_find_memory(machine, side, threads);
	if (!(rate > 0))
		return lapack_cost_unknown_ns;
	double time_ns = work->flops / (rate * row->share[side]) * lapack_cost_ns_per_second;
	if (memory > 0)
		time_ns += work->sweep_bytes / memory * lapack_cost_ns_per_second;
	if (side == MACHINE_GPU)
		time_ns += work->columns * row->column_ns;
	return lapack_cost_check(time_ns);
}

static bool lapack_cost_is_measured(const struct machine *machine, enum machine_side side,
                                    enum family family, enum element element)
{
	return machine->first[side][family][element] != 0;
}

/* The routine whose curve tells the time of this one. false where none is measured. */
static bool lapack_cost_find_like(const struct machine *machine, enum machine_side side,
                                  const struct lapack_work *work, struct lapack_work *like)
{
	const enum family general = lapack_cost_find_row(work->family, work->vectors)->like;
	const struct {
		enum family family;
		enum element element;
	} tried[] = {{work->family, work->element},
	             {work->family, ELEMENT_D},
	             {general, work->element},
	             {general, ELEMENT_D}};
	for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
		if (!lapack_cost_is_measured(machine, side, tried[i].family, tried[i].element))
			continue;
		*like = lapack_cost_make_square(tried[i].family, tried[i].element, true,
		                                lapack_cost_order);
		return true;
	}
	return false;
}

static const struct machine_curve *lapack_cost_find_curve(const struct machine *machine,
                                                          enum family family, enum element element)
{
	const uint8_t first = machine->first[MACHINE_GPU][family][element];
	return first != 0 ? &machine->curve[first - 1] : NULL;
}

/*
 * The size whose measured time tells that of this one: on the GPU the curve's largest for larger
 * ones. *growth: how many times as long this one takes, as the model has it, whose rates rise for
 * longer than calibrate can measure.
 */
static double lapack_cost_find_measured(const struct machine *machine, enum machine_side side,
                                        const struct lapack_work *like, double size, double *growth)
{
	const struct machine_curve *curve =
		side == MACHINE_GPU ? lapack_cost_find_curve(machine, like->family, like->element)
				    : NULL;
	const double last = curve != NULL ? curve->point[curve->count - 1].size : size;
	*growth = 1;
	if (size <= last)
		return size;
	const struct lapack_work end =
		lapack_cost_make_square(like->family, like->element, true, last);
	const struct lapack_work here =
		lapack_cost_make_square(like->family, like->element, true, size);
	const double end_ns = lapack_cost_model(machine, MACHINE_GPU, &end, 0),
		     here_ns = lapack_cost_model(machine, MACHINE_GPU, &here, 0);
	if (!(end_ns > 0) || !(here_ns > 0))
		return size;
	*growth = here_ns / end_ns;
	return last;
}

/*
 * What a column takes beside its flops, at the curve's least order from this one on: there columns
 * are most of the time.
 */
double lapack_cost_find_column(const struct machine *machine, enum family family)
{
	const double least = 256;
	const struct machine_curve *curve =
		machine != NULL ? lapack_cost_find_curve(machine, family, ELEMENT_D) : NULL;
	for (int i = 0; curve != NULL && i < curve->count; i++) {
		const double order = curve->point[i].size;
		const double rate =
			machine_find_rate(machine, MACHINE_GPU, FAMILY_GEMM, ELEMENT_D, order, 0);
		if (order < least || !(rate > 0))
			continue;
		const double flops = lapack_cost_count_flops(family, ELEMENT_D, order);
		const double left_ns =
			flops * (1 / curve->point[i].rate - 1 / rate) * lapack_cost_ns_per_second;
		return left_ns > 0 ? left_ns / order : 0;
	}
	return lapack_cost_find_row(family, false)->column_ns;
}

/*
 * The time of the square call that was measured, of this call's size, times the proportion of both
 * routines in the model. A constant one keeps the time from falling where the call grows.
 */
static double lapack_cost_scale(const struct machine *machine, enum machine_side side,
                                const struct lapack_work *work, const struct lapack_work *like,
                                int threads)
{
	const struct lapack_work same = lapack_cost_make_square(work->family, work->element,
	                                                        work->vectors, lapack_cost_order);
	const double own_ns = lapack_cost_model(machine, side, &same, threads);
	const double like_ns = lapack_cost_model(machine, side, like, threads);
	double growth;
	const double size = lapack_cost_find_measured(machine, side, like, work->size, &growth),
		     rate = machine_find_rate(machine, side, like->family, like->element, size,
	                                      threads),
		     cube = size / lapack_cost_order;
	const double measured_ns =
		like->flops * cube * cube * cube / rate * lapack_cost_ns_per_second * growth;
	const bool is_same =
		like->family == work->family && like->element == work->element && work->vectors;
	if (!is_same && (!(own_ns > 0) || !(like_ns > 0)))
		return lapack_cost_unknown_ns;
	return lapack_cost_check(is_same ? measured_ns : measured_ns * (own_ns / like_ns));
}

static double lapack_cost_time(const struct machine *machine, enum machine_side side,
                               const struct lapack_work *work, int threads)
{
	struct lapack_work like;
	if (lapack_cost_find_like(machine, side, work, &like))
		return lapack_cost_scale(machine, side, work, &like, threads);
	return lapack_cost_model(machine, side, work, threads);
}

bool lapack_cost_is_modelled(const struct machine *machine, enum machine_side side,
                             const struct call *call)
{
	const struct lapack_work work = lapack_cost_read(call);
	struct lapack_work like;
	return !lapack_cost_find_like(machine, side, &work, &like);
}

double lapack_cost_predict(const struct machine *machine, enum machine_side side,
                           const struct call *call, int threads)
{
	const struct lapack_work work = lapack_cost_read(call);
	return lapack_cost_time(machine, side, &work, threads);
}

/* A triangle counts half. */
static double lapack_cost_count_operand(const struct call *call,
                                        const struct lapack_operand *operand)
{
	const double bytes = (double)lapack_operand_bytes(call, operand);
	return operand->read == LAPACK_WHOLE ? bytes : bytes / 2;
}

double lapack_cost_count_shadow(const struct call *call)
{
	struct lapack_operands operands;
	double bytes = 0;
	lapack_operand_list(call, &operands);
	for (int i = 0; i < operands.count; i++) {
		const struct lapack_operand *operand = &operands.list[i];
		if (operand->read != LAPACK_NOTHING && operand->written != LAPACK_NOTHING)
			bytes += lapack_cost_count_operand(call, operand);
	}
	return bytes;
}

double lapack_cost_count_held(const struct call *call)
{
	struct lapack_operands operands;
	lapack_operand_list(call, &operands);
	const struct lapack_operand *matrix = lapack_operand_find(&operands, LAPACK_A);
	const bool only_read = matrix != NULL && matrix->read != LAPACK_NOTHING &&
	                       matrix->written == LAPACK_NOTHING;
	return only_read ? lapack_cost_count_operand(call, matrix) : 0;
}

double lapack_cost_find_shadow_rate(const struct machine *machine)
{
	const double passes = 3;
	return machine->cpu_memory_bytes > 0 ? machine->cpu_memory_bytes / passes : __DBL_MAX__;
}

/* The order at which the time is as wished, if it grows with the cube of the order. */
static double lapack_cost_step(double order, double time_ns, double wished_ns)
{
	const double next = wished_ns > time_ns ? order * cube_root_find(wished_ns / time_ns)
	                                        : order / cube_root_find(time_ns / wished_ns);
	return next > 1 ? next : 1;
}

double lapack_cost_find_order(const struct machine *machine, enum family family,
                              enum element element, int threads, double time_ns)
{
	enum { STEPS = 4 };
	double order = lapack_cost_first_order;
	for (int i = 0; i < STEPS; i++) {
		const struct lapack_work work =
			lapack_cost_make_square(family, element, true, order);
		const double taken_ns = lapack_cost_time(machine, MACHINE_CPU, &work, threads);
		if (!(taken_ns > 0))
			return 0;
		order = lapack_cost_step(order, taken_ns, time_ns);
	}
	return order;
}
