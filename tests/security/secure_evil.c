/* secure_evil.c - takes a loader's place, and leaves a mark beside itself when it is run */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <libgen.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	(void)argc;
	if (chdir(dirname(argv[0])) != 0)
		return 1;
	const int fd = open("mark", O_WRONLY | O_CREAT, 0644);
	return fd < 0 || close(fd) != 0;
}
