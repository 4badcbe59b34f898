/* describe_solver.c - legality, workspace, overlap and work of a LAPACK call */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/describe/describe_solver.h"

#include <stddef.h>

#include "policy/call/argument.h"
#include "policy/call/lapack_flops.h"
#include "policy/call/lapack_operand.h"
#include "policy/call/operand.h"

static int64_t describe_solver_larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* -- legality --------------------------------------------------------------------------------- */

/* Real routines take T, complex ones C; getrs takes both. */
static bool describe_solver_may_transpose(const struct call *call)
{
	const enum transpose trans = call->lapack.trans;
	if (trans == TRANSPOSE_N || call->family == FAMILY_GETRS)
		return true;
	return trans == (element_is_complex(call->element) ? TRANSPOSE_C : TRANSPOSE_T);
}

static bool describe_solver_has_letters(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool overwritten_twice =
		call->family == FAMILY_GESVD && lapack->jobs[0] == 'O' && lapack->jobs[1] == 'O';
	return (int)lapack->side != ARGUMENT_ILLEGAL && (int)lapack->uplo != ARGUMENT_ILLEGAL &&
	       (int)lapack->trans != ARGUMENT_ILLEGAL && (int)lapack->diag != ARGUMENT_ILLEGAL &&
	       lapack->jobs[0] != '?' && lapack->jobs[1] != '?' && lapack->range != '?' &&
	       !overwritten_twice && describe_solver_may_transpose(call);
}

static bool describe_solver_is_generalised(enum family family)
{
	return family >= FAMILY_SYGV && family <= FAMILY_HEGVX;
}

static bool describe_solver_has_range(const struct lapack_call *lapack)
{
	const int64_t n = lapack->n, least = n < lapack->il ? n : lapack->il;
	if (lapack->range == 'V')
		return n == 0 || !(lapack->vu <= lapack->vl);
	return lapack->range != 'I' ||
	       (lapack->il >= 1 && lapack->il <= describe_solver_larger(1, n) &&
	        lapack->iu >= least && lapack->iu <= n);
}

static bool describe_solver_has_sizes(const struct call *call, const struct lapack_counts *counts)
{
	const struct lapack_call *lapack = &call->lapack;
	if (lapack->m < 0 || lapack->n < 0 || lapack->k < 0 || lapack->nrhs < 0)
		return false;
	if (describe_solver_is_generalised(call->family) &&
	    (lapack->itype < 1 || lapack->itype > 3))
		return false;
	switch (call->family) {
	case FAMILY_ORGQR:
	case FAMILY_UNGQR: return lapack->n <= lapack->m && lapack->k <= lapack->n;
	case FAMILY_ORMQR:
	case FAMILY_UNMQR: return lapack->k <= counts->inner;
	default: return describe_solver_has_range(lapack);
	}
}

/* The rows of U, or of Z or VL; 0 where the call computes none into it. */
static int64_t describe_solver_count_left(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool beside =
		call->family == FAMILY_GESDD && lapack->jobs[0] == 'O' && lapack->m < lapack->n;
	switch (lapack->jobs[0]) {
	case 'V':
	case 'A':
	case 'S': return lapack->m;
	default: return beside ? lapack->m : 0;
	}
}

/* The rows of VT, or of VR. */
static int64_t describe_solver_count_right(const struct call *call,
                                           const struct lapack_counts *counts)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool both = call->family == FAMILY_GESDD;
	const bool beside = both && lapack->jobs[0] == 'O' && lapack->m >= lapack->n;
	switch (both ? lapack->jobs[0] : lapack->jobs[1]) {
	case 'V':
	case 'A': return lapack->n;
	case 'S': return counts->least;
	default: return beside ? lapack->n : 0;
	}
}

static bool describe_solver_fits(const struct call *call, enum lapack_name name, int64_t ld,
                                 int64_t rows)
{
	return !lapack_operand_belongs(call->family, name) || ld >= describe_solver_larger(1, rows);
}

