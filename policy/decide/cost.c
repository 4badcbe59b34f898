/* cost.c - the time of a call on each side */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/cost.h"

#include "policy/decide/cube_root.h"
#include "policy/decide/lapack_cost.h"
#include "policy/decide/lapack_plan.h"
#include "policy/fft/fft_map.h"
#include "policy/plan/panels.h"

static const double cost_ns_per_second = 1e9;
static const double cost_unknown_ns = -1;

/* The duplex of a profile that gives none. */
static const double cost_duplex = 0.92;

/* A usable time, finite and not negative, else unknown. NaN fails the comparison. */
static double cost_check(double time_ns)
{
	return time_ns >= 0 && time_ns <= __DBL_MAX__ ? time_ns : cost_unknown_ns;
}

static double cost_larger(double a, double b)
{
	return a > b ? a : b;
}

/* amount / rate as a time; 0 for no amount at any rate, unknown at an unknown rate. */
static double cost_time(double amount, double rate)
{
	if (amount == 0)
		return 0;
	return rate > 0 ? cost_check(amount / rate * cost_ns_per_second) : cost_unknown_ns;
}

static double cost_sum(double a, double b)
{
	return a < 0 || b < 0 ? cost_unknown_ns : cost_check(a + b);
}

static double cost_share(double time_ns, double sharers)
{
	return time_ns < 0 ? cost_unknown_ns : cost_check(time_ns * sharers);
}

static double cost_count_points(const struct fft_problem *problem)
{
	double points = 1;
	for (int i = 0; i < problem->rank; i++)
		points *= (double)problem->dims[i].n;
	return points;
}

double cost_find_size(const struct call *call)
{
	const struct blas_call *blas = &call->blas;
	if (family_is_fft(call->family))
		return call->fft.problem != NULL ? cost_count_points(call->fft.problem) : 1;
	if (family_is_lapack(call->family))
		return lapack_cost_find_size(call);
	/*
	 * With n + 1, flops are proportional to the cube of the size for triangles too, so a larger
	 * call never has less work.
	 */
	const double rows = (double)blas->m + (operand_is_triangle(call->family) ? 1 : 0);
	return cube_root_find(rows * (double)blas->n * (double)blas->k);
}

/*
 * The pieces that overlap: each transform of a batch is one, because every output of a transform
 * needs all of its inputs. A batch of products and a LAPACK call are one piece.
 */
static double cost_count_pieces(const struct call *call)
{
	double pieces = __DBL_MAX__;
	if (family_is_fft(call->family))
		pieces = (double)call->fft.problem->howmany;
	else if (family_is_batch(call->family) || family_is_lapack(call->family))
		pieces = 1;
	return pieces >= 1 ? pieces : 1;
}

/* All stages overlap, except the way in of the first piece and the way out of the last one. */
static double cost_overlap(double pieces, const struct cost_time *time)
{
	const double longest_ns =
		cost_larger(time->work_ns, cost_larger(time->in_ns, time->out_ns));
	const double others_ns = time->in_ns + time->work_ns + time->out_ns - longest_ns;
	return longest_ns + others_ns / pieces;
}

static double cost_choose(double rate, double otherwise)
{
	return rate > 0 ? rate : otherwise;
}

/*
 * The rate of the way up; results always come back through the staging ring. COST_DEVICE: the
 * faster one, for the time that the plan of such a call would have.
 */
static double cost_find_up(const struct machine *machine, enum cost_place place)
{
	const double staged = machine->link_up_bytes,
		     pinned = cost_choose(machine->link_up_pinned_bytes, staged);
	if (place == COST_DEVICE)
		return cost_larger(staged, pinned);
	return place == COST_PINNED ? pinned : staged;
}

static bool cost_is_planned(const struct call *call)
{
	const struct blas_call *blas = &call->blas;
	return panels_takes(call->family) && blas->m > 0 && blas->n > 0 && blas->k > 0 &&
	       (blas->alpha[0] != 0 || blas->alpha[1] != 0);
}

