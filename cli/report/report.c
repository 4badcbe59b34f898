/* report.c - the command report: reads logs, adds them up, prints what they tell */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/report.h"

#include <string.h>

#include "cli/common/arguments.h"
#include "cli/common/known_machine.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/report/report_page.h"
#include "shim/settings/settings.h"

struct report_request {
	bool json;
	const char *page;    /* where it goes, or NULL */
	const char *profile; /* the machine of its curves; NULL: this one */
	size_t count;
	const char **paths; /* in the words' own place */
};

/* Where the value of the option in hand goes, or NULL. */
static const char **report_find_value(struct report_request *request,
                                      const struct arguments *arguments)
{
	if (arguments_is(arguments, "html"))
		return &request->page;
	return arguments_is(arguments, "profile") ? &request->profile : NULL;
}

/* The option in hand; false after a sentence. */
static bool report_take_option(struct report_request *request, struct arguments *arguments)
{
	const char **value = report_find_value(request, arguments);
	if (value != NULL)
		return (*value = arguments_take_value(arguments)) != NULL;
	if (!arguments_is(arguments, "json")) {
		say("unknown option '%s'; `gpushim help report` lists what there is",
		    arguments->word);
		return false;
	}
	request->json = true;
	return arguments_check_flag(arguments);
}

/*
 * Options stand anywhere, and a lone - is a log: stdin. Returns TOOL_FINE, or TOOL_USAGE after a
 * sentence.
 */
static int report_read_words(struct report_request *request, char **words)
{
	struct arguments arguments = {.rest = words};
	bool closed = false;
	request->paths = (const char **)words; /* what was read leaves room for what is kept */
	while (arguments.rest[0] != NULL) {
		const char *word = arguments.rest[0];
		if (!closed && strcmp(word, "--") == 0) {
			closed = true;
			arguments.rest++;
		} else if (closed || word[0] != '-' || word[1] == '\0') {
			request->paths[request->count++] = *arguments.rest++;
		} else if (!arguments_take(&arguments) ||
		           !report_take_option(request, &arguments)) {
			return TOOL_USAGE;
		}
	}
	if (request->count == 0)
		return say_refusal(
			"no log to report; EPOCHLY_GPU_LOG=FILE makes the shim write one");
	if (request->profile != NULL && request->page == NULL)
		return say_refusal("--profile is for the curves of --html FILE");
	return TOOL_FINE;
}

static struct log_sum *report_add_up(struct log *log)
{
	struct log_sum *sum = log_sum_make();
	struct log_record record;
	while (log_next(log, &record))
		log_sum_add(sum, &record);
	for (size_t i = 0; i < log_count_files(log); i++)
		sum->files += log_file(log, i)->records > 0;
	log_sum_end(sum);
	return sum;
}

/* Curves are drawn where a profile tells of a machine; assumptions alone are not worth a curve. */
static int report_write_page(const struct report_request *request, const struct log_sum *sum)
{
	static struct options options;
	static struct known_machine machine;
	settings_load(&options);
	if (!known_machine_load(&machine, request->profile, &options))
		return TOOL_USAGE;
	return report_page_write(sum, machine.found ? &machine.complete : NULL, request->page)
	               ? TOOL_FINE
	               : TOOL_NOT_RUN;
}

static int report_put(const struct report_request *request, const struct log *log,
                      const struct log_sum *sum)
{
	const int status = request->page != NULL ? report_write_page(request, sum) : TOOL_FINE;
	if (status != TOOL_FINE)
		return status;
	if (request->json)
		report_print_json(log, sum);
	else
		report_print(sum);
	return TOOL_FINE;
}

int report_serve(char **words)
{
	struct report_request request = {.json = false};
	int status = report_read_words(&request, words);
	if (status != TOOL_FINE)
		return status;
	struct log *log = log_open(request.paths, request.count);
	struct log_sum *sum = report_add_up(log);
	status = log_tell(log);
	if (status == TOOL_FINE)
		status = report_put(&request, log, sum);
	log_sum_free(sum);
	log_close(log);
	return status;
}
