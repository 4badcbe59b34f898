/* kernel_probe.c - userfaultfd with asynchronous write protection, and PAGEMAP_SCAN */
/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char *say(const char *what)
{
	static char sentence[256];
	const int error = errno;
	struct utsname system;
	uname(&system);
	snprintf(sentence, sizeof sentence, "%s on this kernel (%s: %s)", what, system.release,
	         strerror(error));
	return sentence;
}

const char *kernel_probe_find_missing(void)
{
	uint64_t api[3] = {0xaa, 1 << 15 | 1 << 13 | 1, 0}, scan[12] = {sizeof scan};
	const int faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1);
	if (faults < 0)
		return say("userfaultfd cannot be used");
	const int answered = ioctl(faults, _IOWR(0xaa, 0x3f, uint64_t[3]), api);
	close(faults);
	if (answered != 0)
		return say("userfaultfd does not resolve tracked writes");
	const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (map < 0)
		return say("/proc/self/pagemap cannot be opened");
	const int scanned = ioctl(map, _IOWR('f', 16, uint64_t[12]), scan);
	close(map);
	return scanned == 0 ? NULL : say("PAGEMAP_SCAN cannot be used");
}
