/* gpu_crowd_calls.c - random calls, one after the other */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_batch.h"
#include "gpu_crowd.h"
#include "shim/execute/gpu/session/session.h"

enum { SHARED_KEYS = 4 };

struct crowd_tally crowd_tally;

uint64_t crowd_random(uint64_t *state, uint64_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*state >> 33) % below;
}

/* Only a shortage of memory may be the reason for a call that did not run on the GPU. */
static void crowd_judge_reason(enum reason reason)
{
	const bool back = reason == REASON_DEVICE_MEMORY;
	session_note_outcome(reason);
	atomic_fetch_add(back ? &crowd_tally.back : &crowd_tally.done, 1);
	EXPECT(back || reason == REASON_NONE, "%s", reason_name(reason));
}

static bool crowd_toss(uint64_t *state)
{
	return crowd_random(state, 2) == 0;
}

/* Mostly small sizes; some exceed a ring and a share of the memory. */
static int64_t crowd_random_size(uint64_t *state)
{
	static const uint64_t most[] = {16, 48, 48, 160};
	return 1 + (int64_t)crowd_random(state, most[crowd_random(state, 4)]);
}

static double complex crowd_random_scalar(uint64_t *state)
{
	static const double complex scalar[] = {0, 1, -0.5, 0};
	const uint64_t choice = crowd_random(state, 4);
	return choice == 3 ? CMPLX(0.75, -1.25) : scalar[choice];
}

static enum transpose crowd_random_op(uint64_t *state, enum family family, enum element element)
{
	const bool rank_update = operand_is_triangle(family) && family != FAMILY_GEMMT;
	if (!rank_update)
		return (enum transpose)crowd_random(state, 3);
	if (crowd_toss(state))
		return TRANSPOSE_N;
	return family == FAMILY_HERK || family == FAMILY_HER2K
	               ? TRANSPOSE_C
	               : (element_is_complex(element) || crowd_toss(state) ? TRANSPOSE_T
	                                                                   : TRANSPOSE_C);
}

static bool crowd_has_square(enum family family)
{
	return family == FAMILY_SYMM || family == FAMILY_HEMM || family_is_in_place(family);
}

/* Flags that a family does not have are 0. */
static void crowd_choose_flags(uint64_t *state, struct gpu_check_blas *w)
{
	const bool mirrored = crowd_has_square(w->family) && !family_is_in_place(w->family);
	if (crowd_has_square(w->family))
		w->side = crowd_toss(state) ? SIDE_LEFT : SIDE_RIGHT;
	if (crowd_has_square(w->family) || operand_is_triangle(w->family))
		w->uplo = crowd_toss(state) ? UPLO_UPPER : UPLO_LOWER;
	if (family_is_in_place(w->family))
		w->diag = crowd_toss(state) ? DIAG_UNIT : DIAG_NON_UNIT;
	if (!mirrored)
		w->transa = crowd_random_op(state, w->family, w->element);
	if (!crowd_has_square(w->family))
		w->transb = crowd_random_op(state, w->family, w->element);
}

static bool crowd_is_complex(enum family family)
{
	return family == FAMILY_HEMM || family == FAMILY_HERK || family == FAMILY_HER2K ||
	       family == FAMILY_GEMM3M;
}

static void crowd_run_level3(uint64_t *state, int device)
{
	static const enum family family[] = {FAMILY_GEMM,  FAMILY_GEMM, FAMILY_GEMM3M, FAMILY_GEMMT,
	                                     FAMILY_SYMM,  FAMILY_HEMM, FAMILY_SYRK,   FAMILY_HERK,
	                                     FAMILY_SYR2K, FAMILY_TRMM, FAMILY_HER2K,  FAMILY_TRSM};
	struct gpu_check_blas w = {
		.family = family[crowd_random(state, sizeof family / sizeof family[0])]};
	w.element = (enum element)crowd_random(state, ELEMENT_BLAS_COUNT);
	if (crowd_is_complex(w.family) && !element_is_complex(w.element))
		w.element = (enum element)(w.element + ELEMENT_C);
	crowd_choose_flags(state, &w);
	w.m = crowd_random_size(state);
	w.n = crowd_random_size(state);
	w.k = crowd_random_size(state);
	w.gap = (int64_t)crowd_random(state, 3);
	w.alpha = crowd_toss(state) ? 1 : CMPLX(-1.5, 0.5);
	w.beta = crowd_random_scalar(state);
	/* crowd_run_blas cannot check gemmt: it writes one triangle of a product. */
	if (w.family == FAMILY_GEMMT) {
		w.n = 1 + w.n % 24;
		w.k = 1 + w.k % 24;
		crowd_judge_reason(gpu_check_run_blas(&w, device));
		return;
	}
	crowd_judge_reason(crowd_run_blas(&w, device));
}

static void crowd_run_batch(uint64_t *state, int device)
{
	struct gpu_check_groups wanted = {.groups = 1 + (int)crowd_random(state, 2),
	                                  .wide = crowd_toss(state)};
	const enum element element = (enum element)crowd_random(state, ELEMENT_BLAS_COUNT);
	for (int i = 0; i < wanted.groups; i++) {
		struct gpu_check_group *group = &wanted.group[i];
		group->count = 1 + (int)crowd_random(state, 6);
		group->shares_a = crowd_toss(state);
		group->blas =
			(struct gpu_check_blas){.family = FAMILY_GEMM,
		                                .element = element,
		                                .transa = (enum transpose)crowd_random(state, 3),
		                                .m = 1 + (int64_t)crowd_random(state, 20),
		                                .n = 1 + (int64_t)crowd_random(state, 20),
		                                .k = 1 + (int64_t)crowd_random(state, 20),
		                                .gap = (int64_t)crowd_random(state, 2),
		                                .alpha = 1,
		                                .beta = crowd_toss(state) ? 1 : 0};
	}
	crowd_judge_reason(gpu_check_run_groups(&wanted, device));
}

/* Threads share the plans of the first few lengths. Long batches run in groups. */
static void crowd_run_transform(uint64_t *state, int device)
{
	static char keys[SHARED_KEYS];
	static const enum family family[] = {FAMILY_FFT_C2C, FAMILY_FFT_R2C, FAMILY_FFT_C2R};
	const uint64_t length = crowd_random(state, 2 * SHARED_KEYS);
	struct gpu_check_fft wanted = {.family = family[crowd_random(state, 3)],
	                               .element = crowd_toss(state) ? ELEMENT_C : ELEMENT_Z,
	                               .rank = 1 + (int)crowd_random(state, 2),
	                               .howmany = 1 + (int64_t)crowd_random(state, 4),
	                               .in_place = crowd_toss(state)};
	for (int i = 0; i < wanted.rank; i++)
		wanted.n[i] = 6 + 2 * (int64_t)length;
	if (wanted.rank == 1 && crowd_random(state, 4) == 0)
		wanted.howmany = 100 + (int64_t)crowd_random(state, 400);
	if (wanted.family == FAMILY_FFT_C2C)
		wanted.sign = crowd_toss(state) ? -1 : 1;
	if (length < SHARED_KEYS && wanted.family == FAMILY_FFT_C2C && wanted.rank == 1)
		wanted.key = &keys[length];
	crowd_judge_reason(gpu_check_run_fft(&wanted, device));
}

void crowd_run_call(uint64_t *state, int device)
{
	const uint64_t kind = crowd_random(state, 8);
	if (kind < 5)
		crowd_run_level3(state, device);
	else if (kind < 6)
		crowd_run_batch(state, device);
	else
		crowd_run_transform(state, device);
}
