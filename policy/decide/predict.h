/* predict.h - what policy auto would do with calls whose times are known; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_PREDICT_H
#define GPUSHIM_POLICY_DECIDE_PREDICT_H

#include "policy/decide/replay.h"

/* Shapes of transforms whose cuFFT plans are told apart; further ones share places. */
enum { PREDICT_PLANS = 1024 };

/*
 * A recorded call. Arrays are by enum target, times in nanoseconds. model_ns: what the machine is
 * expected to take, -1 where nothing is; time_ns: what the call takes there. begin_ns, elapsed_ns:
 * as recorded, the former by CLOCK_REALTIME; -1 where unknown. stays: no setting moves it.
 */
struct predict_call {
	const struct call *call;
	double model_ns[LEARN_SIDES], time_ns[LEARN_SIDES];
	int64_t begin_ns, elapsed_ns;
	enum target side;
	bool stays;
};

/*
 * Sums over the calls past the gate. cpu_ns: all of them on the CPU, but for those that stay on the
 * GPU; auto_ns: under the replayed options, with the cuFFT plans and with the waits for CUDA.
 * waited_ns: the part of auto_ns that is CUDA's start; starts: of CUDA, which the background pays
 * where the calls do not wait. plans: of cuFFT, in auto_ns, as are solvers, starts of cuSOLVER.
 */
struct predict_totals {
	uint64_t calls, gpu_calls, starts, plans, solvers;
	double cpu_ns, auto_ns, waited_ns;
};

struct predict_plan {
	uint64_t key; /* 0: free */
	struct replay_plan plan;
};

/*
 * One process from its cold start. busy_ns and gpu_calls: of all its calls, also of those below the
 * gate. Zeroed by predict_begin.
 */
struct predict {
	struct predict_totals totals;
	double busy_ns;
	uint64_t gpu_calls;
	int64_t end_ns; /* of the last recorded call; -1: none */
	struct replay replay;
	struct learn learn;
	struct predict_plan plans[PREDICT_PLANS];
};

/* The options of a prediction: those given, with policy auto in the place of all for all calls. */
void predict_set_options(const struct options *given, struct options *options);

/*
 * Begins a process. options and machine, which is complete, must stay valid. CUDA's start takes
 * what the machine says; a machine that was not measured is looked at when CUDA has started.
 */
void predict_begin(struct predict *predict, const struct options *options,
                   const struct machine *machine, enum experience_source source);

/*
 * Adds the next call in the order of the log, and returns its decision; its reason is
 * REASON_BELOW_THRESHOLD for a call below the gate, REASON_NONE for one that stays.
 */
struct decision predict_add(struct predict *predict, const struct predict_call *call);

void predict_add_totals(struct predict_totals *to, const struct predict_totals *from);

/* Expected times as a log has them: whole nanoseconds, -1 where nothing is expected. */
double predict_round(double time_ns);

/* The time of day of a call as a log has it: whole microseconds. */
int64_t predict_round_begin(int64_t begin_ns);

#endif
