/* fuzz_config.c - whole config files and the environment: every option keeps its bounds */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/settings/settings.h"
#include "tests/fuzz/fuzz.h"

/* Messages are for nobody here: stderr is the fuzzer's, and comes back behind each input. */
static int turn_stderr(int to)
{
	const int before = dup(STDERR_FILENO);
	FUZZ_CHECK(before >= 0 && dup2(to, STDERR_FILENO) == STDERR_FILENO);
	return before;
}

static void load_quietly(struct options *options)
{
	static int nothing = -1;
	if (nothing < 0)
		nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const int before = turn_stderr(nothing);
	settings_load(options);
	close(turn_stderr(before));
	close(before);
}

/* The first line is a variable of the environment, the rest a file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct options options;
	char path[64];
	const uint8_t *const end = size == 0 ? NULL : memchr(data, '\n', size);
	const size_t first = end == NULL ? 0 : (size_t)(end - data);
	char *const variable = fuzz_copy_text(data, first);
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_CHECK(fd >= 0 && fchmod(fd, 0600) == 0);
	FUZZ_CHECK(write(fd, data + first, size - first) == (ssize_t)(size - first));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	setenv("EPOCHLY_GPU_CONFIG", path, 1);
	setenv("EPOCHLY_GPU_POLICY", variable, 1);
	load_quietly(&options);
	FUZZ_CHECK(options.policy >= POLICY_AUTO && options.policy <= POLICY_DRY);
	FUZZ_CHECK(memchr(options.log, '\0', sizeof options.log) != NULL);
	settings_program_excluded(&options);
	close(fd);
	free(variable);
	return 0;
}