static bool cost_is_on_device(const struct cost_setting *setting)
{
	bool found = false;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		found = found || setting->place[name] == COST_DEVICE;
	return found;
}

static struct panel_problem cost_find_problem(const struct call *call)
{
	return (struct panel_problem){.family = call->family,
	                              .element = call->element,
	                              .blas = call->blas,
	                              .same = operand_b_is_a(call->family, &call->blas)};
}

/* Bytes of an operand as it is stored; a square, and a triangle of C, count whole. */
static double cost_count_operand(const struct call *call, enum operand name)
{
	struct matrix matrix;
	if (!operand_find(call->family, &call->blas, name, &matrix))
		return 0;
	return (double)matrix.rows * (double)matrix.columns *
	       (double)element_size_bytes(call->element);
}

/* The way up of an operand of a plan. */
static double cost_time_up(const struct machine *machine, const struct cost_setting *setting,
                           enum operand name, double bytes, double sharers)
{
	const double sent = setting->held[name] && setting->place[name] != COST_DEVICE ? 0 : bytes;
	const double up = cost_find_up(machine, setting->place[name]);
	return cost_share(cost_time(sent, up), sharers);
}

/* The time of each part of a plan alone, as if every operand were in host memory. */
static struct panel_times cost_time_plan(const struct machine *machine,
                                         const struct cost_setting *setting,
                                         const struct call *call, const struct panel_bytes *bytes,
                                         double sharers)
{
	const enum operand second = family_is_in_place(call->family) ? OPERAND_C : OPERAND_B;
	return (struct panel_times){
		.up_a_ns = cost_time_up(machine, setting, OPERAND_A, bytes->a, sharers),
		.up_b_ns = cost_time_up(machine, setting, second, bytes->b, sharers),
		.down_ns = cost_share(cost_time(bytes->c, machine->link_down_bytes), sharers),
		.duplex = machine->link_duplex > 0 ? machine->link_duplex : cost_duplex,
		.operation_ns = machine->operation_ns,
	};
}

/* Whether a call without a plan copies the operand to the device. */
static bool cost_is_sent(const struct cost_setting *setting, const struct call *call,
                         enum operand name)
{
	const struct blas_call *blas = &call->blas;
	if (setting->place[name] == COST_DEVICE ||
	    (name == OPERAND_B && operand_b_is_a(call->family, blas)))
		return false;
	return name != OPERAND_C || family_is_in_place(call->family) || blas->beta[0] != 0 ||
	       blas->beta[1] != 0;
}

/*
 * A call with an operand on the device has no plan: the other operands are sent whole, and C comes
 * back.
 */
static void cost_fill_mixed(const struct machine *machine, const struct cost_setting *setting,
                            const struct call *call, double sharers, struct cost_time *time)
{
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		const double bytes = cost_is_sent(setting, call, (enum operand)name)
		                             ? cost_count_operand(call, (enum operand)name)
		                             : 0;
		const double up = cost_find_up(machine, setting->place[name]);
		time->in_ns = cost_sum(time->in_ns, cost_share(cost_time(bytes, up), sharers));
	}
	if (setting->place[OPERAND_C] != COST_DEVICE)
		time->out_ns = cost_share(
			cost_time(cost_count_operand(call, OPERAND_C), machine->link_down_bytes),
			sharers);
}

/*
 * The time of a planned call. With an operand on the device it is never slower than its plan would
 * be.
 */
