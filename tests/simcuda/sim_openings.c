/* sim_openings.c - a CUDA library without functions that writes a line when it is opened */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int cudaGetDeviceCount(int *count);

__attribute__((constructor)) static void sim_openings_note(void)
{
	const char *path = getenv("OPENINGS");
	const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
	if (file >= 0 && write(file, "open\n", 5) != 5)
		abort();
	if (file >= 0)
		close(file);
}

/* The stand-ins have simcuda_version, so this counts as a real library. */
int cudaGetDeviceCount(int *count)
{
	const char *devices = getenv("OPENINGS_DEVICES");
	*count = devices ? atoi(devices) : 1;
	return 0;
}
