/* differ_lapack.c - random LAPACK calls: through the shim, and by the library out of its reach */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lapack_dense.h"
#include "tests/numeric/draw.h"
#include "tests/numeric/rerun.h"

/*
 * usage: differ_lapack [OPTION]... LIBRARY
 *
 * LIBRARY is the LAPACK that the program is linked with, by the name that the loader finds it by.
 * It is loaded once more in a namespace of its own, where nothing is preloaded. Options: --seed S
 * --first I --count N --routine dgetrf --all (do not stop at the 10th failure) --bits (calls that
 * the CPU has to do leave the library's bits: where it is OpenBLAS) --exact (all calls do)
 * --no-foreign (no NaN and no Inf) --guards (operands end at pages without access) --verbose. The
 * last lines tell the calls of each name, queries included, and how many of them the CPU has to do:
 * `call SYMBOL N CPU`.
 */
enum { ERRNO_BEFORE = 77, PATIENCE_SECONDS = 20 };

static struct {
	const char *routine;
	bool bits, exact, guards, no_foreign;
} options;

/* A name, and what became of its calls. */
struct target {
	enum family family;
	enum type type;
	char name[16];
	void *shim;
	uint64_t calls, queries, cpu;
	double worst;
};

static struct target targets[FAMILY_COUNT * TYPE_COUNT];
static int target_count;
static void *library;

static void *need(void *found)
{
	if (found == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(3);
	}
	return found;
}

static void *find_itself(enum family family, enum type type)
{
	char name[16];
	return need(dlsym(library, trial_name(family, type, name, sizeof name)));
}

static void find_targets(void)
{
	for (int family = 0; family < FAMILY_COUNT; family++)
		for (int type = 0; type < TYPE_COUNT; type++) {
			struct target *target = &targets[target_count];
			*target = (struct target){.family = (enum family)family,
			                          .type = (enum type)type};
			trial_name(target->family, target->type, target->name, sizeof target->name);
			target->shim = need(dlsym(RTLD_DEFAULT, target->name));
			if (options.routine == NULL ||
			    strncmp(options.routine, target->name, strlen(options.routine)) == 0)
				target_count++;
		}
	if (target_count == 0) {
		fprintf(stderr, "there is no such routine\n");
		exit(3);
	}
}

/* Gives the workspaces their sizes: the least that LAPACK documents, what it asks for, or more. */
static const char *size_work(struct trial *t, struct target *target)
{
	static const enum slot slots[] = {SLOT_WORK, SLOT_RWORK, SLOT_IWORK};
	struct trial asked = *t, wanted = *t;
	enum slot slot;
	for (int i = 0; i < 3; i++)
		asked.operand[slots[i]] = (struct operand){.unit = i == 0   ? UNIT_ELEMENT
		                                                   : i == 1 ? UNIT_REAL
		                                                            : UNIT_INTEGER,
		                                           .rows = 1,
		                                           .columns = 1,
		                                           .ld = 1,
		                                           .written = PART_WHOLE};
	draw_least_work(t);
	enum word word[WORDS_MAX];
	bool asks = false;
	for (int i = trial_words(t->family, t->type, word) - 1; i >= 0; i--)
		asks = asks || word[i] == WORD_LWORK;
	memory_place(&asked);
	if (asks) {
		memory_copy(&asked, COPY_BEFORE, COPY_LIBRARY);
		memory_copy(&asked, COPY_BEFORE, COPY_SHIM);
		wanted = asked;
		trial_query(&wanted, COPY_LIBRARY, find_itself(t->family, t->type));
		trial_query(&asked, COPY_SHIM, target->shim);
		target->queries++;
		if (asked.lwork != wanted.lwork || asked.lrwork != wanted.lrwork ||
		    asked.liwork != wanted.liwork ||
		    asked.outcome[COPY_SHIM].info != wanted.outcome[COPY_LIBRARY].info)
			return "another answer to a query of the workspace";
		for (int i = 0; i < 3; i++)
			asked.operand[slots[i]].written = PART_WHOLE;
		for (int i = 0; i < SLOT_WORK; i++)
			asked.operand[i].written = PART_NONE;
		if (!memory_is_kept(&asked, COPY_SHIM, false, &slot))
			return "a query wrote to an operand";
		t->answer[0] = wanted.lwork;
		t->answer[1] = wanted.lrwork;
		t->answer[2] = wanted.liwork;
		const unsigned way = draw_below(4);
		const lapack_int more = way > 1 ? (lapack_int)draw_below(20) : 0;
		if (way > 0) {
			t->lwork = wanted.lwork > 0 ? wanted.lwork + more : t->lwork;
			t->lrwork = wanted.lrwork > 0 ? wanted.lrwork + more : t->lrwork;
			t->liwork = wanted.liwork > 0 ? wanted.liwork + more : t->liwork;
		}
	}
	const lapack_int sizes[] = {asks ? t->lwork : 0, t->lrwork, t->liwork};
	for (int i = 0; i < 3; i++) {
		t->operand[slots[i]] = asked.operand[slots[i]];
		t->operand[slots[i]].rows = sizes[i] > 0 ? sizes[i] : 1;
		t->operand[slots[i]].written = PART_WHOLE;
	}
	return NULL;
}

