/* recorded_call.c - rebuilds a call from its record in a log */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/recorded/recorded_call.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "policy/call/reason.h"
#include "policy/decide/lapack_cost.h"

static bool recorded_call_has_sizes(const struct log_record *record)
{
	if (record->family < 0 || record->element < 0)
		return false;
	return family_is_fft((enum family)record->family) ? record->rank > 0 && record->howmany > 0
	                                                  : record->n > 0 && record->size_bytes > 0;
}

enum recorded_fate recorded_call_judge(const struct log_record *record)
{
	const int reason = record->reason;
	/* The reasons for defects of a call follow each other in reason.def. */
	const bool defective = reason >= REASON_ILLEGAL_ARGUMENT && reason <= REASON_UNKNOWN_PLAN;
	const bool came_back = reason >= 0 && reason_outcome((enum reason)reason) == OUTCOME_BACK;
	const bool of_thread = reason == REASON_FP_ENVIRONMENT || reason == REASON_INSIDE_CALL ||
	                       reason == REASON_BELOW_FALLBACK;
	if (record->elapsed_ns < 0 || defective || of_thread || came_back ||
	    reason == REASON_ON_DEVICE || reason == REASON_FORKED || reason == REASON_EXITING)
		return RECORDED_BOUND;
	return recorded_call_has_sizes(record) ? RECORDED_MOVABLE : RECORDED_BLURRED;
}

static int64_t recorded_call_get_size(const struct log_record *record, char letter)
{
	switch (letter) {
	case 'm': return record->m;
	case 'n': return record->n;
	case 'r': return record->nrhs;
	default: return record->k;
	}
}

/* The letters of a LAPACK call that say what it computes; of the range only the flops tell. */
static void recorded_call_read_letters(const struct log_record *record, enum family family,
                                       struct call_problem *problem)
{
	const char *letters = family_letters(family);
	for (size_t i = 0; i < record->jobs.length && letters[i] != '\0'; i++) {
		const char letter = record->jobs.text[i];
		switch (letters[i]) {
		case 'j': problem->jobs[0] = letter; break;
		case 'v': problem->jobs[1] = letter; break;
		case 's': problem->flags.side = letter == 'R' ? SIDE_RIGHT : SIDE_LEFT; break;
		case 'u': problem->flags.uplo = letter == 'L' ? UPLO_LOWER : UPLO_UPPER; break;
		default: break;
		}
	}
}

static bool recorded_call_fill(const struct log_record *record, struct call_problem *problem)
{
	const enum family family = (enum family)record->family;
	const char *letters = call_problem_sizes(family);
	const bool fft = family_is_fft(family);
	const int64_t count = fft                       ? record->howmany
	                      : family_is_batch(family) ? record->problems
	                                                : 1;
	memset(problem, 0, sizeof *problem);
	problem->family = family;
	problem->element = (enum element)record->element;
	problem->count = count;
	problem->sizes = fft ? record->rank : (int)strlen(letters);
	if (family_is_lapack(family))
		recorded_call_read_letters(record, family, problem);
	if (count < 1 || count > INT_MAX || problem->sizes > CALL_RANK)
		return false;
	for (int i = 0; i < problem->sizes; i++) {
		problem->size[i] =
			fft ? record->dims[i] : recorded_call_get_size(record, letters[i]);
		if (problem->size[i] < 1)
			return false;
	}
	return true;
}

static bool recorded_call_fits(const struct call_problem *problem, uint64_t size_bytes,
                               struct built_call *built)
{
	return call_problem_build(problem, built) && built->call.size_bytes == size_bytes;
}

bool recorded_call_read(const struct log_record *record, struct call_problem *problem,
                        struct built_call *built)
{
	const uint64_t size_bytes = record->size_bytes > 0 ? (uint64_t)record->size_bytes : 0;
	if (!recorded_call_fill(record, problem))
		return false;
	if (size_bytes > 0 && !recorded_call_fits(problem, size_bytes, built)) {
		struct call_problem other = *problem;
		other.flags.side = SIDE_RIGHT;
		other.in_place = family_is_fft(other.family);
		if (recorded_call_fits(&other, size_bytes, built))
			*problem = other;
	}
	if (!call_problem_build(problem, built) || built->call.defect != REASON_NONE)
		return false;
	if (size_bytes > 0)
		built->call.size_bytes = size_bytes;
	if (record->work_flops > 0)
		built->call.work_flops = (double)record->work_flops;
	return true;
}

/* Of a square only a triangle is read; a call without a plan has one input that may be there. */
static double recorded_call_count(const struct call *call, enum operand name)
{
	struct matrix matrix;
	if (family_is_lapack(call->family))
		return name == OPERAND_A ? lapack_cost_count_held(call) : 0;
	if (!family_is_blas(call->family) || family_is_batch(call->family))
		return name == OPERAND_A ? (double)call->input_bytes : 0;
	if (!operand_find(call->family, &call->blas, name, &matrix))
		return 0;
	const double whole = (double)matrix.rows * (double)matrix.columns *
	                     (double)element_size_bytes(call->element);
	return name == OPERAND_A && family_has_square(call->family) ? whole / 2 : whole;
}

void recorded_call_find_held(const struct log_record *record, const struct call *call,
                             bool held[OPERAND_COUNT])
{
	const double kept = record->kept_bytes > 0 ? (double)record->kept_bytes : 0;
	const double bytes[] = {recorded_call_count(call, OPERAND_A),
	                        recorded_call_count(call, OPERAND_B)};
	double least = kept;
	memset(held, 0, OPERAND_COUNT * sizeof *held);
	for (int set = 1; set < 4 && record->target == TARGET_GPU; set++) {
		const double sum = (set & 1 ? bytes[0] : 0) + (set & 2 ? bytes[1] : 0);
		const double apart = fabs(kept - sum);
		if (sum <= 0 || apart >= least)
			continue;
		least = apart;
		held[OPERAND_A] = (set & 1) != 0 && bytes[0] > 0;
		held[OPERAND_B] = (set & 2) != 0 && bytes[1] > 0;
	}
}

bool recorded_call_passes(const struct call *call, uint64_t work_threshold, uint64_t k_threshold)
{
	return call->work_flops >= (double)work_threshold &&
	       (!family_is_blas(call->family) || call->blas.k >= (int64_t)k_threshold);
}
