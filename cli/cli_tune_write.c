/* cli_tune_write.c - the recommended setting as a config file, whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_say.h"
#include "cli/cli_tune.h"

enum { WRITE_MODE = 0644 };

static bool cli_tune_write_lines(FILE *file, const struct cli_tune_result *result)
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
	return fflush(file) == 0 && ferror(file) == 0 && fchmod(fileno(file), WRITE_MODE) == 0;
}

/* Without --force the name must be free when it is taken, not only before, where the file system can tell. */
static bool cli_tune_write_name(const char *beside, const struct cli_tune_request *request)
{
	if (request->force)
		return rename(beside, request->write) == 0;
	if (link(beside, request->write) == 0) {
		unlink(beside);
		return true;
	}
	return (errno == EPERM || errno == EOPNOTSUPP) && rename(beside, request->write) == 0;
}

static bool cli_tune_write_is_allowed(const struct cli_tune_request *request)
{
	struct stat status;
	if (lstat(request->write, &status) != 0)
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
	if (!cli_tune_write_is_allowed(request))
		return false;
	char *beside = cli_say_text("%s.XXXXXX", request->write);
	const int fd = mkostemp(beside, O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool fine = file != NULL && cli_tune_write_lines(file, result);
	int error = errno;
	if (file != NULL && fclose(file) != 0 && fine) {
		error = errno;
		fine = false;
	}
	if (fine && !cli_tune_write_name(beside, request)) {
		error = errno;
		fine = false;
	}
	if (!fine && fd >= 0)
		unlink(beside);
	if (!fine)
		cli_say("cannot write %s: %s; the settings are not stored", request->write, cli_say_error(error));
	free(beside);
	return fine;
}
