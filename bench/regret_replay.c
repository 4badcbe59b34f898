/* regret_replay.c - one trace on one machine, by every policy at once: the same calls with the same noise */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/regret_replay.h"

#include <stdlib.h>
#include <string.h>

#include "bench/regret_auto.h"

/* Noise evens out over so many calls of less work than this, and they are taken together. */
static const double replay_tiny_flops = 1e5;

/* Of one shape: how often it occurs, and what its calls took in all on each side, and on the faster one each. */
struct tally {
	double count, cpu_ns, gpu_ns, least_ns;
};

/* Who knows all times in advance and starts CUDA at once, in the background. */
struct oracle {
	double clock_ns, busy_ns;
};

struct replay {
	const struct trace *trace;
	struct regret_call *calls;
	struct regret_truth truth;
	struct tally *tally;
	struct regret_auto *runs; /* one per belief */
	struct oracle oracle;
	uint64_t seed, number; /* of the next call */
};

static void replay_end(struct replay *replay)
{
	for (int belief = 0; replay->runs != NULL && belief < REGRET_BELIEFS; belief++)
		regret_auto_end(&replay->runs[belief]);
	free(replay->runs);
	free(replay->tally);
	free(replay->calls);
	regret_truth_free(&replay->truth);
}

static void replay_count(struct replay *replay)
{
	struct trace_walk walk = {0};
	for (const struct trace_step *step; (step = trace_next(replay->trace, &walk)) != NULL;)
		replay->tally[step->shape].count += (double)step->count;
}

static bool replay_begin(struct replay *replay, const struct trace *trace, const struct regret_trial *trial)
{
	struct machine machine;
	*replay = (struct replay){.trace = trace, .seed = trial->seed};
	regret_machine_fill(trial->machine, &machine);
	replay->calls = regret_call_make(trace);
	replay->tally = calloc((size_t)trace->shape_count, sizeof *replay->tally);
	replay->runs = calloc(REGRET_BELIEFS, sizeof *replay->runs);
	bool fine = replay->calls != NULL && replay->tally != NULL && replay->runs != NULL &&
	            regret_truth_make(trace, replay->calls, &machine, regret_machine_threads(trial->machine),
	                              trial->seed, &replay->truth);
	for (int belief = 0; fine && belief < REGRET_BELIEFS; belief++)
		fine = regret_auto_begin(&replay->runs[belief], trial->options, trial->machine,
		                         (enum regret_belief)belief, trace->shape_count);
	if (fine)
		replay_count(replay);
	if (fine && trial->loud >= 0)
		replay->runs[trial->loud].loud = true;
	return fine;
}

static double replay_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Which runs decide on a step's calls: their gates may move meanwhile, when CUDA has started. */
static bool replay_find_deciders(const struct replay *replay, const struct call *call, bool decides[REGRET_BELIEFS])
{
	bool any = false;
	for (int belief = 0; belief < REGRET_BELIEFS; belief++) {
		decides[belief] = regret_auto_decides(&replay->runs[belief], call);
		any = any || decides[belief];
	}
	return any;
}

/* What the transforms of a shape pay for once; nothing of a product. */
static double replay_find_setup(const struct replay *replay, int shape)
{
	return family_is_fft(replay->calls[shape].call.family) ? replay->truth.plan_ns : 0;
}

static void replay_foresee(struct replay *replay, int shape, double gap_ns, double cpu_ns, double gpu_ns)
{
	struct oracle *oracle = &replay->oracle;
	const double gain_ns = replay->truth.cpu_ns[shape] - replay->truth.gpu_ns[shape];
	const double setup_ns = replay_find_setup(replay, shape), count = replay->tally[shape].count;
	oracle->clock_ns += gap_ns;
	double least_ns = cpu_ns;
	if (oracle->clock_ns >= replay->truth.start_ns && (setup_ns == 0 || count * gain_ns > setup_ns))
		least_ns = replay_smaller(cpu_ns, gpu_ns + setup_ns / count);
	oracle->clock_ns += least_ns;
	oracle->busy_ns += least_ns;
}

