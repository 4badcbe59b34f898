/* cli_report.c - the command report: reads logs, adds them up, prints what they tell */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_report.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/cli_arguments.h"
#include "cli/cli_explain_machine.h"
#include "cli/cli_page.h"
#include "cli/cli_say.h"
#include "shim/settings.h"

struct report_request {
	bool json;
	const char *page;    /* where it goes, or NULL */
	const char *profile; /* the machine of its curves; NULL: this one */
	size_t count;
	const char **paths; /* in the words' own place */
};

/* Where the value of the option in hand goes, or NULL. */
static const char **cli_report_find_value(struct report_request *request, const struct cli_arguments *arguments)
{
	if (cli_arguments_is(arguments, "html"))
		return &request->page;
	return cli_arguments_is(arguments, "profile") ? &request->profile : NULL;
}

/* The option in hand; false after a sentence. */
static bool cli_report_take_option(struct report_request *request, struct cli_arguments *arguments)
{
	const char **value = cli_report_find_value(request, arguments);
	if (value != NULL)
		return (*value = cli_arguments_take_value(arguments)) != NULL;
	if (!cli_arguments_is(arguments, "json")) {
		cli_say("unknown option '%s'; `gpushim help report` lists what there is", arguments->word);
		return false;
	}
	request->json = true;
	return cli_arguments_check_flag(arguments);
}

/* Options stand anywhere, and a lone - is a log: stdin. Returns CLI_FINE, or CLI_USAGE after a sentence. */
static int cli_report_read_words(struct report_request *request, char **words)
{
	struct cli_arguments arguments = {.rest = words};
	bool closed = false;
	request->paths = (const char **)words; /* what was read leaves room for what is kept */
	while (arguments.rest[0] != NULL) {
		const char *word = arguments.rest[0];
		if (!closed && strcmp(word, "--") == 0) {
			closed = true;
			arguments.rest++;
		} else if (closed || word[0] != '-' || word[1] == '\0') {
			request->paths[request->count++] = *arguments.rest++;
		} else if (!cli_arguments_take(&arguments) || !cli_report_take_option(request, &arguments)) {
			return CLI_USAGE;
		}
	}
	if (request->count == 0)
		return cli_say_refusal("no log to report; EPOCHLY_GPU_LOG=FILE makes the shim write one");
	if (request->profile != NULL && request->page == NULL)
		return cli_say_refusal("--profile is for the curves of --html FILE");
	return CLI_FINE;
}

static struct cli_log_sum *cli_report_add_up(struct cli_log *log)
{
	struct cli_log_sum *sum = cli_log_sum_make();
	struct cli_log_record record;
	while (cli_log_next(log, &record))
		cli_log_sum_add(sum, &record);
	for (size_t i = 0; i < cli_log_count_files(log); i++)
		sum->files += cli_log_file(log, i)->records > 0;
	cli_log_sum_end(sum);
	return sum;
}

/* Curves are drawn where a profile tells of a machine; assumptions alone are not worth a curve. */
static int cli_report_write_page(const struct report_request *request, const struct cli_log_sum *sum)
{
	static struct options options;
	static struct cli_explain_machine machine;
	settings_load(&options);
	if (!cli_explain_machine_load(&machine, request->profile, &options))
		return CLI_USAGE;
	return cli_page_write(sum, machine.found ? &machine.complete : NULL, request->page) ? CLI_FINE : CLI_NOT_RUN;
}

static int cli_report_put(const struct report_request *request, const struct cli_log *log,
                          const struct cli_log_sum *sum)
{
	const int status = request->page != NULL ? cli_report_write_page(request, sum) : CLI_FINE;
	if (status != CLI_FINE)
		return status;
	if (request->json)
		cli_report_print_json(log, sum);
	else
		cli_report_print(sum);
	return CLI_FINE;
}

int cli_report_serve(char **words)
{
	struct report_request request = {.json = false};
	int status = cli_report_read_words(&request, words);
	if (status != CLI_FINE)
		return status;
	struct cli_log *log = cli_log_open(request.paths, request.count);
	struct cli_log_sum *sum = cli_report_add_up(log);
	status = cli_log_tell(log);
	if (status == CLI_FINE)
		status = cli_report_put(&request, log, sum);
	cli_log_sum_free(sum);
	cli_log_close(log);
	return status;
}
