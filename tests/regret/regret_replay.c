/* regret_replay.c - one trace on one machine by all policies: the same calls, the same noise */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/decide/replay.h"
#include "tests/regret/regret_truth.h"

/* A process and its knowledge. */
struct regret_auto {
	int index;     /* of the machine */
	int processes; /* that share the GPU */
	enum regret_belief belief;
	struct machine machine;
	struct learn learn;
	struct replay replay;
	struct replay_plan *plan; /* one per shape */
	bool *used;               /* twice as many, as race_add_first uses them */
	bool loud;                /* each decision is printed */
};

/* The first shape of the same routine, and of the same routine and bucket. */
struct race_kin {
	int routine, kernel;
};

/* What the first use of code on the GPU adds to a call of this shape. */
static double race_find_first(const struct regret_fault *fault, const struct race_kin *kin,
                              const bool *used)
{
	return (used[2 * kin->routine] ? 0 : fault->first_ns) +
	       (used[2 * kin->kernel + 1] ? 0 : fault->kernel_ns);
}

static void race_use(const struct race_kin *kin, bool *used)
{
	used[2 * kin->routine] = used[2 * kin->kernel + 1] = true;
}

/* Starts a process that knows what belief says. false where there is no memory. */
static bool auto_begin(struct regret_auto *one, const struct regret_trial *trial,
                       enum regret_belief belief, int shapes)
{
	const int index = trial->machine;
	memset(one, 0, sizeof *one);
	one->processes = 1 + trial->fault->sharers;
	one->index = index;
	one->belief = belief;
	one->plan = calloc((size_t)shapes, sizeof *one->plan);
	one->used = calloc(2 * (size_t)shapes, sizeof *one->used);
	if (one->plan == NULL || one->used == NULL)
		return false;
	regret_machine_believe(index, belief, &one->machine);
	one->replay =
		(struct replay){.options = trial->options,
	                        .experience = {.machine = &one->machine, .learn = &one->learn},
	                        .start_ns = regret_machine_start_ns(index)};
	one->replay.experience.source =
		belief == REGRET_RIGHT ? EXPERIENCE_MEASURED : EXPERIENCE_ASSUMED;
	one->replay.situation.setting.cpu_threads = regret_machine_threads(index);
	one->replay.situation.gpu_peers = one->processes;
	replay_open_gates(&one->replay);
	return true;
}

static void auto_end(struct regret_auto *one)
{
	free(one->plan);
	free(one->used);
}

/*
 * CUDA has started. Where no profile was measured on this machine, its warm-up measured for a
 * moment.
 */
static void auto_look(struct regret_auto *one)
{
	regret_machine_look(one->index, one->belief, one->processes, &one->machine);
	if (one->replay.experience.source == EXPERIENCE_ASSUMED)
		one->replay.experience.source = EXPERIENCE_LOOKED;
	replay_open_gates(&one->replay);
}

static void auto_print(const struct regret_auto *one, const struct call *call,
                       const struct decision *decision, double begin_ns,
                       const struct replay_times *times)
{
	static const char *const reasons[] = {
#define REASON(id, name, ...) name,
#include "policy/call/reason.def"
	};
	const struct blas_call *blas = &call->blas;
	printf("    %9.3f s belief %d family %d element %d bucket %2u ", begin_ns / 1e9,
	       one->belief, call->family, call->element, learn_find_bucket(call));
	if (family_is_fft(call->family))
		printf("%lld*%lld", (long long)call->fft.problem->dims[0].n,
		       (long long)call->fft.problem->howmany);
	else
		printf("%lldx%lldx%lld", (long long)blas->m, (long long)blas->n,
		       (long long)blas->k);
	printf(" %s: cpu %.3f ms (%.3f, model %.3f), gpu %.3f ms (%.3f, model %.3f)\n",
	       reasons[decision->reason], times->cpu_ns / 1e6, decision->predicted_cpu_ns / 1e6,
	       decision->model_cpu_ns / 1e6, times->gpu_ns / 1e6, decision->predicted_gpu_ns / 1e6,
	       decision->model_gpu_ns / 1e6);
}

