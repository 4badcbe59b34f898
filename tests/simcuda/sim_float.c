/* sim_float.c - floating-point environments: the host's code is unkind, the device has its own */
/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <pthread.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "sim_engine.h"

/* In the environment of the caller, so that what it traps is delivered to it. */
static void float_raise(void)
{
	volatile double zero = 0, one = 1, three = 3, most = DBL_MAX;
	volatile double result = zero / zero; /* invalid */
	result = one / zero;                  /* division by zero */
	result = most * most;                 /* overflow */
	result = one / three;                 /* inexact */
	(void)result;
}

void sim_float_raise(void)
{
	float_raise();
}

static void *float_run_thread(void *unused)
{
	float_raise();
	return unused;
}

void sim_float_raise_beside(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, float_run_thread, NULL) == 0)
		pthread_join(thread, NULL);
}

/* As the destructors of a library in C++: they run in the order of exit handlers. */
__attribute__((constructor)) static void float_register_end(void)
{
	atexit(float_raise);
}

void sim_float_hold(fenv_t *host)
{
	fegetenv(host);
	fesetenv(FE_DFL_ENV);
#if defined(__x86_64__)
	_mm_setcsr(0x1f80); /* not every fesetenv clears the two flushing modes */
#endif
}

void sim_float_restore(const fenv_t *host)
{
	fesetenv(host);
}
