/* regret_replay.c - one trace on one machine, by every policy at once: the same calls with the same noise */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_replay.h"

#include <stdlib.h>
#include <string.h>

#include "tests/regret/regret_auto.h"

/* Noise evens out over so many calls of less work than this, and they are taken together. */
static const double race_tiny_flops = 1e5;

/*
 * Of one shape: how often it occurs, and what its calls took in all on each side, and on the faster
 * one each.
 */
struct tally {
	double count, cpu_ns, gpu_ns, least_ns;
};

/* Who knows all times in advance and starts CUDA at once, in the background. */
struct oracle {
	double clock_ns, busy_ns;
};

struct race {
	const struct trace *trace;
	struct regret_call *calls;
	struct regret_truth truth;
	struct tally *tally;
	struct regret_auto *runs; /* one per belief */
	struct oracle oracle;
	uint64_t seed, number; /* of the next call */
};

static void race_end(struct race *race)
{
	for (int belief = 0; race->runs != NULL && belief < REGRET_BELIEFS; belief++)
		regret_auto_end(&race->runs[belief]);
	free(race->runs);
	free(race->tally);
	free(race->calls);
	regret_truth_free(&race->truth);
}

static void race_count(struct race *race)
{
	struct trace_walk walk = {0};
	for (const struct trace_step *step; (step = trace_next(race->trace, &walk)) != NULL;)
		race->tally[step->shape].count += (double)step->count;
}

static bool race_begin(struct race *race, const struct trace *trace,
                       const struct regret_trial *trial)
{
	struct machine machine;
	*race = (struct race){.trace = trace, .seed = trial->seed};
	regret_machine_fill(trial->machine, &machine);
	race->calls = regret_call_make(trace);
	race->tally = calloc((size_t)trace->shape_count, sizeof *race->tally);
	race->runs = calloc(REGRET_BELIEFS, sizeof *race->runs);
	bool fine = race->calls != NULL && race->tally != NULL && race->runs != NULL &&
	            regret_truth_make(trace, race->calls, &machine,
	                              regret_machine_threads(trial->machine), trial->seed,
	                              &race->truth);
	for (int belief = 0; fine && belief < REGRET_BELIEFS; belief++)
		fine = regret_auto_begin(&race->runs[belief], trial->options, trial->machine,
		                         (enum regret_belief)belief, trace->shape_count);
	if (fine)
		race_count(race);
	if (fine && trial->loud >= 0)
		race->runs[trial->loud].loud = true;
	return fine;
}

static double race_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Which runs decide on a step's calls: their gates may move meanwhile, when CUDA has started. */
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

/* What the transforms of a shape pay for once; nothing of a product. */
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

static void race_step(struct race *race, const struct trace_step *step)
{
	const struct call *call = &race->calls[step->shape].call;
	const struct regret_truth *truth = &race->truth;
	struct tally *tally = &race->tally[step->shape];
	bool decides[REGRET_BELIEFS];
	const bool tiny = call->work_flops < race_tiny_flops;
	const bool decided = race_find_deciders(race, call, decides);
	const int64_t turns = tiny && !decided ? 1 : step->count;
	const double together = (double)(step->count / turns);
	for (int64_t i = 0; i < turns; i++) {
		const uint64_t number = race->number++;
		const double cpu_noise = tiny ? 1 : regret_truth_noise(race->seed, number, 0);
		const double gpu_noise = tiny ? 1 : regret_truth_noise(race->seed, number, 1);
		const double cpu_ns = together * truth->cpu_ns[step->shape] * cpu_noise;
		const double gpu_ns = together * truth->gpu_ns[step->shape] * gpu_noise;
		tally->cpu_ns += cpu_ns;
		tally->gpu_ns += gpu_ns;
		tally->least_ns += race_smaller(cpu_ns, gpu_ns);
		race_foresee(race, step->shape, step->gap_ns * together, cpu_ns, gpu_ns);
		for (int belief = 0; belief < REGRET_BELIEFS; belief++)
			if (decides[belief])
				regret_auto_run(
					&race->runs[belief], call, step->shape, step->gap_ns,
					&(struct replay_times){cpu_ns, gpu_ns, truth->plan_ns});
			else
				replay_pass(&race->runs[belief].replay, step->gap_ns * together,
				            cpu_ns);
	}
}

/*
 * A rule pays for the start where it sends anything, and for the plan of each transform that it
 * sends.
 */
static double race_sum_rule(const struct race *race, enum regret_rule rule)
{
	double sum_ns = 0, start_ns = 0;
	for (int shape = 0; shape < race->trace->shape_count; shape++) {
		const struct call *call = &race->calls[shape].call;
		const struct tally *tally = &race->tally[shape];
		if (!regret_rule_sends(rule, call)) {
			sum_ns += tally->cpu_ns;
			continue;
		}
		sum_ns += tally->gpu_ns + race_find_setup(race, shape);
		start_ns = race->truth.start_ns;
	}
	return sum_ns + start_ns;
}

/*
 * Each call on the faster side, plans and CUDA where they pay; waiting for CUDA where that is
 * better.
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

static bool race_is_alike(const struct regret_call *one, const struct regret_call *other)
{
	return one->call.family == other->call.family && one->call.element == other->call.element &&
	       one->bucket == other->bucket;
}

/* Of each routine and bucket, the largest difference between the sides. */
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

static void race_tell(const struct race *race, struct regret_outcome *outcome)
{
	outcome->start_ns = race->truth.start_ns;
	outcome->wrong_ns = race_sum_wrong(race);
	for (int rule = 0; rule < REGRET_RULES; rule++)
		outcome->rule_ns[rule] = race_sum_rule(race, (enum regret_rule)rule);
	outcome->oracle_ns = race_sum_oracle(race, outcome->rule_ns[REGRET_CPU]);
	for (int belief = 0; belief < REGRET_BELIEFS; belief++) {
		outcome->auto_ns[belief] = race->runs[belief].replay.busy_ns;
		outcome->looks[belief] = race->runs[belief].learn.totals.looks;
		outcome->offloads[belief] = race->runs[belief].replay.offloads;
	}
}

bool regret_replay(const struct trace *trace, const struct regret_trial *trial,
                   struct regret_outcome *outcome)
{
	struct race race;
	struct trace_walk walk = {0};
	const bool fine = race_begin(&race, trace, trial);
	if (fine) {
		for (const struct trace_step *step; (step = trace_next(trace, &walk)) != NULL;)
			race_step(&race, step);
		race_tell(&race, outcome);
	}
	race_end(&race);
	return fine;
}
