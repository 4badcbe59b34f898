/* calibrate_solver.c - rates of LAPACK on the GPU, and the start of cuSOLVER */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "cli/calibrate/calibrate.h"
#include "measure/device.h"
#include "measure/measure_engine.h"
#include "measure/measure_solver.h"

enum { SOLVER_TIMES = 5, SOLVER_TIMES_LEAST = 2, SOLVER_LEAST = 64, SOLVER_MOST = 8192 };

/* The engine's buffer: a matrix of the largest order, its copy, and a workspace of that size. */
static const uint64_t solver_engine_bytes = UINT64_C(2) << 30, solver_quick_bytes = UINT64_C(1)
                                                                                    << 20;

/* What is measured, and its share of the time. Measured times of others follow from these. */
static const struct {
	enum family family;
	double share;
	const char *name;
} solver_rows[] = {
	{FAMILY_GETRF, 0.12, "dgetrf"}, {FAMILY_POTRF, 0.12, "dpotrf"},
	{FAMILY_GEQRF, 0.12, "dgeqrf"}, {FAMILY_SYEVD, 0.2, "dsyevd"},
	{FAMILY_GESDD, 0.22, "dgesdd"}, {FAMILY_GEEV, 0.22, "dgeev"},
};
enum { SOLVER_ROWS = sizeof solver_rows / sizeof solver_rows[0] };

struct solver_call {
	struct measure_solver *measure;
	double most_s;
};

/* Seconds of a call; the first one, which loads kernels, does not count. */
static struct spread calibrate_solver_time(const void *what)
{
	const struct solver_call *call = what;
	const double begin = device_seconds();
	double seconds[SOLVER_TIMES];
	size_t count = 0;
	for (int i = -1; i < SOLVER_TIMES; i++) {
		if (count >= SOLVER_TIMES_LEAST && device_seconds() - begin > call->most_s)
			break;
		const double taken = measure_solver_call(call->measure);
		if (!(taken > 0))
			return (struct spread){.varies = -1};
		if (i >= 0)
			seconds[count++] = taken;
	}
	return spread_of(seconds, count);
}

static bool calibrate_solver_say(const struct calibrate *calibrate, enum reason reason)
{
	snprintf(
		calibrate->board->sentences[3], MEASURE_SENTENCE_BYTES,
		"cuSOLVER is not measured: %.300s; times of LAPACK on the GPU follow from those of "
		"gemm",
		reason_sentence(reason));
	return false;
}

/* Some releases have not all functions, and no memory holds all orders: that is no failure. */
static void calibrate_solver_judge(const struct calibrate *calibrate, const char *name,
                                   enum reason reason)
{
	if (reason != REASON_NONE && reason != REASON_FUNCTION_MISSING &&
	    reason != REASON_DEVICE_MEMORY)
		snprintf(calibrate->board->sentences[3], MEASURE_SENTENCE_BYTES,
		         "%s failed on the GPU: %.300s; sizes that it did not compute are not in "
		         "the profile",
		         name, reason_sentence(reason));
}

/*
 * From small to large orders, as far as memory and time allow: twice the order takes up to eight
 * times as long.
 */
static void calibrate_solver_curve(const struct calibrate *calibrate,
                                   struct measure_solver *measure, enum family family,
                                   const char *name, double budget_s, struct machine *machine)
{
	struct machine_curve curve = {.side = MACHINE_GPU, .family = family, .element = ELEMENT_D};
	const double end = device_seconds() + budget_s;
	const int64_t most = calibrate->quick ? SOLVER_LEAST : SOLVER_MOST;
	double taken_s = 0;
	enum reason reason = REASON_NONE;
	for (int64_t order = calibrate->quick ? SOLVER_LEAST / 2 : SOLVER_LEAST; order <= most;
	     order *= 2) {
		const double begin = device_seconds();
		if (8 * taken_s > end - begin)
			break;
		reason = measure_solver_take(measure, family, order);
		if (reason != REASON_NONE)
			break;
		const struct solver_call call = {measure, (end - begin) / 4};
		const struct spread seconds =
			calibrate_repeat(calibrate, calibrate_solver_time, &call);
		if (!(seconds.median > 0)) {
			reason = measure_solver_find_reason(measure);
			break;
		}
		calibrate_add_point(calibrate, &curve, (double)order,
		                    calibrate_count_flops(family, ELEMENT_D, (double)order) /
		                            seconds.median,
		                    seconds.varies);
		taken_s = (SOLVER_TIMES_LEAST + 1) * seconds.median;
	}
	calibrate_add_curve(machine, &curve);
	calibrate_solver_judge(calibrate, name, reason);
}

/* In a process of its own, which starts CUDA again: cuSOLVER may crash. */
bool calibrate_solver_measure(const struct calibrate *calibrate, const struct calibrate_part *part,
                              struct machine *machine)
{
	static struct measure_engine engine;
	static struct measure_solver measure;
	static struct options options;
	options = calibrate->options;
	options.memory_limit = 0;
	calibrate_tell(calibrate, 0, "start of cuSOLVER");
	enum reason reason = measure_engine_start(
		&engine, &options, calibrate->quick ? solver_quick_bytes : solver_engine_bytes);
	if (reason == REASON_NONE)
		reason = measure_solver_open(&measure, &engine.probe);
	if (reason != REASON_NONE)
		return calibrate_solver_say(calibrate, reason);
	machine->solver_start_ns = measure.start_ns;
	double done = 0;
	for (int i = 0; i < SOLVER_ROWS; i++) {
		calibrate_tell(calibrate, done, solver_rows[i].name);
		calibrate_solver_curve(calibrate, &measure, solver_rows[i].family,
		                       solver_rows[i].name, part->budget_s * solver_rows[i].share,
		                       machine);
		done += solver_rows[i].share;
	}
	return true;
}
