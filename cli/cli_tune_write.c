/* cli_tune_write.c - the recommended setting as a config file, whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/stat.h>

#include "cli/cli_say.h"
#include "cli/cli_store.h"
#include "cli/cli_tune.h"

static void cli_tune_write_lines(FILE *file, const struct cli_tune_result *result)
{
	char line[CLI_TUNE_LINE_BYTES];
	int position = 0;
	fprintf(file, "# gpushim.conf - what gpushim tune, gpushim %s, found for %llu recorded calls\n",
	        GPUSHIM_VERSION, (unsigned long long)result->sum->all.calls);
	fprintf(file, "# EPOCHLY_GPU_CONFIG names this file; a variable EPOCHLY_GPU_<KEY> wins over it\n");
	while (cli_tune_next_line(result, &position, line))
		fprintf(file, "%s\n", line);
	if (result->best == cli_tune_find_base(result))
		fprintf(file, "# nothing was worth changing\n");
}

static bool cli_tune_write_is_allowed(const struct cli_tune_request *request)
{
	struct stat status;
	if (stat(request->write, &status) != 0 && lstat(request->write, &status) != 0)
		return true;
	if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
		cli_say("%s is no regular file; the settings are not stored", request->write);
	else if (!request->force)
		cli_say("%s is there already; --force replaces it", request->write);
	else
		return true;
	return false;
}

bool cli_tune_write(const struct cli_tune_result *result)
{
	const struct cli_tune_request *request = result->request;
	struct cli_store store;
	if (!cli_tune_write_is_allowed(request))
		return false;
	cli_store_begin(&store);
	cli_tune_write_lines(store.file, result);
	const int error = cli_store_end(&store, request->write, request->force);
	if (error != 0)
		cli_say("cannot write %s: %s; the settings are not stored", request->write, cli_say_error(error));
	return error == 0;
}
