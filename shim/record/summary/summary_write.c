/* summary_write.c - puts a summary where the option says */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/summary/summary_write.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "policy/text/words.h"
#include "shim/base/diag.h"
#include "shim/record/sink.h"

void summary_write_text(const char *where, const char *text, size_t size)
{
	char path[SINK_PATH_BYTES];
	int fd = STDERR_FILENO, error = 0;
	const bool to_file = !words_equal(words_of(where), words_of("stderr"));
	if (to_file)
		fd = sink_expand_name(where, path, sizeof(path)) ? sink_open(path) : -ENAMETOOLONG;
	if (fd >= 0)
		error = sink_write(fd, text, size);
	if (to_file && fd >= 0)
		close(fd);
	if (to_file && (fd < 0 || error != 0))
		diag_warn("cannot write the summary to '%s': %s", where,
		          sink_describe_error(fd < 0 ? -fd : error));
}
