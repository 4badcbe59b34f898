/* sim_rules_float.c - the rules of the floating-point environment: the host's and the device's */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>

#include "sim_rules.h"

static void calls_raise_flags(void)
{
	int count;
	feclearexcept(FE_ALL_EXCEPT);
	CHECK_IS(cuda.cudaGetDeviceCount(&count), 0);
	CHECK_IS(fetestexcept(FE_ALL_EXCEPT), FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_INEXACT);
}

static sigjmp_buf trapped;

static void jump_back(int number)
{
	siglongjmp(trapped, number);
}

static void calls_trap(void)
{
	static const int traps[] = {FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW, FE_INEXACT};
	volatile int count = 0, caught = 0;
	signal(SIGFPE, jump_back);
	for (volatile int i = 0; i < 4; i++) {
		if (sigsetjmp(trapped, 1)) {
			caught++;
			continue;
		}
		feclearexcept(FE_ALL_EXCEPT);
		feenableexcept(traps[i]);
		cuda.cudaGetDeviceCount((int *)&count);
	}
	CHECK_IS(caught, 4);
}

static void keep_as_it_is(void)
{
}

static void round_upward(void)
{
	fesetround(FE_UPWARD);
}

static void flush_denormals(void)
{
#if defined(__x86_64__)
	__builtin_ia32_ldmxcsr(0x9fc0);
#endif
}

/*
 * a[0] b[0] + a[1] b[1] on the device, asked for in the environment that prepare makes. *raised:
 * whether the calls raised underflow, which only the kernel can.
 */
static double product(const double a[2], const double b[2], void (*prepare)(void), bool *raised)
{
	const double one = 1, zero = 0;
	double c = 0;
	void *handle = rules_handle(), *left = rules_device_copy(a, 2 * sizeof *a);
	void *right = rules_device_copy(b, 2 * sizeof *b),
	     *result = rules_device_copy(&c, sizeof c);
	fenv_t before;
	fegetenv(&before);
	prepare();
	feclearexcept(FE_ALL_EXCEPT);
	CHECK_IS(cuda.cublasDgemm_v2(handle, 0, 0, 1, 1, 2, &one, left, 1, right, 2, &zero, result,
	                             1),
	         0);
	CHECK_IS(cuda.cudaMemcpy(&c, result, sizeof c, 2), 0);
	*raised = fetestexcept(FE_UNDERFLOW) != 0;
	fesetenv(&before);
	return c;
}

static const double ones[2] = {1, 1}, one_and_zero[2] = {1, 0};

static void device_rounds_to_nearest(void)
{
	const double near_one[2] = {1, 0x1p-60};
	bool raised;
	CHECK(product(ones, near_one, round_upward, &raised) == 1);
}

static void kernels_leave_no_flags(void)
{
	const double tiny[2] = {0x1p-1000, 0};
	bool raised;
	CHECK(product(tiny, tiny, keep_as_it_is, &raised) == 0);
	CHECK(!raised);
}

static void device_keeps_denormals(void)
{
	const double denormal[2] = {0x1p-1060, 0};
	bool raised;
	CHECK(product(denormal, one_and_zero, flush_denormals, &raised) == denormal[0]);
}

const struct rule float_rules[] = {
	{"float: calls raise flags", RULE_SIM_ONLY, NULL, calls_raise_flags},
	{"float: calls trap as the caller does", RULE_SIM_ONLY, NULL, calls_trap},
	{"float: the device rounds to nearest", RULE_SIM_ONLY, NULL, device_rounds_to_nearest},
	{"float: kernels leave no flags", RULE_SIM_ONLY, NULL, kernels_leave_no_flags},
	{"float: the device keeps denormals", RULE_SIM_ONLY, NULL, device_keeps_denormals},
	{0},
};
