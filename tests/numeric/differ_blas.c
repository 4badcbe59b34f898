/* differ_blas.c - random BLAS calls under every name: through the shim, and by the library */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "blas_library.h"
#include "draw.h"
#include "judge.h"
#include "rerun.h"

/*
 * usage: differ_blas [OPTION]... NAME:MODULE:LIBRARY:32|64...
 *
 * Each argument is a BLAS library with integers of so many bits: MODULE is linked with it. Two
 * libraries are loaded as Python does, neither of them for the whole program. Options: --seed S
 * --first I --count N --routine dtrsm --symbol dtrsm_ --all (do not stop at the 10th failure)
 * --verbose. The last lines tell for each name how many calls a GPU has to have taken: `call SYMBOL
 * N`.
 */
enum { LIBRARIES_MAX = 2, ERRNO_BEFORE = 77 };

static struct {
	const char *routine, *symbol;
} options;

/* A name that can be called, and what became of its calls. */
struct target {
	const struct blas_library *library;
	const struct blas_row *row;
	void *code;
	uint64_t calls, eligible, failures;
	double worst;
};

static struct blas_library libraries[LIBRARIES_MAX];
static int library_count;
static struct target *targets;
static size_t target_count;

static void tell_replay(const struct trial *t, uint64_t number, const char *verdict)
{
	printf("FAIL %s: %s\n  replay: --seed %llu --first %llu --count 1\n", t->row->name, verdict,
	       (unsigned long long)rerun.seed, (unsigned long long)number);
	trial_tell(t);
}

static bool has_quirk(const struct target *target, enum blas_quirk quirk)
{
	return blas_library_has(target->library, target->row->family, quirk);
}

/* The library may have to be spared, and one that lacks the routine has no opinion on overlaps. */
static void adapt(struct trial *t, const struct target *target, bool emulated)
{
	const struct trial_group *g = &t->group[0];
	if ((emulated && t->sharing == SHARING_OVERLAP) ||
	    (t->sharing == SHARING_INPUTS && has_quirk(target, QUIRK_MISTAKES_SAME)))
		t->sharing = SHARING_NONE;
	if (t->sharing >= SHARING_INTERLEAVED ||
	    (has_quirk(target, QUIRK_READS_FOR_NOTHING) && g->m > 0 && g->n > 0 && g->k > 0))
		t->no_access = false;
	if (t->position == POSITION_PAGE_END && has_quirk(target, QUIRK_READS_BEYOND) &&
	    (!target->library->loaded || !trial_is_eligible(t)))
		t->position = POSITION_ALIGNED;
	t->clean_inputs = emulated && has_quirk(target, QUIRK_READS_FOR_NOTHING);
	t->clean_diagonal = has_quirk(target, QUIRK_KEEPS_DIAGONAL);
}

static const char *compare(const struct arena *arena, const struct trial *t, struct target *target,
                           bool emulated)
{
	const bool eligible = trial_is_eligible(t);
	const struct judge_skips skips = {
		has_quirk(target, QUIRK_SKIPS_ZEROS),
		rerun.shared && blas_library_has(target->library, FAMILY_GEMM, QUIRK_SKIPS_ZEROS)};
	if (!eligible && !emulated)
		return arena_is_same(arena, t) ? NULL : "other bytes than the library's";
	const char *verdict = judge_results(arena, t, skips, &target->worst);
	if (verdict != NULL)
		return verdict;
	if (!arena_is_clean(arena, t, arena->shim))
		return "wrote where nothing is to be written";
	return arena_is_clean(arena, t, arena->library)
	               ? NULL
	               : "the library wrote where nothing is to be written";
}

static void call_protected(const struct arena *arena, const struct trial *t,
                           const struct target *target)
{
	arena_protect(arena, t, true);
	errno = ERRNO_BEFORE;
	target->library->call(t, arena->shim, target->code);
	const int errno_after = errno;
	arena_protect(arena, t, false);
	errno = errno_after;
}

/*
 * Operands as they will be, but for some spans: of an operand that stays on the device some pages
 * have changed at the call that counts, and some have not.
 */
static void call_before(const struct arena *arena, const struct trial *t,
                        const struct target *target)
{
	arena_spoil(arena, t);
	call_protected(arena, t, target);
	arena_restore(arena, t);
}