static bool describe_solver_is_legal(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const struct lapack_counts counts = lapack_operand_count(call);
	const bool multiplies = call->family == FAMILY_ORMQR || call->family == FAMILY_UNMQR;
	const int64_t b_rows = call->family == FAMILY_GELS ? counts.most : lapack->m;
	return describe_solver_has_letters(call) && describe_solver_has_sizes(call, &counts) &&
	       describe_solver_fits(call, LAPACK_A, lapack->lda,
	                            multiplies ? counts.inner : lapack->m) &&
	       describe_solver_fits(call, LAPACK_B, lapack->ldb, b_rows) &&
	       describe_solver_fits(call, LAPACK_U, lapack->ldu,
	                            describe_solver_count_left(call)) &&
	       describe_solver_fits(call, LAPACK_VT, lapack->ldvt,
	                            describe_solver_count_right(call, &counts));
}

/* -- workspace -------------------------------------------------------------------------------- */

/* As double: squares of sizes may exceed 64 bits. */
struct describe_minimum {
	double work, rwork, iwork;
};

/* Rows of lapack_minimum.def. */
enum {
#define LAPACK_MINIMUM(family, ...) MINIMUM_##family,
#include "shim/describe/lapack_minimum.def"
};

static double describe_solver_greater(double a, double b)
{
	return a > b ? a : b;
}

/* The word of lapack_minimum.def. */
#define larger describe_solver_greater

/*
 * gesdd of a matrix that is much longer than wide, or not, keeps other parts of it in work. In
 * LAPACK's own words bdspac is what dbdsdc needs.
 */
static double describe_solver_find_real(char job, double most, double least)
{
	const double square = least * least,
		     bdspac = job == 'N' ? 7 * least : 3 * square + 4 * least;
	const bool deep = (int64_t)most >= (int64_t)(least * 11 / 6);
	const double kept = job == 'O' ? square : 0;
	if (!deep)
		return 3 * least + describe_solver_greater(most, kept + bdspac);
	if (job == 'N')
		return bdspac + least;
	if (job == 'A')
		return square + describe_solver_greater(3 * least + bdspac, least + most);
	return bdspac + square + kept + 3 * least;
}

static double describe_solver_find_complex(char job, double most, double least)
{
	const double square = least * least, kept = job == 'O' ? square : 0;
	const bool deep = (int64_t)most >= (int64_t)(least * 17 / 9);
	if (!deep)
		return 2 * least + most + kept;
	if (job == 'N')
		return 3 * least;
	if (job == 'A')
		return square + describe_solver_greater(3 * least, least + most);
	return square + kept + 3 * least;
}

static struct describe_minimum describe_solver_find_minimum(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const struct lapack_counts counts = lapack_operand_count(call);
	const double n = (double)lapack->n, r = (double)lapack->nrhs, most = (double)counts.most,
		     least = (double)counts.least, other = (double)counts.other,
		     square = least * least;
	const char job = lapack->jobs[0], longer = lapack->m >= lapack->n ? job : lapack->jobs[1];
	const double singular_real = describe_solver_find_real(job, most, least),
		     singular_complex = describe_solver_find_complex(job, most, least);
	/* gesvd: no vectors of the longer side, which is reduced by a QR factorisation first. */
	const bool narrow = longer == 'N' && counts.most >= (int64_t)(least * 1.6);
	const bool one = lapack->n <= 1, complex = element_is_complex(call->element),
		   vectors = job == 'V' || lapack->jobs[1] == 'V' || job == 'A' || job == 'S' ||
	                     job == 'O';
	const struct describe_minimum minimum[] = {
#define LAPACK_MINIMUM(family, work, rwork, iwork) {work, rwork, iwork},
#include "shim/describe/lapack_minimum.def"
	};
	static const uint8_t row[FAMILY_COUNT] = {
#define LAPACK_MINIMUM(family, ...) [FAMILY_##family] = 1 + MINIMUM_##family,
#include "shim/describe/lapack_minimum.def"
	};
	return row[call->family] > 0 ? minimum[row[call->family] - 1]
	                             : (struct describe_minimum){0, 0, 0};
}

/* Returns whether the array is long enough; sets the length of one that has none. */
static bool describe_solver_suffices(bool given, double minimum, int64_t *length)
{
	if (given)
		return (double)*length >= describe_solver_greater(1, minimum);
	*length = minimum < 0x1p62 ? (int64_t)minimum : INT64_C(1) << 62;
	return true;
}