/*
 * What is in the first element of a workspace after the call is the library's: either what a call
 * leaves there, or what a query does, which some routines tell apart.
 */
static bool answers_same(const struct trial *t)
{
	enum word word[WORDS_MAX];
	for (int i = trial_words(t->family, t->type, word) - 1; i >= 0; i--) {
		const int place = word[i] == WORD_LWORK    ? 0
		                  : word[i] == WORD_LRWORK ? 1
		                  : word[i] == WORD_LIWORK ? 2
		                                           : -1;
		if (place < 0)
			continue;
		const enum slot slot = (enum slot)(SLOT_WORK + place);
		const double shim = creal(memory_get(t, COPY_SHIM, slot, 0, 0));
		if (shim != creal(memory_get(t, COPY_LIBRARY, slot, 0, 0)) &&
		    (options.exact || (lapack_int)shim != t->answer[place]))
			return false;
	}
	return true;
}

/* Of a matrix whose rank rounding decides either may notice that a pivot is zero. */
static bool info_same(const struct trial *t)
{
	const lapack_int shim = t->outcome[COPY_SHIM].info, wanted = t->outcome[COPY_LIBRARY].info;
	return shim == wanted || (t->family == GETRF && t->content == CONTENT_DEFICIENT &&
	                          (shim == 0 || shim > 1) && (wanted == 0 || wanted > 1));
}

/* Routines that OpenBLAS computes in kernels of its own, whatever the shim does with BLAS. */
static bool is_closed(enum family family)
{
	return family == GETRF || family == GESV || family == POTRF || family == TRTRI;
}

/* Nothing to compute: LAPACK returns at once; so does OpenBLAS's gesv without right-hand sides. */
static bool has_no_work(const struct trial *t)
{
	return t->n == 0 || t->operand[SLOT_A].rows == 0 || t->operand[SLOT_A].columns == 0 ||
	       (t->family == ORGQR && t->k == 0) || (t->family == ORMQR && t->m == 0) ||
	       (t->nrhs == 0 && t->operand[SLOT_B].rows > 0 && t->family <= GELS &&
	        t->family != ORMQR);
}

/* Of least squares with a matrix of zeros LAPACK says that all is well, and the GPU does not. */
static bool is_zero(const struct trial *t)
{
	return dense_norm(dense_read(t, COPY_BEFORE, SLOT_A)) == 0;
}

/* LAPACK 3.12 asks for a workspace of 1 where it has one eigenvalue to find; the CPU does. */
static bool is_short(const struct trial *t)
{
	return t->family == SYEVR && t->n == 1 && t->lwork < (type_is_complex(t->type) ? 2 : 26);
}

static const char *compare(const struct trial *t, double *worst)
{
	static const char *const names[] = {"A",   "B",    "U",    "V",    "W",     "WI",
	                                    "TAU", "IPIV", "FAIL", "WORK", "RWORK", "IWORK"};
	static char text[80];
	enum slot slot;
	if (!info_same(t))
		return "another info than the library's";
	if (!memory_is_kept(t, COPY_SHIM, false, &slot)) {
		snprintf(text, sizeof text, "%s is written where nothing is to be written",
		         names[slot]);
		return text;
	}
	const bool on_cpu = t->content == CONTENT_FOREIGN ||
	                    (t->outcome[COPY_LIBRARY].info != 0 && t->outcome[COPY_SHIM].info != 0);
	const bool exact = options.exact || (options.bits && on_cpu && is_closed(t->family));
	if (exact && !memory_is_same(t, &slot)) {
		snprintf(text, sizeof text, "%s has other bits than the library's", names[slot]);
		return text;
	}
	if (t->outcome[COPY_LIBRARY].info == 0 && !answers_same(t))
		return "another size of the workspace than the library's";
	if (t->content == CONTENT_FOREIGN || has_no_work(t) ||
	    (t->outcome[COPY_SHIM].info != 0 && t->family != GETRF))
		return NULL;
	return judge_trial(t, worst);
}

