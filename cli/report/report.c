/* report.c - `gpushim report`: reads logs, adds them up, prints the report */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <string.h>

#include "cli/common/command.h"
#include "cli/common/known_machine.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "shim/settings/settings.h"

static struct log_sum *report_add_up(struct log *log)
{
	struct log_sum *sum = log_sum_make();
	struct log_record record;
	log_take_totals(log);
	while (log_next(log, &record))
		log_sum_add(sum, &record);
	for (size_t i = 0; i < log_count_files(log); i++)
		sum->files += log_file(log, i)->records > 0;
	log_sum_end(sum);
	return sum;
}

/* Curves without transfers are drawn only where there is a profile, not from assumptions alone. */
static int report_write_page(const struct report_arguments *arguments, const struct log_sum *sum)
{
	static struct options options;
	static struct known_machine machine;
	settings_load(&options);
	if (!known_machine_load(&machine, arguments->profile, &options))
		return TOOL_USAGE;
	return report_page_write(sum, machine.found ? &machine.complete : NULL, arguments->html)
	               ? TOOL_FINE
	               : TOOL_NOT_RUN;
}

static int report_put(const struct report_arguments *arguments, const struct log *log,
                      const struct log_sum *sum)
{
	const int status = arguments->html != NULL ? report_write_page(arguments, sum) : TOOL_FINE;
	if (status != TOOL_FINE)
		return status;
	struct emit emit;
	emit_begin(&emit, stdout, arguments->json);
	report_print(&emit, log, sum);
	emit_end(&emit);
	return TOOL_FINE;
}

int report_serve(struct report_arguments *arguments)
{
	const char *const *paths = (const char *const *)arguments->words.operands;
	if (arguments->profile != NULL && arguments->html == NULL)
		return say_refusal("--profile is for the curves of --html FILE");
	struct log *log = log_open(paths, arguments->words.count);
	struct log_sum *sum = report_add_up(log);
	int status = log_tell(log);
	if (status == TOOL_FINE)
		status = report_put(arguments, log, sum);
	log_sum_free(sum);
	log_close(log);
	return status;
}
