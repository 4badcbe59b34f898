/* report.c - `gpushim report`: reads logs, adds them up, prints the report */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <string.h>

#include "cli/common/command.h"
#include "cli/common/tool.h"
#include "cli/recorded/recorded_prediction.h"
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

/* The machine of the prediction and of the page's curves. */
static struct known_machine report_machine;
static struct options report_options;

/*
 * Curves without transfers are drawn only where there is a profile of this machine or one that was
 * named, not from assumptions alone.
 */
static int report_write_page(const struct report_arguments *arguments, const struct log_sum *sum,
                             const struct prediction *prediction, const char *advice)
{
	const struct known_machine *machine = &report_machine;
	const bool drawn = machine->found && (machine->is_named || !machine->is_reference);
	return report_page_write(sum, prediction, advice, drawn ? &machine->complete : NULL,
	                         arguments->html)
	               ? TOOL_FINE
	               : TOOL_NOT_RUN;
}

/* false where nothing is predicted: of totals, and of logs that cannot be read twice. */
static bool report_predict(const struct report_arguments *arguments, const struct log_sum *sum,
                           struct prediction *prediction)
{
	const char *const *paths = (const char *const *)arguments->words.operands;
	const size_t count = arguments->words.count;
	if (!recorded_prediction_can_repeat(paths, count))
		return false;
	const struct predict_totals totals =
		recorded_prediction_find(paths, count, &report_machine, &report_options, NULL);
	*prediction = prediction_make(&report_machine, &totals, &report_options);
	return totals.calls > 0 || !sum->has_totals;
}

static int report_put(const struct report_arguments *arguments, const struct log *log,
                      const struct log_sum *sum)
{
	struct prediction found;
	const struct prediction *prediction =
		report_predict(arguments, sum, &found) ? &found : NULL;
	char advice[REPORT_ADVICE_BYTES];
	report_advice_find(sum, report_machine.complete.start_ns, advice);
	const int status = arguments->html != NULL
	                           ? report_write_page(arguments, sum, prediction, advice)
	                           : TOOL_FINE;
	if (status != TOOL_FINE)
		return status;
	struct emit emit;
	emit_begin(&emit, stdout, arguments->json);
	if (prediction != NULL) {
		prediction_emit(&emit, prediction);
		emit_print(&emit, "\n");
	} else {
		emit_null(&emit, "prediction");
	}
	report_print(&emit, log, sum, advice);
	emit_end(&emit);
	return TOOL_FINE;
}

static int report_serve_logs(const struct report_arguments *arguments, const char *const *paths)
{
	struct log *log = log_open(paths, arguments->words.count);
	struct log_sum *sum = report_add_up(log);
	int status = log_tell(log);
	if (status == TOOL_FINE)
		status = report_put(arguments, log, sum);
	log_sum_free(sum);
	log_close(log);
	return status;
}

int report_serve(struct report_arguments *arguments)
{
	const char *const *paths = (const char *const *)arguments->words.operands;
	settings_load(&report_options);
	options_settle(&report_options);
	if (!recorded_prediction_load(&report_machine, arguments->profile, paths,
	                              arguments->words.count, &report_options))
		return TOOL_USAGE;
	return report_serve_logs(arguments, paths);
}
