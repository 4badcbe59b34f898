/* cli_compare_options.c - compare's own options, checked */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli_compare.h"
#include "cli/cli_interval.h"
#include "cli/cli_place.h"
#include "cli/cli_say.h"
#include "policy/number.h"

enum { OPTIONS_RUNS_MAX = 10000 };

static const double options_confidence = 0.95;
static const char options_own[] =
	"--audit, --export, --fail-if-slower, --runs, --seconds, --seed, --tolerance, --try, --warmup-runs";

static bool cli_compare_options_count(struct cli_arguments *arguments, uint64_t least, uint64_t most, uint64_t *count)
{
	const char *value = cli_arguments_take_value(arguments);
	uint64_t found = 0;
	if (value == NULL)
		return false;
	if (number_parse_count(value, strlen(value), &found) != NUMBER_FINE || found < least || found > most) {
		cli_say("--%s cannot be '%s'; allowed: a whole number, %llu to %llu", arguments->option, value,
		        (unsigned long long)least, (unsigned long long)most);
		return false;
	}
	*count = found;
	return true;
}

static bool cli_compare_options_real(struct cli_arguments *arguments, bool zero, double *number)
{
	const char *value = cli_arguments_take_value(arguments);
	double found = 0;
	if (value == NULL)
		return false;
	if (number_parse_real(value, strlen(value), &found) != NUMBER_FINE || (!zero && found <= 0)) {
		cli_say("--%s cannot be '%s'; allowed: a number, %s", arguments->option, value,
		        zero ? "0 or more" : "above 0");
		return false;
	}
	*number = found;
	return true;
}

static bool cli_compare_options_add_try(struct cli_compare *compare, const char *value)
{
	if (value == NULL)
		return false;
	if (compare->try_count == CLI_ORDER_SIDES - 1) {
		cli_say("there are more than %d configurations to --try", CLI_ORDER_SIDES - 1);
		return false;
	}
	compare->tries[compare->try_count++] = value;
	return true;
}

/* A machine that comes with the shim is another one than this: its profile serves the prediction alone. */
static bool cli_compare_options_set_profile(struct cli_compare *compare, struct cli_arguments *arguments)
{
	const char *value = cli_arguments_take_value(arguments);
	if (value == NULL)
		return false;
	char *path = strchr(value, '/') == NULL ? cli_place_find_machine(value) : NULL;
	const bool is_reference = path != NULL;
	free(path);
	compare->profile = value;
	return is_reference || cli_arguments_set_option(arguments, &compare->trial.side[CLI_TRIAL_ON].environment, "");
}

static bool cli_compare_options_set_shim(struct cli_compare *compare, struct cli_arguments *arguments)
{
	if (cli_arguments_is(arguments, "profile"))
		return cli_compare_options_set_profile(compare, arguments);
	if (!cli_arguments_is(arguments, "counters"))
		return cli_arguments_set_option(arguments, &compare->trial.side[CLI_TRIAL_ON].environment, options_own);
	cli_say("compare keeps the counters itself; --counters is an option of `gpushim run`");
	return false;
}

bool cli_compare_options_set(struct cli_compare *compare, struct cli_arguments *arguments)
{
	struct cli_trial *trial = &compare->trial;
	if (cli_arguments_is(arguments, "runs"))
		return cli_compare_options_count(arguments, 1, OPTIONS_RUNS_MAX, &trial->runs);
	if (cli_arguments_is(arguments, "warmup-runs"))
		return cli_compare_options_count(arguments, 0, OPTIONS_RUNS_MAX, &trial->warmup_runs);
	if (cli_arguments_is(arguments, "seed"))
		return cli_compare_options_count(arguments, 0, UINT64_MAX, &trial->seed);
	if (cli_arguments_is(arguments, "seconds"))
		return cli_compare_options_real(arguments, false, &trial->seconds);
	if (cli_arguments_is(arguments, "tolerance"))
		return cli_compare_options_real(arguments, true, &trial->tolerance);
	if (cli_arguments_is(arguments, "fail-if-slower"))
		return cli_compare_options_real(arguments, true, &compare->slower_percent);
	if (cli_arguments_is(arguments, "export"))
		return (compare->export = cli_arguments_take_value(arguments)) != NULL;
	if (cli_arguments_is(arguments, "try"))
		return cli_compare_options_add_try(compare, cli_arguments_take_value(arguments));
	if (!cli_arguments_is(arguments, "audit"))
		return cli_compare_options_set_shim(compare, arguments);
	compare->audited = true;
	return cli_arguments_check_flag(arguments);
}

bool cli_compare_options_settle(struct cli_compare *compare, size_t runs)
{
	struct cli_trial *trial = &compare->trial;
	const size_t least = cli_interval_least_count(options_confidence);
	if (trial->runs == 0)
		trial->runs = trial->seconds > 0 ? OPTIONS_RUNS_MAX : runs;
	if (compare->slower_percent < 0 || trial->runs >= least)
		return true;
	cli_say("--fail-if-slower needs --runs %zu or more: fewer allow no 95 %% interval", least);
	return false;
}
