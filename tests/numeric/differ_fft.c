/* differ_fft.c - random FFTW plans and executions through the shim, against the definition */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "draw.h"
#include "fft_call.h"
#include "fft_draw.h"
#include "fft_judge.h"
#include "rerun.h"

/*
 * usage: differ_fft [--seed S] [--first I] [--count N] [--all] [--lazy] [--malloc] [--twice]
 *                   [--verbose]
 *
 * --all: do not stop at the 10th failure; --lazy: the shim may plan without measuring; --malloc:
 * the arrays lie in memory of fftw_malloc. For each execution a line tells what the log has to say:
 * `call TRIAL SYMBOL REASON SIZES`.
 */
enum { ERRNO_BEFORE = 77, PLANS_HELD = 1024, PLANS_APART = 1000003 };

static struct {
	bool lazy, malloc;
} options;

static struct {
	uint64_t plans, none, executions, on_gpu;
	double worst[FFT_PRECISIONS][FFT_KINDS];
} sums;

/* Plans that are destroyed later than they might be, so that many are alive. */
static struct held {
	struct fft_trial trial;
	uint64_t number;
	void *plan;
} held[PLANS_HELD];

static struct fft_arena arena;

/* What is asked for with FFTW_WISDOM_ONLY depends on nothing that was planned before this trial. */
static void prepare_wisdom(const struct fft_trial *t, enum fft_library library, char *base)
{
	struct fft_trial measured = *t;
	if (!(t->flags & FFTW_WISDOM_ONLY))
		return;
	fft_call_forget_wisdom(t, library);
	measured.flags &= ~(unsigned)(FFTW_WISDOM_ONLY | FFTW_ESTIMATE);
	void *plan = t->is_prepared ? fft_call_plan(&measured, library, base) : NULL;
	if (plan != NULL)
		fft_call_destroy(t, library, plan);
}

static const char *make_plan(const struct fft_trial *t, void **plan)
{
	const enum fft_library library = t->unseen ? FFT_LIBRARY_ITSELF : FFT_LIBRARY_PROGRAM;
	prepare_wisdom(t, library, arena.used);
	prepare_wisdom(t, FFT_LIBRARY_COPY, arena.scratch);
	fft_arena_clear(&arena, t);
	errno = ERRNO_BEFORE;
	*plan = fft_call_plan(t, library, arena.used);
	const bool kept_errno = errno == ERRNO_BEFORE;
	void *copy = fft_call_plan(t, FFT_LIBRARY_COPY, arena.scratch);
	const bool same = (copy == NULL) == (*plan == NULL) || (options.lazy && t->is_prepared);
	if (copy != NULL)
		fft_call_destroy(t, FFT_LIBRARY_COPY, copy);
	if (!same)
		return *plan == NULL ? "no plan where the library has one"
		                     : "a plan where the library has none";
	if (fft_trial_plans_blindly(t) && !fft_arena_is_same(&arena, t))
		return "planning wrote to the arrays";
	return kept_errno || !fft_trial_plans_blindly(t) ? NULL : "planning changed errno";
}

static void tell_call(const struct fft_trial *t, uint64_t number, const char *symbol)
{
	const char *reason = fft_trial_reason(t);
	printf("call %llu %s %s ", (unsigned long long)number, symbol, reason);
	for (int a = 0; a < t->rank; a++)
		printf("%lldx", (long long)t->axis[a].n);
	printf("%lld\n", (long long)fft_trial_howmany(t));
	sums.executions++;
	sums.on_gpu += reason[0] == 'p';
}

static const char *execute(const struct fft_trial *t, const struct fft_execution *execution,
                           void *plan, uint64_t number)
{
	char symbol[FFT_NAME_BYTES];
	fft_arena_fill(&arena, t, execution->arrays);
	if (rerun.twice) {
		fft_call_execute(t, execution, plan, arena.used, symbol);
		tell_call(t, number, symbol);
		fft_arena_restore(&arena, t);
	}
	errno = ERRNO_BEFORE;
	fft_call_execute(t, execution, plan, arena.used, symbol);
	const bool kept_errno = errno == ERRNO_BEFORE;
	tell_call(t, number, symbol);
	const char *verdict =
		fft_judge_result(&arena, t, execution->arrays, &sums.worst[t->precision][t->kind]);
	return verdict != NULL || kept_errno ? verdict : "errno changed";
}

static void tell_replay(const struct fft_trial *t, uint64_t number, int executed,
                        const char *verdict)
{
	printf("FAIL %s", verdict);
	if (executed > 0)
		printf(", execution %d", executed);
	printf("\n  replay: --seed %llu --first %llu --count 1\n", (unsigned long long)rerun.seed,
	       (unsigned long long)number);
	fft_trial_tell(t);
}

static void destroy(const struct fft_trial *t, void *plan)
{
	const bool around = t->unseen && t->destroyed_by == FFT_C;
	fft_call_destroy(t, around ? FFT_LIBRARY_ITSELF : FFT_LIBRARY_PROGRAM, plan);
}

