/* regret_auto.c - the policy auto as the shim uses it, from a cold start, on a virtual clock */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/regret/regret_auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool regret_auto_begin(struct regret_auto *one, const struct options *options, int index,
                       enum regret_belief belief, int shapes)
{
	memset(one, 0, sizeof *one);
	one->index = index;
	one->belief = belief;
	one->plan = calloc((size_t)shapes, sizeof *one->plan);
	if (one->plan == NULL)
		return false;
	regret_machine_believe(index, belief, &one->machine);
	one->replay =
		(struct replay){.options = options,
	                        .experience = {.machine = &one->machine, .learn = &one->learn},
	                        .start_ns = regret_machine_start_ns(index)};
	one->replay.experience.source =
		belief == REGRET_RIGHT ? EXPERIENCE_MEASURED : EXPERIENCE_ASSUMED;
	one->replay.situation.setting.cpu_threads = regret_machine_threads(index);
	replay_open_gates(&one->replay);
	return true;
}

void regret_auto_end(struct regret_auto *one)
{
	free(one->plan);
	one->plan = NULL;
}

/* CUDA has started: its warm-up had a quick look, where no profile was measured here. */
static void auto_look(struct regret_auto *one)
{
	regret_machine_look(one->index, one->belief, &one->machine);
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

void regret_auto_run(struct regret_auto *one, const struct call *call, int shape, double gap_ns,
                     const struct replay_times *times)
{
	struct decision decision;
	if (replay_advance(&one->replay, gap_ns))
		auto_look(one);
	const double begin_ns = one->replay.clock_ns;
	replay_run(&one->replay, call, &one->plan[shape], times, &decision);
	if (one->loud)
		auto_print(one, call, &decision, begin_ns, times);
}
