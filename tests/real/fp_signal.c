/* fp_signal.c - preloaded: SIGSTKFLT sets the thread's floating-point environment, as FP_WAY says */
/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum {
	SSE_TRAPS = 0x0680,
	X87_TRAPS = 0x0d,
	SSE_INVALID = 0x80,
	X87_INVALID = 1,
	SSE_UPWARD = 0x4000,
	X87_UPWARD = 0x0800
};

/*
 * The registers that the interrupted thread gets back. traps: invalid, zero, overflow; zero: the
 * last two, for R, which computes with signalling numbers itself.
 */
static void set_environment(int number, siginfo_t *information, void *context)
{
	const char *way = getenv("FP_WAY");
	struct _libc_fpstate *registers = ((ucontext_t *)context)->uc_mcontext.fpregs;
	(void)number, (void)information;
	registers->mxcsr &= ~0x3fu;
	if (way != NULL && strcmp(way, "traps") == 0) {
		registers->mxcsr &= ~(unsigned)SSE_TRAPS;
		registers->cwd &= (unsigned short)~X87_TRAPS;
	}
	if (way != NULL && strcmp(way, "zero") == 0) {
		registers->mxcsr &= ~(unsigned)(SSE_TRAPS & ~SSE_INVALID);
		registers->cwd &= (unsigned short)~(X87_TRAPS & ~X87_INVALID);
	}
	if (way != NULL && strcmp(way, "upward") == 0) {
		registers->mxcsr |= SSE_UPWARD;
		registers->cwd |= X87_UPWARD;
	}
}

__attribute__((constructor)) static void wait_for_signal(void)
{
	struct sigaction action = {.sa_sigaction = set_environment, .sa_flags = SA_SIGINFO};
	sigaction(SIGSTKFLT, &action, NULL);
}
