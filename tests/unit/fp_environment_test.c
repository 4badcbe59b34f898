/* fp_environment_test.c - saving and restoring flags, traps, rounding and denormals */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/fp_environment.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>

static void raise_others(void)
{
	volatile double zero = 0, one = 1, result;
	volatile long double long_zero = 0, long_one = 1, long_result;
	result = zero / zero;
	result = one / zero;
	long_result = long_one / long_zero;
	(void)result;
	(void)long_result;
}

/* Within the guard the environment is the default one, and behind it what it was. */
static void check_kept(void)
{
	struct fp_environment program, inner;
	const int flags = fetestexcept(FE_ALL_EXCEPT), traps = fegetexcept();
	const int rounding = fegetround();
	fp_environment_enter(&program);
	cr_expect_eq(fegetexcept(), 0);
	cr_expect_eq(fegetround(), FE_TONEAREST);
	fp_environment_enter(&inner);
	raise_others();
	fp_environment_leave(&inner);
	raise_others();
	fp_environment_leave(&program);
	cr_expect_eq(fetestexcept(FE_ALL_EXCEPT), flags);
	cr_expect_eq(fegetexcept(), traps);
	cr_expect_eq(fegetround(), rounding);
}

Test(fp_environment, is_kept)
{
	static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	for (int mode = 0; mode < 4; mode++)
		for (int set = 0; set < 64; set++) {
			const int bits = set & FE_ALL_EXCEPT;
			fesetenv(FE_DFL_ENV);
			fesetround(modes[mode]);
			feraiseexcept(bits);
			check_kept();
			feclearexcept(FE_ALL_EXCEPT);
			feenableexcept(bits);
			check_kept();
			fedisableexcept(FE_ALL_EXCEPT);
		}
}

Test(fp_environment, suits_a_device)
{
	static const struct {
		int rounding, traps;
		bool suits;
	} cases[] = {{FE_TONEAREST, 0, true},
	             {FE_TONEAREST, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, true},
	             {FE_TONEAREST, FE_INEXACT, false},
	             {FE_TONEAREST, FE_UNDERFLOW, false},
	             {FE_UPWARD, 0, false},
	             {FE_DOWNWARD, FE_INVALID, false},
	             {FE_TOWARDZERO, 0, false}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fp_environment program;
		fesetround(cases[i].rounding);
		feenableexcept(cases[i].traps);
		fp_environment_enter(&program);
		const bool suits = fp_environment_suits_device(&program);
		fp_environment_leave(&program);
		fedisableexcept(FE_ALL_EXCEPT);
		fesetround(FE_TONEAREST);
		cr_expect_eq(suits, cases[i].suits, "case %zu", i);
	}
}

/* The program's environment is in force while its routine runs, and keeps what that raises. */
Test(fp_environment, is_lent)
{
	struct fp_environment program;
	fesetround(FE_UPWARD);
	fp_environment_enter(&program);
	struct fp_environment *outer = fp_environment_keep(&program);
	fp_environment_lend();
	const int lent = fegetround();
	feraiseexcept(FE_OVERFLOW);
	fp_environment_take_back();
	feraiseexcept(FE_DIVBYZERO);
	const int back = fegetround();
	fp_environment_keep(outer);
	fp_environment_note_inexact(&program);
	fp_environment_leave(&program);
	cr_expect_eq(lent, FE_UPWARD);
	cr_expect_eq(back, FE_TONEAREST);
	cr_expect_eq(fegetround(), FE_UPWARD);
	cr_expect_eq(fetestexcept(FE_ALL_EXCEPT), FE_OVERFLOW | FE_INEXACT);
}

/* Of a new thread none; each trap that is unmasked counts. */
Test(fp_environment, traps)
{
	struct fp_environment program;
	fp_environment_enter(&program);
	cr_expect_not(fp_environment_traps(&program));
#if defined(__x86_64__)
	for (unsigned mask = 0x80; mask <= 0x1000; mask <<= 1) {
		struct fp_environment other = program;
		other.sse &= ~mask;
		cr_expect(fp_environment_traps(&other), "mask %#x", mask);
	}
	program.x87_control &= (uint16_t)~FP_INVALID;
	cr_expect(fp_environment_traps(&program), "of the x87");
#endif
}