static void replay_step(struct replay *replay, const struct trace_step *step)
{
	const struct call *call = &replay->calls[step->shape].call;
	const struct regret_truth *truth = &replay->truth;
	struct tally *tally = &replay->tally[step->shape];
	bool decides[REGRET_BELIEFS];
	const bool tiny = call->work_flops < replay_tiny_flops;
	const bool decided = replay_find_deciders(replay, call, decides);
	const int64_t turns = tiny && !decided ? 1 : step->count;
	const double together = (double)(step->count / turns);
	for (int64_t i = 0; i < turns; i++) {
		const uint64_t number = replay->number++;
		const double cpu_noise = tiny ? 1 : regret_truth_noise(replay->seed, number, 0);
		const double gpu_noise = tiny ? 1 : regret_truth_noise(replay->seed, number, 1);
		const double cpu_ns = together * truth->cpu_ns[step->shape] * cpu_noise;
		const double gpu_ns = together * truth->gpu_ns[step->shape] * gpu_noise;
		tally->cpu_ns += cpu_ns;
		tally->gpu_ns += gpu_ns;
		tally->least_ns += replay_smaller(cpu_ns, gpu_ns);
		replay_foresee(replay, step->shape, step->gap_ns * together, cpu_ns, gpu_ns);
		for (int belief = 0; belief < REGRET_BELIEFS; belief++)
			if (decides[belief])
				regret_auto_run(&replay->runs[belief], call, step->shape, step->gap_ns, cpu_ns, gpu_ns,
				                truth->plan_ns);
			else
				regret_auto_pass(&replay->runs[belief], step->gap_ns * together, cpu_ns);
	}
}

/* A rule pays for the start where it sends anything, and for the plan of each transform that it sends. */
static double replay_sum_rule(const struct replay *replay, enum regret_rule rule)
{
	double sum_ns = 0, start_ns = 0;
	for (int shape = 0; shape < replay->trace->shape_count; shape++) {
		const struct call *call = &replay->calls[shape].call;
		const struct tally *tally = &replay->tally[shape];
		if (!regret_rule_sends(rule, call)) {
			sum_ns += tally->cpu_ns;
			continue;
		}
		sum_ns += tally->gpu_ns + replay_find_setup(replay, shape);
		start_ns = replay->truth.start_ns;
	}
	return sum_ns + start_ns;
}

/* Each call on the faster side, plans and CUDA where they pay; waiting for CUDA where that is better. */
static double replay_sum_oracle(const struct replay *replay, double all_cpu_ns)
{
	double sum_ns = replay->truth.start_ns;
	for (int shape = 0; shape < replay->trace->shape_count; shape++) {
		const struct tally *tally = &replay->tally[shape];
		sum_ns += replay_smaller(tally->cpu_ns, tally->least_ns + replay_find_setup(replay, shape));
	}
	return replay_smaller(replay_smaller(sum_ns, replay->oracle.busy_ns), all_cpu_ns);
}

static bool replay_is_alike(const struct regret_call *one, const struct regret_call *other)
{
	return one->call.family == other->call.family && one->call.element == other->call.element &&
	       one->bucket == other->bucket;
}

/* Of each routine and bucket, the largest difference between the sides. */
static double replay_sum_wrong(const struct replay *replay)
{
	const struct regret_truth *truth = &replay->truth;
	double sum_ns = 0;
	for (int shape = 0; shape < replay->trace->shape_count; shape++) {
		double most_ns = 0;
		bool first = true;
		for (int other = 0; other < replay->trace->shape_count; other++) {
			if (!replay_is_alike(&replay->calls[shape], &replay->calls[other]))
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

static void replay_tell(const struct replay *replay, struct regret_outcome *outcome)
{
	outcome->start_ns = replay->truth.start_ns;
	outcome->wrong_ns = replay_sum_wrong(replay);
	for (int rule = 0; rule < REGRET_RULES; rule++)
		outcome->rule_ns[rule] = replay_sum_rule(replay, (enum regret_rule)rule);
	outcome->oracle_ns = replay_sum_oracle(replay, outcome->rule_ns[REGRET_CPU]);
	for (int belief = 0; belief < REGRET_BELIEFS; belief++) {
		outcome->auto_ns[belief] = replay->runs[belief].busy_ns;
		outcome->looks[belief] = replay->runs[belief].learn.books.looks;
		outcome->offloads[belief] = replay->runs[belief].offloads;
	}
}

bool regret_replay(const struct trace *trace, const struct regret_trial *trial, struct regret_outcome *outcome)
{
	struct replay replay;
	struct trace_walk walk = {0};
	const bool fine = replay_begin(&replay, trace, trial);
	if (fine) {
		for (const struct trace_step *step; (step = trace_next(trace, &walk)) != NULL;)
			replay_step(&replay, step);
		replay_tell(&replay, outcome);
	}
	replay_end(&replay);
	return fine;
}
