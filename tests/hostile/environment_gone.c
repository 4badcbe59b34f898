/* environment_gone.c - ends with a list of variables in memory that it has given back */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
	enum { BYTES = 4096 };
	char **list = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (list == MAP_FAILED)
		return 1;
	puts("the environment is gone");
	fflush(stdout);
	__environ = list;
	return munmap(list, BYTES) != 0;
}
