/* routine_policy_test.c - the keys policy_<routine>: found, set, refused, settled */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/options/options.h"

static struct options options;
static char message[OPTION_MESSAGE_BYTES];

static int *find(const char *key)
{
	return routine_policy_find(&options.policies, words_of(key));
}

Test(routine_policy, keys_name_families_and_routines)
{
	struct routine_policies *p = &options.policies;
	cr_expect_eq(find("policy_gemm"), &p->family[FAMILY_GEMM]);
	cr_expect_eq(find("POLICY_DGEMM"), &p->routine[FAMILY_GEMM][ELEMENT_D]);
	cr_expect_eq(find("policy-zgemm-batch"), &p->routine[FAMILY_GEMM_BATCH][ELEMENT_Z]);
	cr_expect_eq(find("policy_r2c"), &p->family[FAMILY_FFT_R2C]);
	cr_expect_eq(find("policy_fftwf_c2c"), &p->routine[FAMILY_FFT_C2C][ELEMENT_C]);
	static const char *const none[] = {"policy",        "policy_", "policy_d", "policy_qgemm",
	                                   "policy_dgemmx", "gemm",    ""};
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		cr_expect_null(find(none[i]), "%s", none[i]);
		cr_expect_eq(options_has_key(none[i]), strcmp(none[i], "policy") == 0, "%s",
		             none[i]);
	}
	cr_expect(options_has_key("policy_dgemm"));
}

Test(routine_policy, they_are_options)
{
	options_set_defaults(&options);
	options_set(&options, "policy", "threshold", message);
	cr_expect_eq(options.policies.routine[FAMILY_GEMM][ELEMENT_D], ROUTINE_POLICY_NONE);
	cr_expect(options_set(&options, "POLICY_DGEMM", "never", message));
	cr_expect_eq(options.policies.routine[FAMILY_GEMM][ELEMENT_D], POLICY_NEVER);
	cr_expect(options_parse_line(&options, "policy_gemm = always", message));
	cr_expect_eq(options.policies.family[FAMILY_GEMM], POLICY_ALWAYS);
	cr_expect_not(options_set(&options, "policy_dgemm", "sometimes", message));
	cr_expect_str_eq(
		message,
		"policy cannot be 'sometimes'; allowed: auto, threshold, always, never, dry");
	cr_expect_eq(options.policies.routine[FAMILY_GEMM][ELEMENT_D], POLICY_NEVER);
	cr_expect_eq(options.policy, POLICY_THRESHOLD, "the general one is another");
}

Test(routine_policy, the_most_special_one_holds)
{
	options_set_defaults(&options);
	const struct routine_policies *p = &options.policies;
	cr_expect_eq(routine_policy_get(p, FAMILY_SYRK, ELEMENT_C, POLICY_DRY), POLICY_DRY);
	options_set(&options, "policy_syrk", "never", message);
	cr_expect_eq(routine_policy_get(p, FAMILY_SYRK, ELEMENT_C, POLICY_DRY), POLICY_NEVER);
	options_set(&options, "policy_csyrk", "auto", message);
	cr_expect_eq(routine_policy_get(p, FAMILY_SYRK, ELEMENT_C, POLICY_DRY), POLICY_AUTO);
	cr_expect_eq(routine_policy_get(p, FAMILY_SYRK, ELEMENT_Z, POLICY_DRY), POLICY_NEVER);
	cr_expect_eq(routine_policy_get(p, FAMILY_GEMM, ELEMENT_C, POLICY_DRY), POLICY_DRY);
}

Test(routine_policy, those_that_are_set_are_listed)
{
	char key[64];
	int position = 0, policy = 0;
	options_set_defaults(&options);
	cr_expect_not(routine_policy_next(&options.policies, &position, key, sizeof key, &policy));
	options_set(&options, "policy_zher2k", "never", message);
	options_set(&options, "policy_gemm", "auto", message);
	options_set(&options, "policy_fftwf_c2r", "always", message);
	static const char *const keys[] = {"policy_gemm", "policy_zher2k", "policy_fftwf_c2r"};
	static const int policies[] = {POLICY_AUTO, POLICY_NEVER, POLICY_ALWAYS};
	position = 0;
	for (size_t i = 0; i < 3; i++) {
		cr_assert(routine_policy_next(&options.policies, &position, key, sizeof key,
		                              &policy));
		cr_expect_str_eq(key, keys[i]);
		cr_expect_eq(policy, policies[i]);
	}
	cr_expect_not(routine_policy_next(&options.policies, &position, key, sizeof key, &policy));
}

Test(routine_policy, deterministic_predicts_nothing)
{
	options_set_defaults(&options);
	options_set(&options, "policy", "auto", message);
	options_set(&options, "policy_gemm", "auto", message);
	options_set(&options, "policy_zgemm", "never", message);
	options_set(&options, "policy_csyrk", "auto", message);
	options_settle(&options);
	cr_expect_eq(options.policy, POLICY_AUTO, "without the option nothing changes");
	cr_expect_eq(options.warmup, WARMUP_BACKGROUND);
	options_set(&options, "deterministic", "on", message);
	options_settle(&options);
	cr_expect_eq(options.policy, POLICY_THRESHOLD);
	cr_expect_eq(options.warmup, WARMUP_WAIT);
	cr_expect_eq(options.policies.family[FAMILY_GEMM], POLICY_THRESHOLD);
	cr_expect_eq(options.policies.routine[FAMILY_GEMM][ELEMENT_Z], POLICY_NEVER);
	cr_expect_eq(options.policies.routine[FAMILY_SYRK][ELEMENT_C], POLICY_THRESHOLD);
	cr_expect_eq(options.policies.family[FAMILY_SYRK], ROUTINE_POLICY_NONE);
	static const char *const named[] = {"always", "never", "dry"};
	static const int stays[] = {POLICY_ALWAYS, POLICY_NEVER, POLICY_DRY};
	for (size_t i = 0; i < 3; i++) {
		options_set(&options, "policy", named[i], message);
		options_settle(&options);
		cr_expect_eq(options.policy, stays[i]);
	}
}
