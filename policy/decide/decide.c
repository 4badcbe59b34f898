/* decide.c - options, defects, environment, policy, expected times, GPU state: in this order */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/decide.h"

#include <stddef.h>

#include "policy/decide/decide_share.h"
#include "policy/decide/gate_reason.h"
#include "policy/decide/lapack_cost.h"
#include "policy/decide/share_cost.h"
#include "policy/plan/panels.h"

/*
 * By enum experience_source: the factor by which an expectation that no call has confirmed may be
 * wrong.
 */
static const double decide_doubt[] = {4, 2.5, 2};

/* Calls change sides only if the other side is expected to take less than this part of the time. */
static const double decide_hysteresis = 0.98;

/*
 * The other side is tried again when the expected loss is at most this share of the time since the
 * last trial. close_share: the other side takes at most decide_close times as long, or was never
 * tried; far_share: otherwise, because the earlier trial may have been an accident or be out of
 * date.
 */
static const double decide_close = 1.5, decide_close_share = 0.005, decide_far_share = 0.001;

/* Peers beyond this number do not look at the GPU at the same time. */
static const double decide_peers_most = 8;

/*
 * The other side is tried again sooner, at an expected loss of hope_share, where it took less than
 * decide_hope of the time on this side while nothing disturbed it: a burst may be over. After a few
 * calls any less will do, at a loss of few_share.
 */
static const double decide_hope = 0.8, decide_hope_share = 0.1, decide_few_share = 0.03;

/* The share of its time that a call may save on a GPU of which nothing is known. */
static const double decide_unknown_saving = 0.9;

/*
 * Flops per point of a transform of a million points: from it the gate derives the bytes that go
 * with an amount of work.
 */
static const double decide_fft_flops_per_point = 100;

static enum policy decide_policy(const struct options *options, enum family family,
                                 enum element element)
{
	return (enum policy)routine_policy_get(&options->policies, family, element,
	                                       options->policy);
}

/* The threshold that was set, or UINT64_MAX if none was; the built-in default counts as none. */
static uint64_t decide_given_threshold(const struct options *options, enum family family,
                                       enum element element)
{
	return routine_threshold_get(&options->thresholds, family, element,
	                             options->workload_threshold_given ? options->workload_threshold
	                                                               : UINT64_MAX);
}

static uint64_t decide_threshold(const struct options *options, enum family family,
                                 enum element element)
{
	return routine_threshold_get(&options->thresholds, family, element,
	                             options->workload_threshold);
}

/* The thresholds that all policies but always apply. */
static enum reason decide_by_gates(const struct options *options, const struct call *call,
                                   uint64_t threshold)
{
	if (call->size_bytes < threshold)
		return REASON_BELOW_THRESHOLD;
	if (call->work_flops < (double)options->work_threshold)
		return REASON_BELOW_WORK;
	if (family_is_blas(call->family) && call->blas.k < (int64_t)options->k_threshold)
		return REASON_BELOW_K;
	return REASON_NONE;
}

static void decide_by_gpu(const struct situation *situation, enum reason wish,
                          struct decision *decision)
{
	switch (situation->gpu) {
	case GPU_READY:
		decision->target = TARGET_GPU;
		decision->reason = wish;
		decision->device = situation->device;
		break;
	case GPU_ASLEEP:
	case GPU_WARMING:
		decision->reason = REASON_WARMING_UP;
		decision->wakes_gpu = situation->gpu == GPU_ASLEEP;
		break;
	case GPU_OFF: decision->reason = situation->off_reason; break;
	}
}

static double decide_find_hope(const struct learn_guess *guess, enum target other, double this_ns)
{
	if (guess->low_ns[other] < decide_hope * this_ns)
		return decide_hope_share;
	return guess->seen[other] < LEARN_FEW && guess->low_ns[other] < this_ns ? decide_few_share
	                                                                        : 0;
}

/*
 * The faster side, or the other one if a trial of it is due; the reason says which. A side that the
 * calls are leaving needs no trial.
 */
