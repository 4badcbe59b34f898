/* compare_options.c - compare's own options, checked */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/compare/compare.h"
#include "cli/compare/interval.h"
#include "policy/text/number.h"

enum { OPTIONS_RUNS_MAX = 10000 };

static const double options_confidence = 0.95;
static const char options_own[] =
	"--audit, --export, --fail-if-slower, --runs, --seconds, --seed, --tolerance, --try, --warmup-runs";

static bool compare_options_count(struct arguments *arguments, uint64_t least, uint64_t most,
                                  uint64_t *count)
{
	const char *value = arguments_take_value(arguments);
	uint64_t found = 0;
	if (value == NULL)
		return false;
	if (number_parse_count(value, strlen(value), &found) != NUMBER_FINE || found < least ||
	    found > most) {
		say("--%s cannot be '%s'; allowed: a whole number, %llu to %llu", arguments->option,
		    value, (unsigned long long)least, (unsigned long long)most);
		return false;
	}
	*count = found;
	return true;
}

static bool compare_options_real(struct arguments *arguments, bool zero, double *number)
{
	const char *value = arguments_take_value(arguments);
	double found = 0;
	if (value == NULL)
		return false;
	if (number_parse_real(value, strlen(value), &found) != NUMBER_FINE ||
	    (!zero && found <= 0)) {
		say("--%s cannot be '%s'; allowed: a number, %s", arguments->option, value,
		    zero ? "0 or more" : "above 0");
		return false;
	}
	*number = found;
	return true;
}

static bool compare_options_add_try(struct compare *compare, const char *value)
{
	if (value == NULL)
		return false;
	if (compare->try_count == RUN_ORDER_SIDES - 1) {
		say("there are more than %d configurations to --try", RUN_ORDER_SIDES - 1);
		return false;
	}
	compare->tries[compare->try_count++] = value;
	return true;
}

/*
 * A machine that comes with the shim is another one than this: its profile serves the prediction
 * alone.
 */
static bool compare_options_set_profile(struct compare *compare, struct arguments *arguments)
{
	const char *value = arguments_take_value(arguments);
	if (value == NULL)
		return false;
	char *path = strchr(value, '/') == NULL ? install_paths_find_machine(value) : NULL;
	const bool is_reference = path != NULL;
	free(path);
	compare->profile = value;
	return is_reference ||
	       arguments_set_option(arguments, &compare->trial.side[TRIAL_RUNS_ON].environment, "");
}

static bool compare_options_set_shim(struct compare *compare, struct arguments *arguments)
{
	if (arguments_is(arguments, "profile"))
		return compare_options_set_profile(compare, arguments);
	if (!arguments_is(arguments, "counters"))
		return arguments_set_option(
			arguments, &compare->trial.side[TRIAL_RUNS_ON].environment, options_own);
	say("compare keeps the counters itself; --counters is an option of `gpushim run`");
	return false;
}

bool compare_options_set(struct compare *compare, struct arguments *arguments)
{
	struct trial_runs *trial = &compare->trial;
	if (arguments_is(arguments, "runs"))
		return compare_options_count(arguments, 1, OPTIONS_RUNS_MAX, &trial->runs);
	if (arguments_is(arguments, "warmup-runs"))
		return compare_options_count(arguments, 0, OPTIONS_RUNS_MAX, &trial->warmup_runs);
	if (arguments_is(arguments, "seed"))
		return compare_options_count(arguments, 0, UINT64_MAX, &trial->seed);
	if (arguments_is(arguments, "seconds"))
		return compare_options_real(arguments, false, &trial->seconds);
	if (arguments_is(arguments, "tolerance"))
		return compare_options_real(arguments, true, &trial->tolerance);
	if (arguments_is(arguments, "fail-if-slower"))
		return compare_options_real(arguments, true, &compare->slower_percent);
	if (arguments_is(arguments, "export"))
		return (compare->export = arguments_take_value(arguments)) != NULL;
	if (arguments_is(arguments, "try"))
		return compare_options_add_try(compare, arguments_take_value(arguments));
	if (!arguments_is(arguments, "audit"))
		return compare_options_set_shim(compare, arguments);
	compare->audited = true;
	return arguments_check_flag(arguments);
}

bool compare_options_settle(struct compare *compare, size_t runs)
{
	struct trial_runs *trial = &compare->trial;
	const size_t least = interval_least_count(options_confidence);
	if (trial->runs == 0)
		trial->runs = trial->seconds > 0 ? OPTIONS_RUNS_MAX : runs;
	if (compare->slower_percent < 0 || trial->runs >= least)
		return true;
	say("--fail-if-slower needs --runs %zu or more: fewer allow no 95 %% interval", least);
	return false;
}
