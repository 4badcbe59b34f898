/* gpu_check_child.c - runs the test program again as one of its scenarios */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_child.h"
#include "tests/driver/whole_messages.h"

static void gpu_child_become(const struct gpu_child *child, int errors)
{
	static const char *const unset[] = {"CUDA_PATH",    "CUDA_HOME",       "CONDA_PREFIX",
	                                    "VIRTUAL_ENV",  "LD_LIBRARY_PATH", "SIMCUDA_FAIL",
	                                    "SIMCUDA_SLOW", "SIMCUDA_DRIVER",  "SIMCUDA_DEVICES"};
	for (size_t i = 0; i < sizeof unset / sizeof unset[0]; i++)
		unsetenv(unset[i]);
	for (int i = 0; i < GPU_CHILD_SETTINGS && child->setting[i] != NULL; i++)
		putenv((char *)(uintptr_t)child->setting[i]);
	dup2(errors, STDERR_FILENO);
	execl("/proc/self/exe", "scenario", child->scenario, (char *)NULL);
	_exit(125);
}

static void gpu_child_read(struct gpu_child *child, int errors)
{
	size_t length = 0;
	char rest[256];
	for (;;) {
		const bool full = length == sizeof child->errors - 1;
		const ssize_t got = full ? read(errors, rest, sizeof rest)
		                         : read(errors, child->errors + length,
		                                sizeof child->errors - 1 - length);
		if (got <= 0)
			break;
		length += full ? 0 : (size_t)got;
	}
	child->errors[length] = '\0';
	whole_messages_join(child->errors);
}

void gpu_child_run(struct gpu_child *child)
{
	struct timespec begin, end;
	int errors[2];
	clock_gettime(CLOCK_MONOTONIC, &begin);
	fflush(NULL);
	if (pipe(errors) != 0)
		return;
	const pid_t process = fork();
	if (process == 0)
		gpu_child_become(child, errors[1]);
	close(errors[1]);
	gpu_child_read(child, errors[0]);
	close(errors[0]);
	waitpid(process, &child->status, 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	child->elapsed_s =
		(double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

bool gpu_child_exited(const struct gpu_child *child, int status)
{
	return WIFEXITED(child->status) && WEXITSTATUS(child->status) == status;
}

int gpu_child_messages(const struct gpu_child *child)
{
	int count = 0;
	for (const char *found = child->errors; (found = strstr(found, "gpushim: warn:")) != NULL;
	     found++)
		count++;
	return count;
}