static void cost_fill_planned(const struct machine *machine, const struct cost_setting *setting,
                              const struct call *call, double sharers, struct cost_time *time)
{
	const struct panel_problem problem = cost_find_problem(call);
	const struct panel_bytes bytes = panel_plan_count_bytes(&problem);
	struct panel_times times = cost_time_plan(machine, setting, call, &bytes, sharers);
	const bool known = times.up_a_ns >= 0 && times.up_b_ns >= 0 && times.down_ns >= 0 &&
	                   time->work_ns >= 0;
	const bool mixed = cost_is_on_device(setting);
	times.work_ns = time->work_ns;
	if (mixed) {
		cost_fill_mixed(machine, setting, call, sharers, time);
	} else {
		time->in_ns = cost_sum(times.up_a_ns, times.up_b_ns);
		time->out_ns = times.down_ns;
	}
	if (!known || time->in_ns < 0 || time->out_ns < 0)
		return;
	time->whole_ns = panels_estimate_times(&problem, &times);
	const double one_by_one_ns = time->in_ns + time->work_ns + time->out_ns;
	if (mixed && one_by_one_ns < time->whole_ns)
		time->whole_ns = one_by_one_ns;
}

/* The time in which the host keeps a copy of overwritten input, while the link is busy. */
static double cost_time_shadow(const struct machine *machine, const struct call *call)
{
	if (!family_is_lapack(call->family))
		return 0;
	return cost_time(lapack_cost_count_shadow(call), lapack_cost_find_shadow_rate(machine));
}

/* The way up, with the copy of the input that is made on it. in_bytes 0: nothing is sent. */
static double cost_time_in(const struct machine *machine, const struct cost_setting *setting,
                           const struct call *call, double in_bytes, double sharers)
{
	const enum cost_place place = setting->place[OPERAND_A];
	const bool copied = family_is_lapack(call->family) && place == COST_DEVICE;
	const double up = cost_find_up(machine, copied ? COST_PAGEABLE : place);
	const double link_ns = cost_share(cost_time(in_bytes, up), sharers);
	if (link_ns <= 0)
		return link_ns;
	return cost_sum(cost_larger(link_ns, cost_time_shadow(machine, call)),
	                machine->operation_ns);
}

/*
 * LU and Cholesky are planned where that takes less than in, solve, out. What the device has no
 * room for is planned in any case, and sent again and again.
 */
static double cost_overlap_panels(const struct machine *machine, const struct cost_setting *setting,
                                  const struct call *call, double sharers, struct cost_time *time)
{
	struct factor_problem problem;
	if (!lapack_plan_find_problem(call, &problem))
		return time->whole_ns;
	const double of_a = lapack_plan_count_bytes(&problem, false),
		     of_b = lapack_plan_count_bytes(&problem, true);
	const double again_ns =
		cost_share(cost_time(lapack_plan_count_again(&problem, setting->memory_bytes),
	                             machine->link_up_bytes),
	                   sharers);
	const double in_ns = cost_time_in(machine, setting, call, of_a + of_b, sharers);
	const struct lapack_plan_times times = {
		.in_ns = cost_sum(in_ns, again_ns),
		.work_ns = time->work_ns,
		.out_ns = cost_share(cost_time(of_a, machine->link_down_bytes), sharers),
		.last_ns = cost_share(cost_time(of_b, machine->link_down_bytes), sharers),
		.duplex = cost_choose(machine->link_duplex, cost_duplex),
	};
	const double planned_ns = cost_check(lapack_plan_estimate(&problem, &times));
	if (again_ns > 0) {
		time->in_ns = times.in_ns;
		return planned_ns;
	}
	return planned_ns >= 0 && planned_ns < time->whole_ns ? planned_ns : time->whole_ns;
}

/* Bytes of a call without a plan that the device lacks: a transform's input, A of LAPACK. */
static double cost_count_sent(const struct cost_setting *setting, const struct call *call)
{
	const double bytes = (double)call->input_bytes;
	if (!setting->held[OPERAND_A])
		return bytes;
	if (!family_is_lapack(call->family))
		return family_is_fft(call->family) ? 0 : bytes;
	const double left = bytes - lapack_cost_count_held(call);
	return left > 0 ? left : 0;
}

/*
 * All problems of a batch are sent, computed and returned together. Each of these operations has a
 * cost beside its bytes or flops; that of a transform's kernels is part of work_ns.
 */
