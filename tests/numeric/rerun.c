/* rerun.c - options that tests of random calls share, and the call that a signal ended */
/* SPDX-License-Identifier: Apache-2.0 */
#include "rerun.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAILURES_SHOWN = 10, PAGE_BYTES = 4096 };

struct rerun rerun;
static volatile uint64_t rerun_number;

bool rerun_take(int key)
{
	switch (key) {
	case 's': rerun.seed = strtoull(optarg, NULL, 10); return true;
	case 'f': rerun.first = strtoull(optarg, NULL, 10); return true;
	case 'c': rerun.count = strtoull(optarg, NULL, 10); return true;
	case 'a': rerun.all = true; return true;
	case 'v': rerun.verbose = true; return true;
	case 't': rerun.twice = true; return true;
	case 'S': rerun.shared = true; return true;
	default: return false;
	}
}

bool rerun_goes_on(uint64_t calls, uint64_t failures)
{
	return calls < rerun.count && (rerun.all || failures < FAILURES_SHOWN);
}

void rerun_restore(char *now, const char *before, size_t size_bytes)
{
	size_t at = 0;
	while (at < size_bytes) {
		const size_t to_end = PAGE_BYTES - (uintptr_t)(now + at) % PAGE_BYTES,
			     left = size_bytes - at, bytes = to_end < left ? to_end : left;
		if (memcmp(now + at, before + at, bytes) != 0)
			memcpy(now + at, before + at, bytes);
		at += bytes;
	}
}

void rerun_note(uint64_t number)
{
	rerun_number = number;
}

static void rerun_tell(int signal)
{
	char text[160];
	const int length = snprintf(
		text, sizeof text, "FAIL signal %d in --seed %llu --first %llu --count 1\n", signal,
		(unsigned long long)rerun.seed, (unsigned long long)rerun_number);
	if (write(STDOUT_FILENO, text, (size_t)length) < 0)
		_exit(5);
	_exit(4);
}

/* On a stack of its own: FFTW has planned itself off the other one. */
void rerun_watch(void)
{
	static char stack[1 << 16];
	const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = rerun_tell, .sa_flags = SA_ONSTACK};
	sigaltstack(&other, NULL);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &action, NULL);
}
