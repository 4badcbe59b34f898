/* tune_write.c - the recommended setting as a config file, whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/stat.h>

#include "cli/common/file_buffer.h"
#include "cli/common/say.h"
#include "cli/tune/tune.h"

static void tune_write_lines(FILE *file, const struct tune_result *result)
{
	char line[TUNE_LINE_BYTES];
	int position = 0;
	fprintf(file,
	        "# gpushim.conf - what gpushim tune, gpushim %s, found for %llu recorded calls\n",
	        GPUSHIM_VERSION, (unsigned long long)result->sum->all.calls);
	fprintf(file,
	        "# EPOCHLY_GPU_CONFIG names this file; a variable EPOCHLY_GPU_<KEY> wins over it\n");
	while (tune_next_line(result, &position, line))
		fprintf(file, "%s\n", line);
	if (result->best == tune_find_base(result))
		fprintf(file, "# nothing was worth changing\n");
}

static bool tune_write_is_allowed(const struct tune_arguments *arguments)
{
	struct stat status;
	if (stat(arguments->write, &status) != 0 && lstat(arguments->write, &status) != 0)
		return true;
	if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
		say("%s is no regular file; the settings are not stored", arguments->write);
	else if (!arguments->force)
		say("%s is there already; --force replaces it", arguments->write);
	else
		return true;
	return false;
}

bool tune_write(const struct tune_result *result)
{
	const struct tune_arguments *arguments = result->request->arguments;
	struct file_buffer store;
	if (!tune_write_is_allowed(arguments))
		return false;
	file_buffer_begin(&store);
	tune_write_lines(store.file, result);
	const int error = file_buffer_end(&store, arguments->write, arguments->force);
	if (error != 0)
		say("cannot write %s: %s; the settings are not stored", arguments->write,
		    say_error(error));
	return error == 0;
}
