/* machine_check_test.c - detects profiles of another machine, but no short-lived difference */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "policy/machine/machine_check.h"

static struct machine profile, found;

static void describe_both(void)
{
	memset(&profile, 0, sizeof profile);
	memset(&found, 0, sizeof found);
	strcpy(profile.name, "H200");
	profile.link_up_bytes = found.link_up_bytes = 40e9;
	profile.link_down_bytes = found.link_down_bytes = 41e9;
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++)
		profile.gpu_gemm_flops[element] = found.gpu_gemm_flops[element] = 60e12;
}

static void expect_contradiction(const char *sentence)
{
	char message[MACHINE_MESSAGE_BYTES] = "";
	cr_expect(machine_check_contradicts(&profile, &found, message), "%s", sentence);
	cr_expect_str_eq(message, sentence);
}

static void expect_none(const char *what)
{
	char message[MACHINE_MESSAGE_BYTES] = "as it was";
	cr_expect(!machine_check_contradicts(&profile, &found, message), "%s: %s", what, message);
	cr_expect_str_eq(message, "as it was");
}

Test(machine_check, what_agrees_is_no_contradiction)
{
	describe_both();
	expect_none("the same");
	found.link_up_bytes = 80e9;
	found.gpu_gemm_flops[ELEMENT_D] = 30e12;
	expect_none("twice and half as fast are the bounds");
}

Test(machine_check, rates_that_are_not_known_are_not_compared)
{
	describe_both();
	memset(&found, 0, sizeof found);
	expect_none("nothing was found");
	describe_both();
	profile.link_down_bytes = 0;
	profile.gpu_gemm_flops[ELEMENT_S] = 0;
	expect_none("the profile does not say");
	profile.operation_ns = 1;
	found.operation_ns = 1e6;
	expect_none("costs are nobody's rates");
}

Test(machine_check, another_gpu_is_told_apart)
{
	describe_both();
	found.gpu_gemm_flops[ELEMENT_D] = 0.6e12;
	expect_contradiction(
		"the profile 'H200' has 60 Tflop/s of DGEMM where 0.6 were found; its GPU "
		"figures are not "
		"used; `gpushim calibrate` measures this machine");
	describe_both();
	found.gpu_gemm_flops[ELEMENT_S] = 123.4567e12;
	expect_contradiction(
		"the profile 'H200' has 60 Tflop/s of SGEMM where 120 were found; its GPU "
		"figures are not "
		"used; `gpushim calibrate` measures this machine");
}

Test(machine_check, another_link_is_told_apart_and_the_worst_is_named)
{
	describe_both();
	found.link_up_bytes = 12.34e9;
	expect_contradiction(
		"the profile 'H200' has 40 GB/s to the GPU where 12 were found; its GPU figures "
		"are not "
		"used; `gpushim calibrate` measures this machine");
	found.link_down_bytes = 2.5e9;
	expect_contradiction(
		"the profile 'H200' has 41 GB/s from the GPU where 2.5 were found; its GPU "
		"figures are not "
		"used; `gpushim calibrate` measures this machine");
}

Test(machine_check, any_numbers_and_names_give_a_sentence)
{
	static const double rates[] = {0, 5e-324, 1, 1e12, 1e300, DBL_MAX, INFINITY, NAN};
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
		for (size_t j = 0; j < sizeof rates / sizeof rates[0]; j++) {
			char message[MACHINE_MESSAGE_BYTES] = "";
			describe_both();
			memset(profile.name, 'x', sizeof profile.name - 1);
			profile.gpu_gemm_flops[ELEMENT_D] = rates[i];
			found.gpu_gemm_flops[ELEMENT_D] = rates[j];
			const bool differs = machine_check_contradicts(&profile, &found, message);
			cr_expect_eq(differs, message[0] != '\0', "%g and %g: %s", rates[i],
			             rates[j], message);
			cr_expect(!differs || rates[i] != rates[j], "%g", rates[i]);
			cr_expect(memchr(message, '\0', sizeof message) != NULL);
		}
}