/* Runs one call that passed the gate, gap_ns after the end of the last one. */
static void auto_run(struct regret_auto *one, const struct call *call, int shape, double gap_ns,
                     const struct replay_times *times, const struct race_kin *kin)
{
	struct decision decision;
	if (replay_advance(&one->replay, gap_ns))
		auto_look(one);
	const double begin_ns = one->replay.clock_ns;
	replay_run(&one->replay, call, &one->plan[shape], times, &decision);
	if (decision.target == TARGET_GPU)
		race_use(kin, one->used);
	if (one->loud)
		auto_print(one, call, &decision, begin_ns, times);
}

/* Calls with less work than this are taken together: over so many the noise evens out. */
static const double race_tiny_flops = 1e5;

/*
 * Of one shape: the number of its calls, and their times in all on each side and on the faster side
 * of each call.
 */
struct tally {
	double count, cpu_ns, gpu_ns, least_ns;
};

/* A policy that knows all times in advance and starts CUDA at once, in the background. */
struct oracle {
	double clock_ns, busy_ns;
};

struct race {
	const struct call_trace *trace;
	struct regret_call *calls;
	struct regret_truth truth;
	struct tally *tally;
	struct race_kin *kin;
	struct regret_auto *runs; /* one per belief */
	struct oracle oracle;
	const struct regret_fault *fault;
	double count, done;        /* calls: of the program, and before the present step */
	struct regret_place place; /* of the next call */
};

static void race_end(struct race *race)
{
	for (int belief = 0; race->runs != NULL && belief < REGRET_BELIEFS; belief++)
		auto_end(&race->runs[belief]);
	free(race->runs);
	free(race->kin);
	free(race->tally);
	free(race->calls);
	regret_truth_free(&race->truth);
}

static void race_count(struct race *race)
{
	struct call_trace_walk walk = {0};
	for (const struct call_trace_step *step;
	     (step = call_trace_next(race->trace, &walk)) != NULL;) {
		race->tally[step->shape].count += (double)step->count;
		race->count += (double)step->count;
	}
}

static bool race_is_routine(const struct regret_call *one, const struct regret_call *other)
{
	return one->call.family == other->call.family && one->call.element == other->call.element;
}

static bool race_is_alike(const struct regret_call *one, const struct regret_call *other)
{
	return race_is_routine(one, other) && one->bucket == other->bucket;
}

static void race_find_kin(struct race *race)
{
	const struct regret_call *calls = race->calls;
	for (int shape = 0; shape < race->trace->shape_count; shape++) {
		struct race_kin *kin = &race->kin[shape];
		while (!race_is_routine(&calls[kin->routine], &calls[shape]))
			kin->routine++;
		while (!race_is_alike(&calls[kin->kernel], &calls[shape]))
			kin->kernel++;
	}
}

static bool race_begin(struct race *race, const struct call_trace *trace,
                       const struct regret_trial *trial)
{
	*race = (struct race){
		.trace = trace, .fault = trial->fault, .place = {.seed = trial->seed}};
	race->calls = regret_call_make(trace);
	race->tally = calloc((size_t)trace->shape_count, sizeof *race->tally);
	race->kin = calloc((size_t)trace->shape_count, sizeof *race->kin);
	race->runs = calloc(REGRET_BELIEFS, sizeof *race->runs);
	bool fine = race->calls != NULL && race->tally != NULL && race->kin != NULL &&
	            race->runs != NULL &&
	            regret_truth_make(trace, race->calls, trial, &race->truth);
	for (int belief = 0; fine && belief < REGRET_BELIEFS; belief++)
		fine = auto_begin(&race->runs[belief], trial, (enum regret_belief)belief,
		                  trace->shape_count);
	if (fine) {
		race_count(race);
		race_find_kin(race);
	}
	if (fine && trial->loud >= 0)
		race->runs[trial->loud].loud = true;
	return fine;
}

