/* trial_tell.c - prints a call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "trial.h"

void trial_tell(const struct trial *t)
{
	static const char *const positions[] = {"aligned", "half an element off", "an element off",
	                                        "at a page's end"};
	static const char *const sharings[] = {"", ", A is B", ", interleaved with C",
	                                       ", overlapping C"};
	printf("  %s %d-bit integers %s, %c%c%c, %s%s%s%s%s%s%s\n", t->row->name, t->wide ? 64 : 32,
	       t->order == TRIAL_ROW_MAJOR ? "by rows" : "by columns", "LR"[t->side & 1],
	       "UL"[t->uplo & 1], "NU"[t->diag & 1], positions[t->position], sharings[t->sharing],
	       t -> foreign ? ", NaN or Inf" : "", t->zeros ? ", zeros" : "",
	       t->read_only ? ", read-only" : "", t->no_access ? ", no access" : "",
	       t->filler == 0xff ? "" : ", filled with numbers");
	for (int i = 0; i < t->groups; i++) {
		const struct trial_group *g = &t->group[i];
		printf("    %c%c m %lld n %lld k %lld ld %lld %lld %lld alpha %g,%g beta %g,%g "
		       "problems %lld\n",
		       "NTC?"[g->transa & 3], "NTC?"[g->transb & 3], (long long)g -> m,
		       (long long)g -> n, (long long)g -> k, (long long)g -> lda,
		       (long long)g -> ldb, (long long)g -> ldc, g -> alpha[0], g -> alpha[1],
		       g -> beta[0], g -> beta[1], (long long)g -> problems);
	}
	if (t->row->shape == SHAPE_STRIDED)
		printf("    strides %lld %lld %lld\n", (long long)t->stride[OPERAND_A],
		       (long long)t->stride[OPERAND_B], (long long)t->stride[OPERAND_C]);
}
