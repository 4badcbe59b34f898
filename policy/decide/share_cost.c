/* share_cost.c - the time of a call that CPU and GPU share */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/share_cost.h"

#include "policy/fft/fft_share.h"
#include "policy/plan/panels.h"
#include "policy/plan/share.h"

/*
 * FIXED_NS: of a thread that conducts, and the last slice; packing: each slice packs an operand
 * anew. gain: a call is shared where that saves this part of the time. least_ns: of a call that is
 * shared.
 */
static const double share_cost_fixed_ns = 1e5, share_cost_packing = 1.03, share_cost_gain = 0.1,
		    share_cost_least_ns = 1e6;

/* Bytes that one thread copies in a second, where the profile does not say. */
static const double share_cost_copy_rate = 8e9;

/* Halvings of the interval of shares. */
enum { SHARE_COST_HALVINGS = 10 };
static const double share_cost_smallest = 0.02;

static double share_cost_larger(double a, double b)
{
	return a > b ? a : b;
}

/*
 * The device's part, as a call, and what the CPU has of the work. problem: of a transform.
 */
struct share_cost_part {
	struct call call;
	struct fft_problem problem;
	double cpu_share;
};

static bool share_cost_cut_panels(const struct call *call, double cpu_share,
                                  struct share_cost_part *part)
{
	struct share_part device, cpu;
	if (!share_cut_cpu(call->family, &call->blas, call->element, cpu_share, &device, &cpu))
		return false;
	part->cpu_share = share_find_rest(call->family, &call->blas, &device);
	part->call.family = device.problems[0].family;
	part->call.blas = device.problems[0].blas;
	part->call.work_flops = call->work_flops * (1 - part->cpu_share);
	part->call.size_bytes = 0;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++) {
		struct matrix matrix;
		if (operand_find(part->call.family, &part->call.blas, (enum operand)name, &matrix))
			part->call.size_bytes += (uint64_t)matrix.rows * (uint64_t)matrix.columns *
			                         element_size_bytes(call->element);
	}
	return true;
}

/* Of many problems: bytes and work are in proportion. */
static void share_cost_scale(struct share_cost_part *part)
{
	const double rest = 1 - part->cpu_share;
	struct call *call = &part->call;
	call->work_flops *= rest;
	call->size_bytes = (uint64_t)((double)call->size_bytes * rest);
	call->input_bytes = (uint64_t)((double)call->input_bytes * rest);
	call->output_bytes = (uint64_t)((double)call->output_bytes * rest);
}

static bool share_cost_cut_problems(const struct call *call, double cpu_share,
                                    struct share_cost_part *part)
{
	struct share_problems cut;
	if (!share_cut_problems(call, cpu_share, &cut))
		return false;
	part->cpu_share = cut.cpu_share;
	share_cost_scale(part);
	return true;
}

static bool share_cost_cut_turns(const struct call *call, double cpu_share,
                                 struct share_cost_part *part)
{
	struct fft_share cut;
	if (!fft_share_cut(&call->fft, cpu_share, &cut))
		return false;
	part->cpu_share = cut.cpu_share;
	part->problem = fft_share_count(&cut, cut.device);
	part->call.fft.problem = &part->problem;
	share_cost_scale(part);
	return true;
}

static bool share_cost_cut(const struct call *call, double cpu_share, struct share_cost_part *part)
{
	part->call = *call;
	if (family_is_fft(call->family))
		return share_cost_cut_turns(call, cpu_share, part);
	if (family_is_batch(call->family))
		return share_cost_cut_problems(call, cpu_share, part);
	return share_cost_cut_panels(call, cpu_share, part);
}

/* A copy is read and written: each byte of it crosses the memory twice. */
static double share_cost_find_copy_rate(const struct machine *machine, int threads)
{
	const double one = machine_find_memory(machine, MACHINE_CPU, 1) / 2,
		     all = machine_find_memory(machine, MACHINE_CPU, threads) / 2;
	const double rate = (one > 0 ? one : share_cost_copy_rate) * threads;
	return all > 0 && all < rate ? all : rate;
}

static double share_cost_count_panels(const struct cost_setting *setting, const struct call *part)
{
	const struct panel_problem problem = {
		.family = part->family, .element = part->element, .blas = part->blas};
	const struct panel_bytes bytes = panel_plan_count_bytes(&problem);
	const bool in_place = family_is_in_place(part->family);
	double copied = bytes.c;
	if (setting->place[OPERAND_A] == COST_PAGEABLE)
		copied += bytes.a;
	if (setting->place[in_place ? OPERAND_C : OPERAND_B] == COST_PAGEABLE)
		copied += bytes.b;
	return copied;
}

static double share_cost_count_others(const struct cost_setting *setting, const struct call *part)
{
	const bool copied_in = setting->place[OPERAND_A] == COST_PAGEABLE;
	return (double)part->output_bytes + (copied_in ? (double)part->input_bytes : 0);
}

