/* route_dry.c - predicts policy auto call by call, on the times that the CPU takes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/route/route_dry.h"

#include <pthread.h>
#include <stddef.h>

#include "policy/decide/predict.h"
#include "policy/decide/predict_gate.h"
#include "policy/decide/rehearse.h"
#include "policy/machine/machine_phrase.h"
#include "shim/execute/gpu/node/device_nodes.h"
#include "shim/record/counters.h"
#include "shim/route/route_machine.h"

/* All but the lock is written under the lock. */
static struct {
	pthread_mutex_t lock;
	bool is_open;
	struct options options;
	const struct machine *machine;
	uint64_t gate;
	char phrase[MACHINE_PHRASE_BYTES];
	struct predict predict;
} dry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A profile is believed as if it was measured: the prediction is for the machine it describes. */
static void route_dry_restart(void)
{
	predict_begin(&dry.predict, &dry.options, dry.machine,
	              route_machine_is_profiled() ? EXPERIENCE_MEASURED : EXPERIENCE_ASSUMED);
	counters_begin_dry(dry.phrase, dry.machine->start_ns, dry.gate);
}

void route_dry_open(const struct options *options, bool program_excluded)
{
	enum experience_source source;
	struct machine_here here = {.absence = device_nodes_find_absence("")};
	if (!options->enabled || program_excluded ||
	    !routine_policy_is_any(&options->policies, options->policy, POLICY_DRY))
		return;
	predict_set_options(options, &dry.options);
	dry.gate = predict_gate_find(options);
	dry.machine = route_machine_find(&source);
	here.is_it = source == EXPERIENCE_MEASURED && options->profile[0] == '\0';
	machine_phrase(route_machine_get_known(), &here, dry.phrase);
	route_dry_restart();
	dry.is_open = true;
}

bool route_dry_is_open(void)
{
	return dry.is_open;
}

/* Whether only the decisions before it keep the call on the CPU. */
static bool route_dry_can_move(enum reason reason)
{
	return reason == REASON_DRY_FASTER || reason == REASON_PREDICTED_SLOWER;
}

static void route_dry_predict(struct visit *visit, int64_t elapsed_ns)
{
	struct decision *decision = &visit->decision;
	const double cpu_ns = predict_round(decision->model_cpu_ns),
		     gpu_ns = predict_round(rehearse_expect(
			     dry.machine, &visit->call, (double)options_find_memory(&dry.options),
			     decision->model_gpu_ns));
	struct call what = visit->call;
	if (family_is_fft(what.family))
		what.fft.rigour = FFT_MEASURED; /* no log tells it */
	const struct predict_call call = {.call = &what,
	                                  .model_ns = {cpu_ns, gpu_ns},
	                                  .time_ns = {(double)elapsed_ns, gpu_ns},
	                                  .begin_ns = predict_round_begin(visit->start_ns),
	                                  .elapsed_ns = elapsed_ns,
	                                  .side = decision->target,
	                                  .stays = elapsed_ns < 0 ||
	                                           !route_dry_can_move(decision->reason)};
	const struct decision predicted = predict_add(&dry.predict, &call);
	if (predicted.reason == REASON_NONE)
		return;
	decision->predicted_cpu_ns = cpu_ns;
	decision->predicted_gpu_ns = gpu_ns;
	decision->reason = predicted.target == TARGET_GPU ? REASON_DRY_FASTER : predicted.reason;
}

const char *route_dry_begin(struct visit *visit, int64_t elapsed_ns, struct shield *shield)
{
	shield_begin(shield);
	pthread_mutex_lock(&dry.lock);
	route_dry_predict(visit, elapsed_ns);
	counters_set_dry(&dry.predict.totals);
	return dry.machine->name;
}

void route_dry_end(const struct shield *shield)
{
	pthread_mutex_unlock(&dry.lock);
	shield_end(shield);
}

void route_dry_before_fork(void)
{
	pthread_mutex_lock(&dry.lock);
}

void route_dry_after_fork_parent(void)
{
	pthread_mutex_unlock(&dry.lock);
}

void route_dry_renew(void)
{
	dry.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

void route_dry_after_fork_child(void)
{
	pthread_mutex_unlock(&dry.lock);
	if (dry.is_open)
		route_dry_restart();
}