static void cost_fill_others(const struct machine *machine, const struct cost_setting *setting,
                             const struct call *call, double sharers, struct cost_time *time)
{
	/* LAPACK's operands are copied through the host, wherever they lie. */
	const bool copied = family_is_lapack(call->family);
	const enum cost_place in = setting->place[OPERAND_A], out = setting->place[OPERAND_C];
	const bool on_device = in == COST_DEVICE && !copied;
	const double in_bytes = on_device ? 0 : cost_count_sent(setting, call);
	const double out_bytes = out == COST_DEVICE && !copied ? 0 : (double)call->output_bytes;
	const bool copied_out = out_bytes > 0,
		   launched = call->work_flops > 0 && !family_is_fft(call->family);
	time->in_ns = cost_time_in(machine, setting, call, in_bytes, sharers);
	time->out_ns = cost_sum(cost_share(cost_time(out_bytes, machine->link_down_bytes), sharers),
	                        copied_out ? machine->operation_ns : 0);
	time->work_ns = cost_sum(time->work_ns, launched ? machine->operation_ns : 0);
	if (time->in_ns < 0 || time->work_ns < 0 || time->out_ns < 0)
		return;
	time->whole_ns = cost_overlap(cost_count_pieces(call), time);
	time->whole_ns = cost_overlap_panels(machine, setting, call, sharers, time);
}

/* Bytes that the call reads or writes at least once, wherever they lie. */
static double cost_count_bytes(const struct call *call)
{
	return family_is_fft(call->family) ? (double)call->input_bytes + (double)call->output_bytes
	                                   : (double)call->size_bytes;
}

/* The floor of cuFFT, and the operations that make the input of c2r Hermitian. */
static double cost_find_fft_latency(const struct machine *machine,
                                    const struct fft_problem *problem)
{
	const int rank = problem == NULL || problem->rank < 1 ? 1 : problem->rank;
	const double floor_ns =
		machine->gpu_fft_floor_ns[(rank < FFT_GPU_RANK ? rank : FFT_GPU_RANK) - 1];
	const int operations = problem == NULL ? 0 : fft_map_count_operations(problem);
	return cost_sum(floor_ns, operations * machine->operation_ns);
}

double cost_find_latency(const struct machine *machine, const struct call *call)
{
	if (!(call->work_flops > 0))
		return 0;
	if (family_is_fft(call->family))
		return cost_find_fft_latency(machine, call->fft.problem);
	if (call->family == FAMILY_TRSM &&
	    machine_borrows_rate(machine, call->family, call->element))
		return cost_check((double)call->blas.k * machine->gpu_trsm_row_ns);
	return 0;
}

double cost_find_cpu_rate(const struct machine *machine, const struct call *call, double size,
                          int threads)
{
	if (family_is_fft(call->family))
		return machine_find_fft_rate(machine, call->fft.rigour, call->family, call->element,
		                             size, threads);
	return machine_find_rate(machine, MACHINE_CPU, call->family, call->element, size, threads);
}

/* The time of the flops alone; threads are ignored for the GPU. */
static double cost_time_flops(const struct machine *machine, enum machine_side side,
                              const struct call *call, double size, int threads)
{
	if (family_is_lapack(call->family))
		return lapack_cost_predict(machine, side, call, threads);
	return cost_time(call->work_flops,
	                 side == MACHINE_CPU ? cost_find_cpu_rate(machine, call, size, threads)
	                                     : machine_find_rate(machine, side, call->family,
	                                                         call->element, size, 0));
}

/*
 * The time of the flops, but never less than memory needs for the operands, where its rate is
 * known: a thin product is bound by it, and so are solutions of a few right-hand sides.
 */
static double cost_time_work(const struct machine *machine, enum machine_side side,
                             const struct call *call, double size, int threads)
{
	const double work_ns = cost_time_flops(machine, side, call, size, threads);
	const double memory = machine_find_memory(machine, side, threads);
	if (work_ns <= 0 || !(memory > 0))
		return work_ns;
	const double memory_ns = cost_time(cost_count_bytes(call), memory);
	return memory_ns < 0 ? cost_unknown_ns : cost_larger(work_ns, memory_ns);
}

