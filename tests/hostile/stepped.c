/* stepped.c - a handler at each of the first instructions of a call; usage: stepped call|jump */
/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "interrupted.h"

#if defined(__x86_64__)

/* The trap flag: the processor raises SIGTRAP after each instruction. */
enum { TRAP = 0x100, STEPS_DENSE = 60, STEPS_MOST = 1500, STRIDE = 131, ORDER = 6 };

static struct operands in_main, in_handler;
static sigjmp_buf back;
static int step, target, wrong;
static bool jumps;

/* A handler of SIGALRM would run here, unless the interrupted code blocks that. */
static void on_step(int number, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;
	(void)number, (void)info;
	if (step++ < target || sigismember(&interrupted->uc_sigmask, SIGALRM) == 1)
		return;
	interrupted->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP;
	if (jumps)
		siglongjmp(back, 1);
	/* The interrupted name comes last but one: another one's traces are left behind. */
	wrong += !multiply_cblas(&in_handler, ORDER) || !multiply(&in_handler, ORDER) ||
	         !multiply_complex(&in_handler, ORDER);
}

static void start_steps(void)
{
	step = 0;
	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

static void stop_steps(void)
{
	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

static void call_at(int instruction)
{
	target = instruction;
	multiply_fill(&in_main, ORDER);
	if (sigsetjmp(back, 1) == 0) {
		start_steps();
		multiply_call(&in_main, ORDER);
		stop_steps();
		wrong += !multiply_check(&in_main, ORDER);
	}
	wrong += !multiply(&in_main, ORDER) || !multiply_cblas(&in_main, ORDER) ||
	         !multiply_complex(&in_main, ORDER);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	jumps = argc > 1 && strcmp(argv[1], "jump") == 0;
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGTRAP, &action, NULL) != 0)
		return 3;
	in_main = operands_make(ORDER);
	in_handler = operands_make(ORDER);
	watch_for(60);
	watch_part("the first call");
	call_at(argc > 2 ? atoi(argv[2]) : 1500);
	watch_part("each instruction");
	for (int at = 0; at < STEPS_MOST; at += at < STEPS_DENSE ? 1 : STRIDE)
		call_at(at);
	printf("%d wrong results\n", wrong);
	return wrong != 0;
}

#else

int main(void)
{
	printf("no stepping on this processor\n");
	return 77;
}

#endif
