/* count_hook.c - new threads, forks, jumps, signals, and routines that R's packages register */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_hook.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "audit/count/count_sample.h"
#include "audit/count/count_store.h"
#include "audit/count/count_time.h"

enum { HOOK_ROUTINES = 512 };

/* R's table of routines for .Call, which ends with an empty name. */
struct hook_routine {
	const char *name;
	uintptr_t function;
	int arguments;
};

typedef int hook_register(void *library, const void *c, const struct hook_routine *call,
                          const void *fortran, const void *external);

typedef int hook_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                        void *argument);
/* Those of <threads.h>, which glibc before 2.28 lacks. */
typedef unsigned long hook_thread_c11;
typedef int hook_start_c11(void *argument);
typedef int hook_create_c11(hook_thread_c11 *thread, hook_start_c11 *start, void *argument);
typedef pid_t hook_fork(void);
typedef void hook_jump(void *environment, int value);
typedef int hook_action(int signal, const struct sigaction *action, struct sigaction *before);
typedef void (*hook_handler)(int signal);
typedef hook_handler hook_signal(int signal, hook_handler handler);

enum hook_function {
	HOOK_REGISTER,
	HOOK_CREATE,
	HOOK_CREATE_C11,
	HOOK_FORK,
	HOOK_JUMP,
	HOOK_JUMP_PLAIN,
	HOOK_JUMP_SIGNALS,
	HOOK_JUMP_CHECKED,
	HOOK_ACTION,
	HOOK_SIGNAL,
	HOOKS
};

/* The functions of the program's own namespace, where each is once. */
static uintptr_t hook_real[HOOKS];

/* The stub of a routine that is measured, or the routine itself. */
static uintptr_t count_hook_find_stub(const struct hook_routine *routine)
{
	char symbol[COUNT_SYMBOL_BYTES];
	const struct count_party *party = count_audit_find_party(routine->function);
	const int length = snprintf(symbol, sizeof symbol, "stats::%s", routine->name);
	if (party == NULL || strstr(count_store.objects[party->number].path, "/stats.so") == NULL ||
	    length >= (int)sizeof symbol)
		return routine->function;
	return count_bind_symbol(symbol, routine->function, party, party, false);
}

/* R copies the table. */
static int count_hook_register(void *library, const void *c, const struct hook_routine *call,
                               const void *fortran, const void *external)
{
	hook_register *const real = (hook_register *)hook_real[HOOK_REGISTER];
	struct hook_routine copy[HOOK_ROUTINES];
	int count = 0;
	while (call != NULL && count < HOOK_ROUTINES && call[count].name != NULL) {
		copy[count] = call[count];
		copy[count].function = count_hook_find_stub(&call[count]);
		count++;
	}
	if (call == NULL || count == HOOK_ROUTINES)
		return real(library, c, call, fortran, external);
	copy[count] = call[count];
	return real(library, c, copy, fortran, external);
}

/* A new thread is sampled from its start on. */
static int count_hook_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*start)(void *), void *argument)
{
	hook_create *const real = (hook_create *)hook_real[HOOK_CREATE];
	const int error = real(thread, attributes, start, argument);
	if (error == 0)
		count_sample_adopt();
	return error;
}

static int count_hook_create_c11(hook_thread_c11 *thread, hook_start_c11 *start, void *argument)
{
	hook_create_c11 *const real = (hook_create_c11 *)hook_real[HOOK_CREATE_C11];
	const int error = real(thread, start, argument);
	if (error == 0)
		count_sample_adopt();
	return error;
}

static pid_t count_hook_fork(void)
{
	hook_fork *const real = (hook_fork *)hook_real[HOOK_FORK];
	const pid_t child = real();
	if (child == 0)
		count_sample_reopen();
	return child;
}

/*
 * A handler of errors that leaves a routine of BLAS, as R's does. The calls that a thread is in are
 * over then: no routine is known that calls back and goes on after a jump.
 */
#define HOOK_JUMP(name, which)                                                                     \
	static void count_hook_##name(void *environment, int value)                                \
	{                                                                                          \
		hook_jump *const real = (hook_jump *)hook_real[which];                             \
		count_time_leave();                                                                \
		real(environment, value);                                                          \
	}
HOOK_JUMP(jump, HOOK_JUMP)
HOOK_JUMP(jump_plain, HOOK_JUMP_PLAIN)
HOOK_JUMP(jump_signals, HOOK_JUMP_SIGNALS)
HOOK_JUMP(jump_checked, HOOK_JUMP_CHECKED)
#undef HOOK_JUMP

/* The program finds the signal of the samples as if there were none. */
static int count_hook_action(int signal, const struct sigaction *action, struct sigaction *before)
{
	hook_action *const real = (hook_action *)hook_real[HOOK_ACTION];
	const bool is_own = count_sample_yields(signal, action != NULL);
	const int error = real(signal, action, before);
	if (is_own && action == NULL && before != NULL && error == 0)
		*before = (struct sigaction){.sa_handler = SIG_DFL};
	return error;
}

static hook_handler count_hook_signal(int signal, hook_handler handler)
{
	hook_signal *const real = (hook_signal *)hook_real[HOOK_SIGNAL];
	count_sample_yields(signal, true);
	return real(signal, handler);
}

static const struct hook {
	const char *symbol;
	uintptr_t replacement;
} hook_table[HOOKS] = {
	[HOOK_REGISTER] = {"R_registerRoutines", (uintptr_t)count_hook_register},
	[HOOK_CREATE] = {"pthread_create", (uintptr_t)count_hook_create},
	[HOOK_CREATE_C11] = {"thrd_create", (uintptr_t)count_hook_create_c11},
	[HOOK_FORK] = {"fork", (uintptr_t)count_hook_fork},
	[HOOK_JUMP] = {"longjmp", (uintptr_t)count_hook_jump},
	[HOOK_JUMP_PLAIN] = {"_longjmp", (uintptr_t)count_hook_jump_plain},
	[HOOK_JUMP_SIGNALS] = {"siglongjmp", (uintptr_t)count_hook_jump_signals},
	[HOOK_JUMP_CHECKED] = {"__longjmp_chk", (uintptr_t)count_hook_jump_checked},
	[HOOK_ACTION] = {"sigaction", (uintptr_t)count_hook_action},
	[HOOK_SIGNAL] = {"signal", (uintptr_t)count_hook_signal},
};

bool count_hook_is_wanted(const struct image *image)
{
	for (int i = 0; i < HOOKS; i++)
		if (image_find_function(image, hook_table[i].symbol) != 0)
			return true;
	return false;
}

uintptr_t count_hook_find(const char *symbol, uintptr_t real, const struct count_party *provider)
{
	for (int i = 0; i < HOOKS; i++)
		if (!provider->is_apart && strcmp(symbol, hook_table[i].symbol) == 0) {
			hook_real[i] = real;
			return hook_table[i].replacement;
		}
	return 0;
}
