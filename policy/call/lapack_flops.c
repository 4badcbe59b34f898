/* lapack_flops.c - the flops column of lapack_family.def */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/lapack_flops.h"

#include "policy/call/lapack_operand.h"

/*
 * Of the shorter side there are at most `least` vectors, of the longer one possibly more. Reduction
 * to bidiagonal form; then the iteration on a matrix of order least, and its vectors carried back
 * by the reflectors of either side.
 */
static double lapack_flops_count_singular(const struct lapack_counts *counts, bool tall)
{
	const double most = (double)counts->most, least = (double)counts->least;
	const double longer = (double)(tall ? counts->left : counts->right);
	const double shorter = (double)(tall ? counts->right : counts->left);
	const double reduced = 4 * most * least * least - 4 * least * least * least / 3;
	if (longer == 0 && shorter == 0)
		return reduced;
	return reduced + 8 * least * least * least / 3 + 4 * most * longer * least -
	       2 * longer * least * least + 2 * shorter * least * least;
}

#define SINGULAR_FLOPS lapack_flops_count_singular(&counts, call->lapack.m >= call->lapack.n)

double lapack_flops_count(const struct call *call)
{
	const struct lapack_call *lapack = &call->lapack;
	const struct lapack_counts counts = lapack_operand_count(call);
	const double m = (double)lapack->m, n = (double)lapack->n, k = (double)lapack->k,
		     r = (double)lapack->nrhs, most = (double)counts.most,
		     least = (double)counts.least, other = (double)counts.other,
		     vectors = (double)counts.vectors, left = (double)counts.left,
		     right = (double)counts.right;
	const double flops[] = {
#define LAPACK_FAMILY(id, name, elements, sizes, letters, formula, operands) (formula),
#include "policy/call/lapack_family.def"
	};
	return flops[call->family - FAMILY_GETRF] * (element_is_complex(call->element) ? 4 : 1);
}
