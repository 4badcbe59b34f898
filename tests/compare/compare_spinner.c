/* compare_spinner.c - iterations with planted noise, and a planted excess with the shim */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: compare_spinner STATE SEED SHAPE ITERATIONS SLOWER
 *
 * STATE: a file with the state of the noise, which continues from run to run; SEED starts it.
 * SLOWER: with libgpushim.so in LD_PRELOAD the program does that many percent more iterations. The
 * program is linked statically, so nothing is in fact preloaded and both sides are the same but
 * for SLOWER.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/compare/compare_noise.h"

enum { SPINNER_WORDS = 6, SPINNER_FAILED = 9 };

static int spinner_load(struct compare_noise *noise, int file, const char *seed, const char *shape)
{
	const ssize_t got = pread(file, noise, sizeof *noise, 0);
	if (got == (ssize_t)sizeof *noise)
		return 0;
	*noise = (struct compare_noise){.shape = (enum compare_noise_shape)atoi(shape),
	                                .state = 0x9e3779b97f4a7c15 *
	                                         (strtoull(seed, NULL, 10) + 1)};
	for (int i = 0; i < 8; i++)
		compare_noise_draw(noise);
	return got == 0 ? 0 : -1;
}

static double spinner_plan(const char *percent)
{
	const char *preload = getenv("LD_PRELOAD");
	return preload != NULL && strstr(preload, "libgpushim.so") != NULL ? 1 + atof(percent) / 100
	                                                                   : 1;
}

int main(int count, char **words)
{
	struct compare_noise noise;
	volatile uint64_t value = 1;
	const int file =
		count == SPINNER_WORDS ? open(words[1], O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (file < 0 || spinner_load(&noise, file, words[2], words[3]) != 0)
		return SPINNER_FAILED;
	const double iterations =
		atof(words[4]) * compare_noise_draw(&noise) * spinner_plan(words[5]);
	if (pwrite(file, &noise, sizeof noise, 0) != (ssize_t)sizeof noise)
		return SPINNER_FAILED;
	for (uint64_t left = (uint64_t)iterations; left > 0; left--)
		value = value * 6364136223846793005 + 1442695040888963407;
	puts("spun");
	return 0;
}