/* One more execution, now that others were made and destroyed since. */
static bool retire(struct held *place)
{
	const struct fft_trial *t = &place->trial;
	const char *verdict = NULL;
	if (place->plan == NULL)
		return true;
	if (t->fault == FFT_FAULT_NONE && place->number % 2 == 0)
		verdict = execute(t, &t->execution[0], place->plan, place->number);
	if (verdict != NULL)
		tell_replay(t, place->number, t->executions + 1, verdict);
	destroy(t, place->plan);
	place->plan = NULL;
	return verdict == NULL;
}

static bool hold(const struct fft_trial *t, uint64_t number, void *plan)
{
	struct held *place = &held[draw_below(PLANS_HELD)];
	if (plan == NULL || draw_below(2)) {
		destroy(t, plan);
		return true;
	}
	const bool right = retire(place);
	*place = (struct held){*t, number, plan};
	return right;
}

static bool run_plan(const struct fft_trial *t, uint64_t number)
{
	void *plan = NULL;
	int executed = 0;
	const char *verdict = make_plan(t, &plan);
	/* What FFTW should have refused is not executed. */
	while (plan != NULL && t->fault == FFT_FAULT_NONE && verdict == NULL &&
	       executed < t->executions) {
		verdict = execute(t, &t->execution[executed], plan, number);
		executed++;
	}
	if (verdict == NULL && t->fault != FFT_FAULT_NONE && plan != NULL)
		verdict = "a plan for illegal arguments";
	sums.plans++;
	sums.none += plan == NULL;
	if (verdict != NULL)
		tell_replay(t, number, executed, verdict);
	return hold(t, number, plan) && verdict == NULL;
}

/*
 * At times the same once more, for arrays that lie otherwise. What is drawn for retiring a plan
 * depends on earlier trials: nothing that has to come again with its number is drawn after it.
 */
static bool run(const bool loaded[FFT_PRECISIONS], uint64_t number)
{
	struct fft_trial t;
	bool right = true;
	rerun_note(number);
	draw_begin(rerun.seed, number);
	fft_draw(&t, loaded);
	const int plans = draw_one_in(4) ? 2 : 1;
	for (int i = 0; i < plans && right; i++) {
		if (i > 0) {
			draw_begin(rerun.seed + PLANS_APART, number);
			fft_draw_strides(&t);
		}
		fft_arena_place(&t);
		if (rerun.verbose)
			fft_trial_tell(&t);
		right = run_plan(&t, number);
	}
	return right;
}

static void read_options(int argc, char **argv)
{
	static const struct option known[] = {
		RERUN_OPTIONS,
		{"lazy", no_argument, NULL, 'l'},
		{"malloc", no_argument, NULL, 'm'},
		{NULL, 0, NULL, 0},
	};
	for (int key = getopt_long(argc, argv, "", known, NULL); key != -1;
	     key = getopt_long(argc, argv, "", known, NULL))
		if (!rerun_take(key))
			switch (key) {
			case 'l': options.lazy = true; break;
			case 'm': options.malloc = true; break;
			default: exit(2);
			}
}

static void tell_sums(const bool loaded[FFT_PRECISIONS])
{
	printf("%-8s worst error / bound: %8s %8s %8s %8s\n", "prefix", "c2c", "r2c", "c2r", "r2r");
	for (int p = 0; p < FFT_PRECISIONS; p++) {
		const double *worst = sums.worst[p];
		if (loaded[p])
			printf("%-8s %20s %8.3f %8.3f %8.3f %8.3f\n", fft_precisions[p].prefix, "",
			       worst[FFT_C2C], worst[FFT_R2C], worst[FFT_C2R], worst[FFT_R2R]);
		else
			printf("%-8s left out: there is no %s\n", fft_precisions[p].prefix,
			       fft_precisions[p].soname);
	}
	printf("%llu plans, %llu of them NULL; %llu executions, %llu of them eligible\n",
	       (unsigned long long)sums.plans, (unsigned long long)sums.none,
	       (unsigned long long)sums.executions, (unsigned long long)sums.on_gpu);
}

int main(int argc, char **argv)
{
	bool loaded[FFT_PRECISIONS];
	uint64_t failures = 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	rerun = (struct rerun){.seed = 20262, .count = 3000};
	read_options(argc, argv);
	fft_library_open(loaded);
	rerun_watch();
	void *code = fft_library_find(FFT_LIBRARY_PROGRAM, FFT_DOUBLE, FFT_C, "malloc");
	arena = fft_arena_open(options.malloc ? FFT_CODE(code, void *, size_t) : NULL);
	printf("seed %llu\n", (unsigned long long)rerun.seed);
	for (uint64_t i = 0; rerun_goes_on(i, failures); i++)
		failures += !run(loaded, rerun.first + i);
	for (int i = 0; i < PLANS_HELD; i++)
		failures += !retire(&held[i]);
	tell_sums(loaded);
	printf("%llu failures\n", (unsigned long long)failures);
	return failures != 0;
}