static double race_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Which processes decide on a step's calls. Their gates move when CUDA has started. */
static bool race_find_deciders(const struct race *race, const struct call *call,
                               bool decides[REGRET_BELIEFS])
{
	bool any = false;
	for (int belief = 0; belief < REGRET_BELIEFS; belief++) {
		decides[belief] = replay_decides(&race->runs[belief].replay, call);
		any = any || decides[belief];
	}
	return any;
}

/* The time that the transforms of a shape need once; 0 for a product. */
static double race_find_setup(const struct race *race, int shape)
{
	return family_is_fft(race->calls[shape].call.family) ? race->truth.plan_ns : 0;
}

static void race_foresee(struct race *race, int shape, double gap_ns, double cpu_ns, double gpu_ns)
{
	struct oracle *oracle = &race->oracle;
	const double gain_ns = race->truth.cpu_ns[shape] - race->truth.gpu_ns[shape];
	const double setup_ns = race_find_setup(race, shape), count = race->tally[shape].count;
	oracle->clock_ns += gap_ns;
	double least_ns = cpu_ns;
	if (oracle->clock_ns >= race->truth.start_ns &&
	    (setup_ns == 0 || count * gain_ns > setup_ns))
		least_ns = race_smaller(cpu_ns, gpu_ns + setup_ns / count);
	oracle->clock_ns += least_ns;
	oracle->busy_ns += least_ns;
}

/*
 * Both parts of a shared call take longer than alone: the threads that copy and conduct take
 * processors and memory from the CPU library, which takes them from the copies. No profile knows.
 */
static const double race_share_factor[LEARN_SIDES] = {1.2, 1.15};

/* Times of the next call, or of so many together. */
static struct replay_times race_take_times(struct race *race, int shape, bool tiny, double together)
{
	const struct regret_truth *truth = &race->truth;
	const struct regret_place *place = &race->place;
	struct replay_times times = {.cpu_ns = together * truth->cpu_ns[shape],
	                             .gpu_ns = together * truth->gpu_ns[shape],
	                             .plan_ns = truth->plan_ns};
	for (int side = 0; side < LEARN_SIDES; side++)
		times.share_factor[side] = race_share_factor[side] *
		                           regret_truth_noise(place->seed, place->number, 2 + side);
	if (!tiny) {
		times.cpu_ns *= regret_truth_noise(place->seed, place->number, 0);
		times.gpu_ns *= regret_truth_noise(place->seed, place->number, 1);
	}
	times.cpu_ns *= regret_fault_factor(race->fault, 0, place);
	times.gpu_ns *= regret_fault_factor(race->fault, 1, place);
	race->place.number++;
	return times;
}

static void race_run_autos(struct race *race, const struct call_trace_step *step,
                           const bool decides[REGRET_BELIEFS], double together,
                           const struct replay_times *times)
{
	const struct race_kin *kin = &race->kin[step->shape];
	for (int belief = 0; belief < REGRET_BELIEFS; belief++) {
		struct regret_auto *one = &race->runs[belief];
		struct replay_times own = *times;
		own.gpu_ns += race_find_first(race->fault, kin, one->used);
		if (decides[belief])
			auto_run(one, &race->calls[step->shape].call, step->shape, step->gap_ns,
			         &own, kin);
		else
			replay_pass(&one->replay, step->gap_ns * together, times->cpu_ns);
	}
}

static void race_step(struct race *race, const struct call_trace_step *step)
{
	const struct call *call = &race->calls[step->shape].call;
	struct tally *tally = &race->tally[step->shape];
	bool decides[REGRET_BELIEFS];
	const bool tiny = call->work_flops < race_tiny_flops;
	const bool decided = race_find_deciders(race, call, decides);
	const int64_t turns = tiny && !decided ? 1 : step->count;
	const double together = (double)(step->count / turns);
	for (int64_t i = 0; i < turns; i++) {
		race->place.late = race->done > race->count / 2;
		race->done += together;
		const struct replay_times times =
			race_take_times(race, step->shape, tiny, together);
		tally->cpu_ns += times.cpu_ns;
		tally->gpu_ns += times.gpu_ns;
		tally->least_ns += race_smaller(times.cpu_ns, times.gpu_ns);
		race_foresee(race, step->shape, step->gap_ns * together, times.cpu_ns,
		             times.gpu_ns);
		race_run_autos(race, step, decides, together, &times);
	}
}