static struct cost_time cost_predict_gpu(const struct machine *machine,
                                         const struct cost_setting *setting,
                                         const struct call *call, double size)
{
	const double sharers = setting->gpu_sharers > 1 ? setting->gpu_sharers : 1;
	const double work_ns = cost_time_work(machine, MACHINE_GPU, call, size, 0);
	struct cost_time time = {.whole_ns = cost_unknown_ns,
	                         .fixed_ns = machine->call_fixed_ns + setting->queue_ns,
	                         .work_ns = cost_share(work_ns, sharers)};
	time.work_ns = cost_sum(time.work_ns, cost_find_latency(machine, call));
	if (cost_is_planned(call))
		cost_fill_planned(machine, setting, call, sharers, &time);
	else
		cost_fill_others(machine, setting, call, sharers, &time);
	time.whole_ns = cost_check(cost_sum(cost_check(time.fixed_ns), time.whole_ns));
	return time;
}

/* The time on the CPU, with the copies of operands that lie on the device. */
static struct cost_time cost_predict_cpu(const struct machine *machine,
                                         const struct cost_setting *setting,
                                         const struct call *call, double size)
{
	const int threads = setting->cpu_threads > 1 ? setting->cpu_threads : 1;
	struct cost_time time = {.work_ns =
	                                 cost_time_work(machine, MACHINE_CPU, call, size, threads)};
	if (cost_is_on_device(setting))
		time.in_ns = cost_time(
			(double)call->input_bytes,
			cost_choose(machine->link_down_pageable_bytes, machine->link_down_bytes));
	if (setting->place[OPERAND_C] == COST_DEVICE)
		time.out_ns = cost_time(
			(double)call->output_bytes,
			cost_choose(machine->link_up_pageable_bytes, machine->link_up_bytes));
	time.whole_ns = cost_check(cost_sum(cost_sum(time.in_ns, time.work_ns), time.out_ns));
	return time;
}

void cost_predict(const struct machine *machine, const struct cost_setting *setting,
                  const struct call *call, struct cost *cost)
{
	const double size = cost_find_size(call);
	cost->cpu = cost_predict_cpu(machine, setting, call, size);
	cost->gpu = cost_predict_gpu(machine, setting, call, size);
}

/* Bytes that a planned call moves; with an operand on the device it has no plan. */
static double cost_count_moved(const struct cost_setting *setting, const struct call *call)
{
	double bytes = 0;
	if (!cost_is_on_device(setting)) {
		const struct panel_problem problem = cost_find_problem(call);
		const struct panel_bytes plan = panel_plan_count_bytes(&problem);
		return plan.a + plan.b + plan.c;
	}
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if (cost_is_sent(setting, call, (enum operand)name))
			bytes += cost_count_operand(call, (enum operand)name);
	return setting->place[OPERAND_C] == COST_DEVICE
	               ? bytes
	               : bytes + cost_count_operand(call, OPERAND_C);
}

double cost_find_intensity(const struct cost_setting *setting, const struct call *call)
{
	double bytes = setting->place[OPERAND_C] == COST_DEVICE ? 0 : (double)call->output_bytes;
	bytes += setting->place[OPERAND_A] == COST_DEVICE ? 0 : (double)call->input_bytes;
	if (cost_is_planned(call))
		bytes = cost_count_moved(setting, call);
	return bytes > 0 ? call->work_flops / bytes : __DBL_MAX__;
}

double cost_break_even(double link_bytes, double cpu_flops, double gpu_flops)
{
	const double gained = 1 / cpu_flops - 1 / gpu_flops;
	const double intensity =
		gained > 0 && link_bytes > 0 ? 1 / link_bytes / gained : __DBL_MAX__;
	return intensity <= __DBL_MAX__ ? intensity : __DBL_MAX__;
}
