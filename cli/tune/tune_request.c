/* tune_request.c - reads the words: logs, and options anywhere between them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/tune/tune_request.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/arguments.h"
#include "cli/common/say.h"
#include "policy/text/number.h"
#include "shim/settings/settings.h"

static const char request_own[] = "--profile, --threads, --write, --force, --json";
enum { REQUEST_THREADS_MAX = 4096 };

static bool tune_request_set_threads(struct tune_request *request, const char *value)
{
	uint64_t threads = 0;
	if (value == NULL)
		return false;
	if (number_parse_count(value, strlen(value), &threads) == NUMBER_FINE && threads >= 1 &&
	    threads <= REQUEST_THREADS_MAX) {
		request->threads = (int)threads;
		return true;
	}
	say("--threads cannot be '%s'; allowed: a whole number, 1 to %d", value,
	    REQUEST_THREADS_MAX);
	return false;
}

static bool tune_request_set_flag(const struct arguments *arguments, bool *flag)
{
	*flag = true;
	return arguments_check_flag(arguments);
}

static bool tune_request_set_option(struct tune_request *request, struct arguments *arguments,
                                    struct environment *environment)
{
	if (arguments_is(arguments, "profile"))
		return (request->profile = arguments_take_value(arguments)) != NULL;
	if (arguments_is(arguments, "write"))
		return (request->write = arguments_take_value(arguments)) != NULL;
	if (arguments_is(arguments, "threads"))
		return tune_request_set_threads(request, arguments_take_value(arguments));
	if (arguments_is(arguments, "json"))
		return tune_request_set_flag(arguments, &request->json);
	if (arguments_is(arguments, "force"))
		return tune_request_set_flag(arguments, &request->force);
	return arguments_set_option(arguments, environment, request_own);
}

static bool tune_request_check(const struct tune_request *request)
{
	if (request->path_count == 0)
		say("tune by which log? EPOCHLY_GPU_LOG=FILE makes the shim write one: gpushim tune FILE");
	else if (request->force && request->write == NULL)
		say("--force says that --write FILE may replace a file, and no file is named");
	else
		return true;
	return false;
}

bool tune_request_read(struct tune_request *request, char **words)
{
	static struct environment environment;
	struct arguments arguments = {.rest = words};
	size_t count = 0;
	while (words[count] != NULL)
		count++;
	request->paths = say_need(calloc(count + 1, sizeof *request->paths));
	environment_copy(&environment, environ);
	while (arguments.rest[0] != NULL) {
		const bool option = arguments.rest[0][0] == '-' && arguments.rest[0][1] != '\0';
		if (option && !arguments_take(&arguments)) /* a "--": all that follows is logs */
			while (arguments.rest[0] != NULL)
				request->paths[request->path_count++] = *arguments.rest++;
		else if (!option)
			request->paths[request->path_count++] = *arguments.rest++;
		else if (!tune_request_set_option(request, &arguments, &environment))
			return false;
	}
	/* Options as they would be read: the command line stands in the environment. */
	environ = environment.entries;
	settings_load(&request->options);
	options_settle(&request->options);
	return tune_request_check(request);
}