/* The time in which the processor copies what crosses the link; results always pass a ring. */
static double share_cost_time_copies(const struct machine *machine,
                                     const struct cost_setting *setting, const struct call *part)
{
	if (setting->copy_threads < 1)
		return 0;
	const double copied = panels_takes(part->family) ? share_cost_count_panels(setting, part)
	                                                 : share_cost_count_others(setting, part);
	return copied / share_cost_find_copy_rate(machine, setting->copy_threads) * 1e9;
}

/* Without operands that the device has from earlier calls: a part does not use them. */
static double share_cost_time_gpu(const struct machine *machine, const struct cost_setting *setting,
                                  const struct call *call)
{
	struct cost_setting sent = *setting;
	struct cost cost;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		sent.held[name] = false;
	cost_predict(machine, &sent, call, &cost);
	return cost.gpu.whole_ns;
}

/* What the model says of the call, as the time alone was found. */
static double share_cost_time_whole(const struct machine *machine,
                                    const struct cost_setting *setting, const struct call *call)
{
	struct cost cost;
	cost_predict(machine, setting, call, &cost);
	return cost.gpu.whole_ns;
}

double share_cost_time(const struct share_plan *plan, const double factor[2])
{
	return share_cost_fixed_ns +
	       share_cost_larger(plan->part_ns[TARGET_CPU] * factor[TARGET_CPU],
	                         plan->part_ns[TARGET_GPU] * factor[TARGET_GPU]);
}

double share_cost_find_most(double alone_ns)
{
	return (1 - share_cost_gain) * alone_ns;
}

/*
 * The CPU's part takes its share of the time alone, and a little for slices. Plans for parts of a
 * batch of transforms are made without measuring.
 */
static double share_cost_time_cpu(const struct machine *machine, const struct cost_setting *setting,
                                  const struct call *call, double alone_ns, double cpu_share)
{
	const double time_ns = cpu_share * share_cost_packing * alone_ns;
	struct call estimated = *call;
	if (!family_is_fft(call->family))
		return time_ns;
	estimated.fft.rigour = FFT_ESTIMATED;
	const double size = cost_find_size(call),
		     rate = cost_find_cpu_rate(machine, call, size, setting->cpu_threads),
		     slower = cost_find_cpu_rate(machine, &estimated, size, setting->cpu_threads);
	return slower > 0 && slower < rate ? time_ns * (rate / slower) : time_ns;
}

bool share_cost_predict(const struct machine *machine, const struct cost_setting *setting,
                        const struct call *call, const struct share_sides *sides, double cpu_share,
                        struct share_plan *plan)
{
	struct share_cost_part part;
	const double whole_ns = share_cost_time_whole(machine, setting, call);
	if (!(whole_ns > 0) || !share_cost_cut(call, cpu_share, &part))
		return false;
	plan->cpu_share = part.cpu_share;
	const double part_ns = share_cost_time_gpu(machine, setting, &part.call);
	if (!(part_ns > 0))
		return false;
	const double gpu_ns = part_ns / whole_ns * sides->alone_ns[TARGET_GPU];
	plan->part_ns[TARGET_CPU] = share_cost_time_cpu(
		machine, setting, call, sides->alone_ns[TARGET_CPU], plan->cpu_share);
	plan->part_ns[TARGET_GPU] =
		share_cost_larger(gpu_ns, share_cost_time_copies(machine, setting, &part.call));
	plan->whole_ns = share_cost_time(plan, sides->factor);
	return true;
}

bool share_cost_takes(const struct call *call)
{
	return panels_takes(call->family) || fft_share_takes(call) ||
	       (family_is_batch(call->family) && call->batch.problems > 1);
}

static bool share_cost_is_on_host(const struct cost_setting *setting, const struct call *call)
{
	bool takes = family_is_fft(call->family) ||
	             (call->blas.m > 0 && call->blas.n > 0 && call->blas.k > 0);
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		takes = takes && setting->place[name] != COST_DEVICE;
	return takes;
}

/* The CPU ends later with a larger share, and the GPU sooner. */
bool share_cost_find(const struct machine *machine, const struct cost_setting *setting,
                     const struct call *call, const struct share_sides *sides,
                     struct share_plan *plan)
{
	const double cpu_ns = sides->alone_ns[TARGET_CPU], gpu_ns = sides->alone_ns[TARGET_GPU];
	const double better_ns = cpu_ns < gpu_ns ? cpu_ns : gpu_ns;
	double least = share_cost_smallest, most = 1 - share_cost_smallest;
	bool found = false;
	if (!(better_ns >= share_cost_least_ns) || !share_cost_takes(call) ||
	    !share_cost_is_on_host(setting, call))
		return false;
	for (int i = 0; i < SHARE_COST_HALVINGS; i++) {
		struct share_plan trial;
		const double share = (least + most) / 2;
		if (!share_cost_predict(machine, setting, call, sides, share, &trial))
			return false;
		if (!found || trial.whole_ns < plan->whole_ns)
			*plan = trial;
		found = true;
		if (trial.part_ns[TARGET_CPU] * sides->factor[TARGET_CPU] <
		    trial.part_ns[TARGET_GPU] * sides->factor[TARGET_GPU])
			least = share;
		else
			most = share;
	}
	return found && plan->whole_ns <= share_cost_find_most(better_ns);
}