static bool run(uint64_t number)
{
	struct trial t;
	draw_begin(rerun.seed, number);
	struct target *target = &targets[draw_below((unsigned)target_count)];
	draw_trial(&t, target->family, target->type);
	if (options.no_foreign && t.content == CONTENT_FOREIGN)
		t.content = CONTENT_RANDOM;
	dense_reset();
	rerun_note(number);
	alarm(PATIENCE_SECONDS);
	const char *verdict = size_work(&t, target);
	if (verdict == NULL) {
		memory_place(&t);
		fill_trial(&t, find_itself);
		memory_copy(&t, COPY_BEFORE, COPY_SHIM);
		memory_copy(&t, COPY_BEFORE, COPY_LIBRARY);
		trial_call(&t, COPY_LIBRARY, find_itself(t.family, t.type));
		if (rerun.twice) {
			trial_call(&t, COPY_SHIM, target->shim);
			memory_restore(&t);
		}
		errno = ERRNO_BEFORE;
		trial_call(&t, COPY_SHIM, target->shim);
		/* Roots of NaN set it in the library. */
		verdict = errno == ERRNO_BEFORE || t.content == CONTENT_FOREIGN
		                  ? compare(&t, &target->worst)
		                  : "errno changed";
	}
	const unsigned calls = rerun.twice ? 2 : 1;
	const bool for_cpu = has_no_work(&t) || is_short(&t) || t.content == CONTENT_FOREIGN ||
	                     t.outcome[COPY_LIBRARY].info != 0 || (t.family == GELS && is_zero(&t));
	target->calls += calls;
	target->cpu += for_cpu ? calls : 0;
	if (verdict != NULL)
		printf("FAIL %s: %s\n  replay: --seed %llu --first %llu --count 1%s%s\n",
		       target->name, verdict, (unsigned long long)rerun.seed,
		       (unsigned long long)number, options.routine == NULL ? "" : " --routine ",
		       options.routine == NULL ? "" : options.routine);
	if (verdict != NULL || rerun.verbose)
		trial_tell(&t);
	return verdict == NULL;
}

static void read_options(int argc, char **argv)
{
	static const struct option known[] = {
		RERUN_OPTIONS,
		{"routine", required_argument, NULL, 'r'},
		{"bits", no_argument, NULL, 'b'},
		{"exact", no_argument, NULL, 'e'},
		{"no-foreign", no_argument, NULL, 'n'},
		{"guards", no_argument, NULL, 'g'},
		{NULL, 0, NULL, 0},
	};
	for (int key = getopt_long(argc, argv, "", known, NULL); key != -1;
	     key = getopt_long(argc, argv, "", known, NULL))
		if (!rerun_take(key))
			switch (key) {
			case 'r': options.routine = optarg; break;
			case 'b': options.bits = true; break;
			case 'e': options.exact = true; break;
			case 'g': options.guards = true; break;
			case 'n': options.no_foreign = true; break;
			default: exit(2);
			}
	if (optind + 1 != argc) {
		fprintf(stderr, "usage: differ_lapack [OPTION]... LIBRARY\n");
		exit(2);
	}
	library = need(dlmopen(LM_ID_NEWLM, argv[optind], RTLD_NOW));
}

int main(int argc, char **argv)
{
	uint64_t failures = 0, calls = 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	rerun = (struct rerun){.seed = 20262, .count = 500};
	read_options(argc, argv);
	find_targets();
	rerun_watch();
	memory_open(options.guards);
	printf("seed %llu, %d names\n", (unsigned long long)rerun.seed, target_count);
	for (; rerun_goes_on(calls, failures); calls++)
		failures += !run(rerun.first + calls);
	printf("%-10s %8s %8s  %s\n", "routine", "calls", "cpu", "worst ratio");
	for (int i = 0; i < target_count; i++)
		printf("%-10s %8llu %8llu  %.3f\n", targets[i].name,
		       (unsigned long long)targets[i].calls, (unsigned long long)targets[i].cpu,
		       targets[i].worst);
	for (int i = 0; i < target_count; i++)
		if (targets[i].calls > 0)
			printf("call %s %llu %llu\n", targets[i].name,
			       (unsigned long long)(targets[i].calls + targets[i].queries),
			       (unsigned long long)(targets[i].cpu + targets[i].queries));
	printf("%llu calls, %llu failures\n", (unsigned long long)calls,
	       (unsigned long long)failures);
	return failures != 0;
}