static bool run(const struct arena *arena, uint64_t number)
{
	struct trial t;
	draw_begin(rerun.seed, number);
	struct target *target = &targets[draw_below((unsigned)target_count)];
	void *itself = blas_library_find_itself(target->library, target->row);
	trial_draw(&t, target->row, target->row->wide || target->library->wide,
	           has_quirk(target, QUIRK_TRANSPOSES_ALIKE));
	adapt(&t, target, itself == NULL);
	arena_place(&t);
	arena_fill(arena, &t);
	rerun_note(number);
	if (rerun.twice)
		call_before(arena, &t, target);
	call_protected(arena, &t, target);
	const int errno_after = errno;
	if (itself != NULL)
		trial_call(&t, arena->library, itself);
	else
		trial_emulate(&t, arena->library,
		              blas_library_find_gemm(target->library, target->row->element));
	const char *verdict = errno_after == ERRNO_BEFORE
	                              ? compare(arena, &t, target, itself == NULL)
	                              : "errno changed";
	target->calls++;
	target->eligible += trial_is_eligible(&t) ? 1 + rerun.twice : 0;
	target->failures += verdict != NULL;
	if (verdict != NULL)
		tell_replay(&t, number, verdict);
	else if (rerun.verbose)
		trial_tell(&t);
	return verdict == NULL;
}

static void find_targets(void)
{
	targets = calloc(blas_table_count * LIBRARIES_MAX, sizeof *targets);
	for (int i = 0; i < library_count && targets != NULL; i++)
		for (size_t r = 0; r < blas_table_count; r++) {
			const struct blas_row *row = &blas_table[r];
			const struct blas_library *library = &libraries[i];
			void *code = blas_library_find(library, row);
			if (code == NULL ||
			    (options.symbol != NULL && strcmp(options.symbol, row->name) != 0) ||
			    (options.routine != NULL &&
			     !blas_table_is_routine(row, options.routine)))
				continue;
			targets[target_count++] =
				(struct target){.library = library, .row = row, .code = code};
		}
	if (target_count == 0) {
		fprintf(stderr, "no library has such a routine\n");
		exit(3);
	}
}

/* The worst of all names of each routine. */
static void tell_worst(void)
{
	printf("%-22s %8s %8s  %s\n", "routine", "calls", "gpu", "worst error / bound");
	for (size_t i = 0; i < target_count; i++) {
		struct target sum = targets[i];
		if (sum.row == NULL)
			continue;
		for (size_t j = i + 1; j < target_count; j++) {
			if (targets[j].row == NULL ||
			    blas_table_routine(targets[j].row) != blas_table_routine(sum.row))
				continue;
			sum.calls += targets[j].calls;
			sum.eligible += targets[j].eligible;
			sum.worst = targets[j].worst > sum.worst ? targets[j].worst : sum.worst;
			targets[j].row = NULL;
		}
		printf("%-22s %8llu %8llu  %.3f\n", blas_table_fortran(sum.row)->name,
		       (unsigned long long)sum.calls, (unsigned long long)sum.eligible, sum.worst);
	}
}

/* Two libraries may have the same names. */
static void tell_counts(void)
{
	for (size_t i = 0; i < target_count; i++) {
		uint64_t eligible = targets[i].eligible;
		bool told = false;
		for (size_t j = 0; j < target_count; j++)
			if (i != j && targets[j].row == targets[i].row) {
				eligible += targets[j].eligible;
				told = told || j < i;
			}
		if (!told)
			printf("call %s %llu\n", targets[i].row->name,
			       (unsigned long long)eligible);
	}
}

static void read_library(char *argument)
{
	char *part[4];
	for (int i = 0; i < 4; i++)
		part[i] = strtok(i == 0 ? argument : NULL, ":");
	if (part[3] == NULL || library_count == LIBRARIES_MAX) {
		fprintf(stderr,
		        "a library is told as NAME:MODULE:LIBRARY:32|64, two of them at most\n");
		exit(2);
	}
	libraries[library_count].name = part[0];
	libraries[library_count].wide = strcmp(part[3], "64") == 0;
	libraries[library_count].module_path = part[1];
	libraries[library_count++].path = part[2];
}

static void read_options(int argc, char **argv)
{
	static const struct option known[] = {
		RERUN_OPTIONS,
		{"routine", required_argument, NULL, 'r'},
		{"symbol", required_argument, NULL, 'n'},
		{NULL, 0, NULL, 0},
	};
	for (int key = getopt_long(argc, argv, "", known, NULL); key != -1;
	     key = getopt_long(argc, argv, "", known, NULL))
		if (!rerun_take(key))
			switch (key) {
			case 'r': options.routine = optarg; break;
			case 'n': options.symbol = optarg; break;
			default: exit(2);
			}
	for (; optind < argc; optind++)
		read_library(argv[optind]);
}

int main(int argc, char **argv)
{
	uint64_t failures = 0, calls = 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	rerun = (struct rerun){.seed = 20261, .count = 5000};
	read_options(argc, argv);
	for (int i = 0; i < library_count; i++)
		blas_library_open(&libraries[i], library_count == 1);
	find_targets();
	rerun_watch();
	const struct arena arena = arena_open();
	printf("seed %llu, %zu names\n", (unsigned long long)rerun.seed, target_count);
	for (; rerun_goes_on(calls, failures); calls++)
		failures += !run(&arena, rerun.first + calls);
	tell_counts();
	tell_worst();
	printf("%llu calls, %llu failures\n", (unsigned long long)calls,
	       (unsigned long long)failures);
	return failures != 0;
}
