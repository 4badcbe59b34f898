/* factor_plan.c - the end of a plan */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/factor/factor_plan.h"

#include <stdlib.h>

void factor_plan_free(struct factor_plan *plan)
{
	free(plan->steps);
	*plan = (struct factor_plan){.width = 0};
}