static enum reason decide_by_guess(const struct learn_guess *guess)
{
	const double cpu_ns = guess->time_ns[TARGET_CPU], gpu_ns = guess->time_ns[TARGET_GPU];
	const bool seen[] = {guess->doubt[TARGET_CPU] <= 1, guess->doubt[TARGET_GPU] <= 1};
	const double favour = seen[TARGET_CPU] && seen[TARGET_GPU] ? decide_hysteresis : 1;
	const bool gpu =
		guess->last == TARGET_GPU ? !(cpu_ns < gpu_ns * favour) : gpu_ns < cpu_ns * favour;
	const enum target other = gpu ? TARGET_CPU : TARGET_GPU;
	const double this_ns = gpu ? gpu_ns : cpu_ns, other_ns = guess->time_ns[other];
	const double share = !seen[other] || other_ns <= decide_close * this_ns ? decide_close_share
	                                                                        : decide_far_share;
	const bool stayed = guess->last != other && guess->spent_ns > 0;
	const double hoped = decide_find_hope(guess, other, this_ns);
	const bool paid =
		stayed && other_ns - this_ns <= (hoped > share ? hoped : share) * guess->spent_ns;
	const bool new = !seen[other] && other_ns / guess->doubt[other] < this_ns;
	if (new || paid)
		return gpu ? REASON_LOOKED_AT_CPU : REASON_LOOKED_AT_GPU;
	return gpu ? REASON_PREDICTED_FASTER : REASON_PREDICTED_SLOWER;
}

/* The time that the call saves on the GPU in the best case. */
static double decide_find_saving(const struct learn_guess *guess)
{
	return guess->time_ns[TARGET_CPU] - guess->time_ns[TARGET_GPU] / guess->doubt[TARGET_GPU];
}

/*
 * CUDA is not started: decides whether it is to be, by the time that it could save. A GPU that was
 * not measured here may save nearly everything, so not knowing it costs at most one start.
 */
static void decide_start(const struct experience *experience, const struct situation *situation,
                         const struct learn_guess *guess, struct decision *decision)
{
	double saving_ns = decide_find_saving(guess), saved_ns = 0;
	if (experience->source == EXPERIENCE_ASSUMED &&
	    saving_ns < decide_unknown_saving * guess->time_ns[TARGET_CPU])
		saving_ns = decide_unknown_saving * guess->time_ns[TARGET_CPU];
	if (experience->learn != NULL)
		saved_ns =
			atomic_load_explicit(&experience->learn->savings_ns, memory_order_relaxed);
	if (saving_ns <= 0) {
		decision->reason = REASON_PREDICTED_SLOWER;
	} else if (situation->gpu == GPU_ASLEEP && !situation->start_is_free &&
	           saved_ns + saving_ns < experience->machine->start_ns) {
		decision->reason = REASON_START_NOT_PAID;
		decision->saving_ns = saving_ns;
	} else {
		decide_by_gpu(situation, REASON_PREDICTED_FASTER, decision);
	}
}

/*
 * The GPU is ready: the call goes there, unless the CPU is faster or the setup of the call does not
 * pay yet.
 */
static void decide_side(const struct situation *situation, const struct learn_guess *guess,
                        struct decision *decision)
{
	const enum reason wish = decide_by_guess(guess);
	const double saving_ns = decide_find_saving(guess);
	if (reason_outcome(wish) == OUTCOME_GPU && situation->setting.setup_ns > 0 &&
	    situation->setup_saved_ns + saving_ns < situation->setting.setup_ns) {
		decision->reason = REASON_SETUP_NOT_PAID;
		decision->saving_ns = saving_ns > 0 ? saving_ns : 0;
		return;
	}
	decision->looks = wish == REASON_LOOKED_AT_GPU || wish == REASON_LOOKED_AT_CPU;
	if (reason_outcome(wish) == OUTCOME_GPU)
		decide_by_gpu(situation, wish, decision);
	else
		decision->reason = wish;
}

