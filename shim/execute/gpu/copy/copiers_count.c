/* copiers_count.c - how many threads copy */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/copy/copiers_count.h"

/* One processor of COPIERS_COUNT_PART is left to the program. */
enum { COPIERS_COUNT_PART = 4 };

int copiers_count_choose(int processors)
{
	const int count = processors - processors / COPIERS_COUNT_PART;
	return count < 1 ? 1 : count > COPIERS_COUNT_MAX ? COPIERS_COUNT_MAX : count;
}
