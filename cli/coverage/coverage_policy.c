/* coverage_policy.c - what decides where the calls go that the shim can take */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/coverage/coverage.h"
#include "policy/options/options.h"
#include "shim/settings/settings.h"

static struct options policy_options;

void coverage_policy_load(void)
{
	settings_load(&policy_options);
	options_settle(&policy_options);
}

uint64_t coverage_policy_threshold(void)
{
	return policy_options.workload_threshold;
}

const char *coverage_policy_tell(void)
{
	if (!policy_options.enabled)
		return ", but the option enabled is off: all of it stays on the CPU";
	switch ((enum policy)policy_options.policy) {
	case POLICY_NEVER: return ", but the option policy is never: all of it stays on the CPU";
	case POLICY_DRY: return ", but the policy dry only tells: all of it stays on the CPU";
	case POLICY_ALWAYS: return ", and the policy always sends all of it to the GPU";
	case POLICY_AUTO:
		if (policy_options.workload_threshold_given)
			return NULL;
		return "; policy auto: calls of less than 0.1 ms stay on the CPU, others go where "
		       "they are expected to be faster";
	case POLICY_THRESHOLD: break;
	}
	return NULL;
}