static bool describe_solver_has_workspace(struct call *call, const struct describe_lengths *given)
{
	struct lapack_call *lapack = &call->lapack;
	const struct describe_minimum minimum = describe_solver_find_minimum(call);
	const bool work = describe_solver_suffices(given->work, minimum.work, &lapack->lwork),
		   rwork = describe_solver_suffices(given->rwork, minimum.rwork, &lapack->lrwork),
		   iwork = describe_solver_suffices(given->iwork, minimum.iwork, &lapack->liwork);
	return work && rwork && iwork;
}

/*
 * Calls without work, whose lengths some versions of LAPACK ask for as 1: before 3.12 only those of
 * empty matrices that have no singular values.
 */
static bool describe_solver_asks_for_one(const struct call *call,
                                         const struct describe_lengths *given)
{
	const struct lapack_call *lapack = &call->lapack;
	const bool empty = lapack->m == 0 || lapack->n == 0;
	if ((given->work && lapack->lwork < 1) || (given->rwork && lapack->lrwork < 1) ||
	    (given->iwork && lapack->liwork < 1))
		return false;
	switch (call->family) {
	case FAMILY_GESDD:
	case FAMILY_GESVD: return empty;
	case FAMILY_GEQRF: return lapack->m == 0;
	case FAMILY_SYEVR:
	case FAMILY_HEEVR: return lapack->n == 1;
	default: return false;
	}
}

/* -- the end ---------------------------------------------------------------------------------- */

/*
 * Whether the routine returns at once, or treats the call in a way of its own (gesv factors A also
 * where there is no right-hand side).
 */
static bool describe_solver_is_quick(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const char *sizes = family_sizes(call->family);
	for (; *sizes != '\0'; sizes++) {
		const int64_t size = *sizes == 'm'   ? lapack->m
		                     : *sizes == 'n' ? lapack->n
		                     : *sizes == 'k' ? lapack->k
		                                     : lapack->nrhs;
		if (size == 0)
			return true;
	}
	return false;
}

/*
 * What the GPU's library has no form for: results that overwrite A, left eigenvectors, least
 * squares of a wide matrix, an interval whose ends are no numbers.
 */
static bool describe_solver_is_for_cpu(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	if (lapack->jobs[0] == 'O' || lapack->jobs[1] == 'O')
		return true;
	if (call->family == FAMILY_GEEV)
		return lapack->jobs[0] == 'V';
	if (call->family == FAMILY_GELS)
		return lapack->m < lapack->n;
	return lapack->range == 'V' && !(lapack->vu - lapack->vl < __DBL_MAX__);
}

/* The workload counts matrices, whole; what is sent and comes back also the vectors. */
static void describe_solver_add_work(struct call *call, const struct lapack_operands *operands)
{
	for (int i = 0; i < operands->count; i++) {
		const struct lapack_operand *operand = &operands->list[i];
		const uint64_t bytes = lapack_operand_bytes(call, operand);
		if (operand->name <= LAPACK_VT)
			call->size_bytes = operand_add_bytes(call->size_bytes, bytes);
		if (operand->read != LAPACK_NOTHING)
			call->input_bytes = operand_add_bytes(call->input_bytes, bytes);
		if (operand->written != LAPACK_NOTHING)
			call->output_bytes = operand_add_bytes(call->output_bytes, bytes);
	}
	call->work_flops = lapack_flops_count(call);
}

static enum reason describe_solver_find_defect(struct call *call,
                                               const struct describe_lengths *lengths)
{
	struct lapack_operands operands;
	if (!describe_solver_is_legal(call))
		return REASON_ILLEGAL_ARGUMENT;
	if (lengths->query)
		return REASON_WORKSPACE_QUERY;
	if (!describe_solver_has_workspace(call, lengths))
		return describe_solver_asks_for_one(call, lengths) ? REASON_QUICK_RETURN
		                                                   : REASON_SHORT_WORKSPACE;
	lapack_operand_list(call, &operands);
	describe_solver_add_work(call, &operands);
	if (describe_solver_is_quick(call))
		return REASON_QUICK_RETURN;
	if (describe_solver_is_for_cpu(call))
		return REASON_CPU_ONLY_JOB;
	return lapack_operand_overlap(call, &operands) ? REASON_OVERLAP : REASON_NONE;
}

void describe_solver_end(struct call *call, const struct describe_lengths *lengths)
{
	call->size_bytes = call->input_bytes = call->output_bytes = 0;
	call->work_flops = 0;
	call->defect = describe_solver_find_defect(call, lengths);
}
