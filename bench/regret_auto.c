/* regret_auto.c - the policy auto as the shim uses it, from a cold start, on a virtual clock */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/regret_auto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void auto_open_gates(struct regret_auto *one)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int element = 0; element < ELEMENT_COUNT; element++)
			one->gate_bytes[family][element] =
				decide_gate_bytes(one->options, &one->experience, &one->situation, (enum family)family,
			                          (enum element)element);
}

bool regret_auto_begin(struct regret_auto *one, const struct options *options, int index, enum regret_belief belief,
                       int shapes)
{
	memset(one, 0, sizeof *one);
	one->index = index;
	one->belief = belief;
	one->plan = calloc((size_t)shapes, sizeof *one->plan);
	if (one->plan == NULL)
		return false;
	one->options = options;
	regret_machine_believe(index, belief, &one->machine);
	one->experience = (struct experience){.machine = &one->machine, .learn = &one->learn};
	one->experience.source = belief == REGRET_RIGHT ? EXPERIENCE_MEASURED : EXPERIENCE_ASSUMED;
	one->situation.setting.cpu_threads = regret_machine_threads(index);
	auto_open_gates(one);
	return true;
}

void regret_auto_end(struct regret_auto *one)
{
	free(one->plan);
	one->plan = NULL;
}

bool regret_auto_decides(const struct regret_auto *one, const struct call *call)
{
	return call->size_bytes >= one->gate_bytes[call->family][call->element];
}

void regret_auto_pass(struct regret_auto *one, double gap_ns, double cpu_ns)
{
	one->clock_ns += gap_ns + cpu_ns;
	one->busy_ns += cpu_ns;
}

/* CUDA has started: its warm-up had a quick look, where no profile was measured here. */
static void auto_notice_start(struct regret_auto *one)
{
	if (one->situation.gpu != GPU_WARMING || one->clock_ns < one->ready_ns)
		return;
	one->situation.gpu = GPU_READY;
	regret_machine_look(one->index, one->belief, &one->machine);
	if (one->experience.source == EXPERIENCE_ASSUMED)
		one->experience.source = EXPERIENCE_LOOKED;
	auto_open_gates(one);
}

static void auto_print(const struct regret_auto *one, const struct call *call, const struct decision *decision,
                       double cpu_ns, double gpu_ns)
{
	static const char *const reasons[] = {
#define REASON(id, name, ...) name,
#include "policy/reason.def"
	};
	const struct blas_call *blas = &call->blas;
	printf("    %9.3f s belief %d family %d element %d bucket %2u ", one->clock_ns / 1e9, one->belief, call->family,
	       call->element, learn_find_bucket(call));
	if (family_is_fft(call->family))
		printf("%lld*%lld", (long long)call->fft.problem->dims[0].n, (long long)call->fft.problem->howmany);
	else
		printf("%lldx%lldx%lld", (long long)blas->m, (long long)blas->n, (long long)blas->k);
	printf(" %s: cpu %.3f ms (%.3f, model %.3f), gpu %.3f ms (%.3f, model %.3f)\n", reasons[decision->reason],
	       cpu_ns / 1e6, decision->predicted_cpu_ns / 1e6, decision->model_cpu_ns / 1e6, gpu_ns / 1e6,
	       decision->predicted_gpu_ns / 1e6, decision->model_gpu_ns / 1e6);
}

/* As shim/weigh.c does it. */
static void auto_note(struct regret_auto *one, const struct call *call, struct regret_plan *plan,
                      const struct decision *decision, double elapsed_ns)
{
	if (decision->saving_ns > 0 && decision->reason == REASON_START_NOT_PAID)
		learn_note_saving(&one->learn, decision->saving_ns);
	else if (decision->saving_ns > 0)
		plan->saved_ns += decision->saving_ns;
	learn_note(&one->learn, call, decision, elapsed_ns);
}

void regret_auto_run(struct regret_auto *one, const struct call *call, int shape, double gap_ns, double cpu_ns,
                     double gpu_ns, double plan_ns)
{
	struct regret_plan *plan = &one->plan[shape];
	struct decision decision;
	const bool pays = family_is_fft(call->family) && !plan->made;
	one->clock_ns += gap_ns;
	auto_notice_start(one);
	one->situation.setup_saved_ns = plan->saved_ns;
	one->situation.setting.setup_ns = pays ? one->machine.fft_plan_ns : 0;
	decide(one->options, &one->experience, &one->situation, call, &decision);
	if (one->loud)
		auto_print(one, call, &decision, cpu_ns, gpu_ns);
	if (decision.wakes_gpu) {
		one->situation.gpu = GPU_WARMING;
		one->ready_ns = one->clock_ns + regret_machine_start_ns(one->index);
	}
	const bool gpu = decision.target == TARGET_GPU;
	const double elapsed_ns = gpu ? gpu_ns + (pays ? plan_ns : 0) : cpu_ns;
	regret_auto_pass(one, 0, elapsed_ns);
	one->offloads += gpu;
	if (gpu && pays)
		plan->made = true;
	else
		auto_note(one, call, plan, &decision, elapsed_ns);
}