static void decide_by_time(const struct experience *experience, const struct situation *situation,
                           const struct learn_guess *guess, struct decision *decision)
{
	if (situation->gpu == GPU_OFF)
		decision->reason = situation->off_reason;
	else if (situation->device_only)
		decide_by_gpu(situation, REASON_ON_DEVICE, decision);
	else if (guess->time_ns[TARGET_CPU] < 0 || guess->time_ns[TARGET_GPU] < 0)
		decide_by_gpu(situation, REASON_ABOVE_THRESHOLD, decision);
	else if (situation->gpu == GPU_READY)
		decide_side(situation, guess, decision);
	else
		decide_start(experience, situation, guess, decision);
}

/*
 * Every call stays on the CPU. Which of them would leave it, predict_add tells: the states that the
 * calls before would have led to are not those of this process.
 */
static void decide_dry(const struct learn_guess *guess, struct decision *decision)
{
	const double cpu_ns = guess->time_ns[TARGET_CPU], gpu_ns = guess->time_ns[TARGET_GPU];
	decision->reason =
		gpu_ns >= 0 && gpu_ns < cpu_ns ? REASON_DRY_FASTER : REASON_PREDICTED_SLOWER;
}

static void decide_by_policy(const struct options *options, enum policy policy,
                             const struct experience *experience, const struct situation *situation,
                             const struct call *call, const struct learn_guess *guess,
                             struct decision *decision)
{
	const bool timed = policy == POLICY_AUTO || policy == POLICY_DRY;
	uint64_t threshold = decide_threshold(options, call->family, call->element);
	if (timed && decide_given_threshold(options, call->family, call->element) == UINT64_MAX)
		threshold = 0; /* the gate has let the call pass */
	if (policy == POLICY_ALWAYS) {
		decide_by_gpu(situation, REASON_POLICY_ALWAYS, decision);
		return;
	}
	decision->reason = decide_by_gates(options, call, threshold);
	if (decision->reason != REASON_NONE)
		return;
	if (policy == POLICY_DRY)
		decide_dry(guess, decision);
	else if (policy == POLICY_AUTO && experience->machine != NULL)
		decide_by_time(experience, situation, guess, decision);
	else
		decide_by_gpu(situation, REASON_ABOVE_THRESHOLD, decision);
}

/*
 * Processes that share a GPU start it at the same time, so what each found in its quick look may be
 * a part of what the GPU does for a process alone.
 */
static double decide_find_gpu_doubt(const struct experience *experience,
                                    const struct situation *situation)
{
	return experience->source == EXPERIENCE_LOOKED && situation->gpu_peers > 1
	               ? (situation->gpu_peers < decide_peers_most ? situation->gpu_peers
	                                                           : decide_peers_most)
	               : 1;
}

/* Keeps expectations from an absurd profile finite. */
static double decide_limit(double time_ns)
{
	return time_ns < __DBL_MAX__ ? time_ns : __DBL_MAX__;
}

/*
 * Until something was measured on the GPU, all processes that use it are taken to use it at once:
 * each has its part of link and device. Measured times contain what the others do, and so does what
 * the quick look found.
 */
static void decide_divide_gpu(const struct experience *experience,
                              const struct situation *situation, struct learn_guess *guess)
{
	const int peers = situation->gpu_peers;
	if (experience->source == EXPERIENCE_LOOKED || guess->measured[TARGET_GPU] || peers <= 1 ||
	    !(guess->time_ns[TARGET_GPU] > 0))
		return;
	guess->time_ns[TARGET_GPU] = decide_limit(guess->time_ns[TARGET_GPU] * peers);
	guess->low_ns[TARGET_GPU] = decide_limit(guess->low_ns[TARGET_GPU] * peers);
	guess->doubt[TARGET_GPU] *= peers;
}

