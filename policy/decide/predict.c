/* predict.c - replays recorded calls: each in the state that the calls before it led to */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/predict.h"

#include <stddef.h>
#include <string.h>

void predict_set_options(const struct options *given, struct options *options)
{
	*options = *given;
	options->policy = POLICY_AUTO;
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++) {
			const int own = routine_policy_get(&given->policies, (enum family)family,
			                                   (enum element)element, -1);
			if (own == POLICY_DRY)
				options->policies.routine[family][element] = POLICY_AUTO;
		}
}

void predict_begin(struct predict *predict, const struct options *options,
                   const struct machine *machine, enum experience_source source)
{
	memset(predict, 0, sizeof *predict);
	predict->end_ns = -1;
	predict->replay = (struct replay){
		.options = options,
		.experience = {.machine = machine, .learn = &predict->learn, .source = source},
		.start_ns = machine->start_ns};
	predict->replay.situation.start_is_free = options->warmup == WARMUP_WAIT;
	replay_open_gates(&predict->replay);
}

double predict_round(double time_ns)
{
	const double no_fraction = 4503599627370496.0;  /* 2^52 */
	const double too_large = 9223372036854775808.0; /* 2^63 */
	if (!(time_ns >= 0))
		return -1;
	if (time_ns >= too_large)
		return (double)INT64_MAX;
	return time_ns < no_fraction ? (double)(int64_t)(time_ns + 0.5) : time_ns;
}

int64_t predict_round_begin(int64_t begin_ns)
{
	enum { PREDICT_RESOLUTION_NS = 1000 };
	return begin_ns >= 0 ? begin_ns / PREDICT_RESOLUTION_NS * PREDICT_RESOLUTION_NS : -1;
}

static uint64_t predict_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Names the shape of a transform: what a log tells of it. Never 0. */
static uint64_t predict_name_shape(const struct call *call)
{
	uint64_t hash = predict_mix(1, (uint64_t)call->family * ELEMENT_COUNT + call->element);
	const struct fft_problem *problem = call->fft.problem;
	if (problem != NULL) {
		hash = predict_mix(hash, (uint64_t)problem->howmany);
		for (int i = 0; i < problem->rank && i < FFT_RANK_MAX; i++)
			hash = predict_mix(hash, (uint64_t)problem->dims[i].n);
	}
	return hash != 0 ? hash : 1;
}

/* The plan of the shape; where all places are taken, that of the place where the search began. */
static struct replay_plan *predict_find_plan(struct predict *predict, const struct call *call)
{
	enum { PROBES = 16 };
	const uint64_t key = family_is_fft(call->family) ? predict_name_shape(call) : 1;
	for (uint64_t probe = 0; probe < PROBES; probe++) {
		struct predict_plan *place = &predict->plans[(key + probe) % PREDICT_PLANS];
		if (place->key == 0)
			place->key = key;
		if (place->key == key)
			return &place->plan;
	}
	return &predict->plans[key % PREDICT_PLANS].plan;
}

/* The time between the last call and this one; 0 where they overlap, or one has no time. */
static double predict_find_gap(struct predict *predict, const struct predict_call *call)
{
	const int64_t elapsed_ns = call->elapsed_ns > 0 ? call->elapsed_ns : 0;
	const int64_t gap_ns =
		call->begin_ns >= 0 && predict->end_ns >= 0 ? call->begin_ns - predict->end_ns : 0;
	if (call->begin_ns >= 0 && call->begin_ns <= INT64_MAX - elapsed_ns)
		predict->end_ns = call->begin_ns + elapsed_ns;
	return gap_ns > 0 ? (double)gap_ns : 0;
}

/* CUDA has started, and the warm-up has looked at the GPU. */
static void predict_look(struct replay *replay)
{
	if (replay->experience.source == EXPERIENCE_ASSUMED)
		replay->experience.source = EXPERIENCE_LOOKED;
	replay_open_gates(replay);
}

