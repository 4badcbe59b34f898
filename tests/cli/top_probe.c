/* top_probe.c - multiplies small matrices until killed; SIGUSR1 makes it execute another program */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <unistd.h>

#include "tests/cli/cli_fake.h"

static volatile sig_atomic_t probe_told;

static void top_probe_note(int signal)
{
	probe_told = signal;
}

int main(int count, char **words)
{
	static double a[64], b[64], c[64];
	const double one = 1, zero = 0;
	const int n = 8;
	signal(SIGUSR1, top_probe_note);
	while (probe_told == 0 || count < 2) {
		dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n, 1, 1);
		usleep(10000);
	}
	execv(words[1], words + 1);
	return 99;
}