/* Fills *guess and the times of *decision; they stay unknown where nothing can be predicted. */
static void decide_predict(const struct experience *experience, const struct situation *situation,
                           const struct call *call, struct learn_guess *guess,
                           struct decision *decision)
{
	struct cost cost;
	*guess = (struct learn_guess){.time_ns = {-1, -1}, .low_ns = {-1, -1}, .doubt = {1, 1}};
	if (experience->machine == NULL || call->defect != REASON_NONE)
		return;
	if (situation->model_ns == NULL) {
		cost_predict(experience->machine, &situation->setting, call, &cost);
	} else {
		cost.cpu.whole_ns = situation->model_ns[TARGET_CPU];
		cost.gpu.whole_ns = situation->model_ns[TARGET_GPU];
	}
	learn_correct(experience->learn, call, &cost, decide_doubt[experience->source], guess);
	decide_divide_gpu(experience, situation, guess);
	if (guess->seen[TARGET_GPU] == 0)
		guess->doubt[TARGET_GPU] *= decide_find_gpu_doubt(experience, situation);
	decision->model_cpu_ns = cost.cpu.whole_ns;
	decision->model_gpu_ns = cost.gpu.whole_ns;
	decision->predicted_cpu_ns = guess->time_ns[TARGET_CPU];
	decision->predicted_gpu_ns = guess->time_ns[TARGET_GPU];
}

/* Whether each side's time is known: by calls of this kind, or by a profile of this machine. */
static bool decide_knows_sides(const struct experience *experience, const struct learn_guess *guess)
{
	return experience->source == EXPERIENCE_MEASURED ||
	       (guess->seen[TARGET_CPU] > 0 && guess->seen[TARGET_GPU] > 0);
}

/* The call was left to one side, which is expected to be the faster one: both may be faster. */
static void decide_with_cpu(const struct experience *experience, const struct situation *situation,
                            const struct call *call, const struct learn_guess *guess,
                            struct decision *decision)
{
	struct share_plan plan;
	if (!decide_knows_sides(experience, guess) ||
	    !decide_share_find(experience->machine, experience->learn, &situation->setting, call,
	                       guess, decision, &plan))
		return;
	decide_by_gpu(situation, REASON_SHARED_WITH_CPU, decision);
	decision->cpu_share = plan.cpu_share;
	decision->shared_ns = plan.whole_ns;
	for (int side = 0; side < LEARN_SIDES; side++)
		decision->part_ns[side] = plan.part_ns[side];
}

static void decide_cpu_share(const struct options *options, enum policy policy,
                             const struct experience *experience, const struct situation *situation,
                             const struct call *call, const struct learn_guess *guess,
                             struct decision *decision)
{
	const double share = options_find_cpu_share(options);
	const bool open = decision->reason == REASON_PREDICTED_FASTER ||
	                  decision->reason == REASON_PREDICTED_SLOWER;
	if (share > 0 && decision->target == TARGET_GPU && share_cost_takes(call))
		decision->cpu_share = share;
	else if (share < 0 && policy == POLICY_AUTO && situation->gpu == GPU_READY && open)
		decide_with_cpu(experience, situation, call, guess, decision);
}

void decide(const struct options *options, const struct experience *experience,
            const struct situation *situation, const struct call *call, struct decision *decision)
{
	const enum policy policy = decide_policy(options, call->family, call->element);
	struct learn_guess guess;
	*decision = (struct decision){.target = TARGET_CPU,
	                              .device = -1,
	                              .gpu_sharers = situation->gpu_peers,
	                              .predicted_cpu_ns = -1,
	                              .predicted_gpu_ns = -1,
	                              .model_cpu_ns = -1,
	                              .model_gpu_ns = -1};
	decide_predict(experience, situation, call, &guess, decision);
	decision->reason = gate_reason_rule_out(options, situation->program_excluded, call->family,
	                                        call->element);
	if (decision->reason == REASON_NONE)
		decision->reason = call->defect;
	/* With an operand that the CPU cannot read there is no choice. */
	if (decision->reason == REASON_NONE && situation->host_arithmetic &&
	    !situation->device_only)
		decision->reason = REASON_FP_ENVIRONMENT;
	if (decision->reason == REASON_NONE && situation->inside_call && !situation->device_only)
		decision->reason = REASON_INSIDE_CALL;
	if (decision->reason == REASON_NONE && situation->below_fallback && !situation->device_only)
		decision->reason = REASON_BELOW_FALLBACK;
	if (decision->reason == REASON_NONE)
		decide_by_policy(options, policy, experience, situation, call, &guess, decision);
	decide_cpu_share(options, policy, experience, situation, call, &guess, decision);
}