static bool predict_is_known(const struct predict_call *call)
{
	for (int side = 0; side < LEARN_SIDES; side++)
		if (!(call->model_ns[side] >= 0) || !(call->time_ns[side] >= 0))
			return false;
	return true;
}

static bool predict_passes(const struct predict *predict, const struct predict_call *call)
{
	const struct call *what = call->call;
	if (decide_is_by_time(predict->replay.options, what->family, what->element))
		return call->model_ns[TARGET_CPU] >= DECIDE_LEAST_NS;
	return replay_decides(&predict->replay, what);
}

/* A call that stays where it ran. */
static void predict_stay(struct predict *predict, const struct predict_call *call, double gap_ns)
{
	const double elapsed_ns = call->elapsed_ns > 0 ? (double)call->elapsed_ns : 0;
	replay_pass(&predict->replay, gap_ns, elapsed_ns);
	predict->gpu_calls += call->side == TARGET_GPU;
	predict->totals.calls++;
	predict->totals.gpu_calls += call->side == TARGET_GPU;
	predict->totals.cpu_ns += elapsed_ns;
	predict->totals.auto_ns += elapsed_ns;
}

static void predict_run(struct predict *predict, const struct predict_call *call,
                        struct decision *decision)
{
	struct replay *replay = &predict->replay;
	struct replay_plan *plan = predict_find_plan(predict, call->call);
	struct predict_totals *totals = &predict->totals;
	const struct replay_times times = {.cpu_ns = call->time_ns[TARGET_CPU],
	                                   .gpu_ns = call->time_ns[TARGET_GPU],
	                                   .plan_ns = replay->experience.machine->fft_plan_ns};
	const bool asleep = replay->situation.gpu == GPU_ASLEEP, had_plan = plan->made,
		   had_solver = replay->solver.made;
	const double before_ns = replay->busy_ns;
	replay->situation.model_ns = call->model_ns;
	replay_run(replay, call->call, plan, &times, decision);
	replay->situation.model_ns = NULL;
	const bool gpu = decision->target == TARGET_GPU,
		   starts = asleep && replay->situation.gpu != GPU_ASLEEP;
	predict->gpu_calls += gpu;
	totals->calls++;
	totals->gpu_calls += gpu;
	totals->starts += starts;
	totals->plans += plan->made && !had_plan;
	totals->solvers += replay->solver.made && !had_solver;
	totals->cpu_ns += times.cpu_ns;
	totals->auto_ns += replay->busy_ns - before_ns;
	if (starts && replay->options->warmup == WARMUP_WAIT)
		totals->waited_ns += replay->start_ns;
}

struct decision predict_add(struct predict *predict, const struct predict_call *call)
{
	struct decision decision = {.target = call->side,
	                            .reason = REASON_NONE,
	                            .device = -1,
	                            .predicted_cpu_ns = call->model_ns[TARGET_CPU],
	                            .predicted_gpu_ns = call->model_ns[TARGET_GPU]};
	const double gap_ns = predict_find_gap(predict, call);
	if (call->stays || !predict_is_known(call)) {
		predict_stay(predict, call, gap_ns);
	} else {
		if (replay_advance(&predict->replay, gap_ns))
			predict_look(&predict->replay);
		if (predict_passes(predict, call)) {
			predict_run(predict, call, &decision);
		} else {
			replay_pass(&predict->replay, 0, call->time_ns[TARGET_CPU]);
			decision.target = TARGET_CPU;
			decision.reason = REASON_BELOW_THRESHOLD;
		}
	}
	predict->busy_ns = predict->replay.busy_ns;
	return decision;
}

void predict_add_totals(struct predict_totals *to, const struct predict_totals *from)
{
	to->calls += from->calls;
	to->gpu_calls += from->gpu_calls;
	to->starts += from->starts;
	to->plans += from->plans;
	to->solvers += from->solvers;
	to->cpu_ns += from->cpu_ns;
	to->auto_ns += from->auto_ns;
	to->waited_ns += from->waited_ns;
}