/*
 * A rule pays for CUDA's start where it sends any call to the GPU, for the plan of each transform
 * that it sends, and for the first use of code. used: as that of a process, zeroed.
 */
static double race_sum_rule(const struct race *race, enum regret_rule rule, bool *used)
{
	double sum_ns = 0, start_ns = 0;
	for (int shape = 0; shape < race->trace->shape_count; shape++) {
		const struct call *call = &race->calls[shape].call;
		const struct tally *tally = &race->tally[shape];
		if (!regret_rule_sends(rule, call)) {
			sum_ns += tally->cpu_ns;
			continue;
		}
		sum_ns += tally->gpu_ns + race_find_setup(race, shape) +
		          race_find_first(race->fault, &race->kin[shape], used);
		race_use(&race->kin[shape], used);
		start_ns = race->truth.start_ns;
	}
	return sum_ns + start_ns;
}

/*
 * The time with each call on the faster side, and with CUDA's start and plans where they pay off;
 * or with waiting for CUDA's start where that is shorter.
 */
static double race_sum_oracle(const struct race *race, double all_cpu_ns)
{
	double sum_ns = race->truth.start_ns;
	for (int shape = 0; shape < race->trace->shape_count; shape++) {
		const struct tally *tally = &race->tally[shape];
		sum_ns +=
			race_smaller(tally->cpu_ns, tally->least_ns + race_find_setup(race, shape));
	}
	return race_smaller(race_smaller(sum_ns, race->oracle.busy_ns), all_cpu_ns);
}

/* The sum over routines and buckets of the largest difference between the sides. */
static double race_sum_wrong(const struct race *race)
{
	const struct regret_truth *truth = &race->truth;
	double sum_ns = 0;
	for (int shape = 0; shape < race->trace->shape_count; shape++) {
		double most_ns = 0;
		bool first = true;
		for (int other = 0; other < race->trace->shape_count; other++) {
			if (!race_is_alike(&race->calls[shape], &race->calls[other]))
				continue;
			first = first && other >= shape;
			const double difference_ns = truth->cpu_ns[other] - truth->gpu_ns[other];
			const double size_ns = difference_ns < 0 ? -difference_ns : difference_ns;
			most_ns = size_ns > most_ns ? size_ns : most_ns;
		}
		sum_ns += first ? most_ns : 0;
	}
	return sum_ns;
}

/* false where there is no memory. */
static bool race_tell(const struct race *race, struct regret_outcome *outcome)
{
	const size_t count = 2 * (size_t)race->trace->shape_count;
	bool *used = calloc(count, sizeof *used);
	if (used == NULL)
		return false;
	outcome->start_ns = race->truth.start_ns;
	outcome->wrong_ns = race_sum_wrong(race);
	for (int rule = 0; rule < REGRET_RULES; rule++) {
		memset(used, 0, count * sizeof *used);
		outcome->rule_ns[rule] = race_sum_rule(race, (enum regret_rule)rule, used);
	}
	free(used);
	outcome->oracle_ns = race_sum_oracle(race, outcome->rule_ns[REGRET_CPU]);
	for (int belief = 0; belief < REGRET_BELIEFS; belief++) {
		outcome->auto_ns[belief] = race->runs[belief].replay.busy_ns;
		outcome->looks[belief] = race->runs[belief].learn.totals.looks;
		outcome->offloads[belief] = race->runs[belief].replay.offloads;
	}
	return true;
}

bool regret_replay(const struct call_trace *trace, const struct regret_trial *trial,
                   struct regret_outcome *outcome)
{
	struct race race;
	struct call_trace_walk walk = {0};
	bool fine = race_begin(&race, trace, trial);
	if (fine) {
		for (const struct call_trace_step *step;
		     (step = call_trace_next(trace, &walk)) != NULL;)
			race_step(&race, step);
		fine = race_tell(&race, outcome);
	}
	race_end(&race);
	return fine;
}