bool decide_is_by_time(const struct options *options, enum family family, enum element element)
{
	const enum policy policy = decide_policy(options, family, element);
	return options->enabled && (policy == POLICY_AUTO || policy == POLICY_DRY) &&
	       decide_given_threshold(options, family, element) == UINT64_MAX;
}

/* The CPU's rate for large calls; of transforms that of the slower plans. */
static double decide_slowest_rate(const struct machine *machine, enum family family,
                                  enum element element, int threads)
{
	const double rate =
		machine_find_rate(machine, MACHINE_CPU, family, element, __DBL_MAX__, threads);
	if (!family_is_fft(family))
		return rate;
	const double estimated = machine_find_fft_rate(machine, FFT_ESTIMATED, family, element,
	                                               __DBL_MAX__, threads);
	return estimated < rate ? estimated : rate;
}

/* Bytes of the square matrix that a routine of LAPACK takes DECIDE_LEAST_NS for on the CPU. */
static uint64_t decide_lapack_gate(const struct machine *machine, enum family family,
                                   enum element element, int threads, uint64_t most)
{
	const double order =
		lapack_cost_find_order(machine, family, element, threads, DECIDE_LEAST_NS);
	const double bytes = order * order * (double)element_size_bytes(element);
	return order > 0 && bytes < (double)most ? (uint64_t)bytes : most;
}

/* Bytes of a call with as much work as the CPU does in DECIDE_LEAST_NS. */
static uint64_t decide_timed_gate(const struct experience *experience,
                                  const struct situation *situation, enum family family,
                                  enum element element, uint64_t most)
{
	const double element_bytes = (double)element_size_bytes(element);
	const int threads = situation->setting.cpu_threads;
	if (family_is_lapack(family))
		return decide_lapack_gate(experience->machine, family, element, threads, most);
	const double rate = decide_slowest_rate(experience->machine, family, element, threads);
	const double work = rate * DECIDE_LEAST_NS / 1e9 / (element_is_complex(element) ? 4 : 1);
	double bytes = work / decide_fft_flops_per_point * 4 * element_bytes;
	if (!family_is_fft(family)) {
		/* 2 n^3 flops go with 3 n^2 elements. */
		double order = 1;
		while (2 * order * order * order < work)
			order *= 1.0625;
		bytes = 3 * order * order * element_bytes;
	}
	return rate > 0 && bytes < (double)most ? (uint64_t)bytes : most;
}

uint64_t decide_gate_bytes(const struct options *options, const struct experience *experience,
                           const struct situation *situation, enum family family,
                           enum element element)
{
	const enum policy policy = decide_policy(options, family, element);
	const uint64_t given = decide_given_threshold(options, family, element);
	if (gate_reason_rule_out(options, situation->program_excluded, family, element) !=
	    REASON_NONE)
		return UINT64_MAX;
	if (policy == POLICY_ALWAYS)
		return 0;
	if (policy == POLICY_THRESHOLD || experience->machine == NULL || given != UINT64_MAX)
		return decide_threshold(options, family, element);
	return decide_timed_gate(experience, situation, family, element,
	                         options->workload_threshold);
}

bool decide_passes_gate(const struct options *options, const struct experience *experience,
                        const struct situation *situation, const struct call *call)
{
	return call->size_bytes >=
	       decide_gate_bytes(options, experience, situation, call->family, call->element);
}
