/* routine_threshold_test.c - the keys workload_threshold_<routine>: found, set, refused */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "policy/options/options.h"
#include "policy/text/sentence.h"

static struct options options;
static char message[OPTION_MESSAGE_BYTES];

static uint64_t *find(const char *key)
{
	return routine_threshold_find(&options.thresholds, words_of(key));
}

Test(routine_threshold, keys_name_families_and_routines)
{
	struct routine_thresholds *t = &options.thresholds;
	cr_expect_eq(find("workload_threshold_gemm"), &t->family[FAMILY_GEMM]);
	cr_expect_eq(find("WORKLOAD_THRESHOLD_DGEMM"), &t->routine[FAMILY_GEMM][ELEMENT_D]);
	cr_expect_eq(find("workload-threshold-ztrsm"), &t->routine[FAMILY_TRSM][ELEMENT_Z]);
	cr_expect_eq(find("workload_threshold_sgemm_batch_strided"),
	             &t->routine[FAMILY_GEMM_BATCH_STRIDED][ELEMENT_S]);
	cr_expect_eq(find("workload_threshold_c2c"), &t->family[FAMILY_FFT_C2C]);
	cr_expect_eq(find("workload_threshold_fftw_c2c"), &t->routine[FAMILY_FFT_C2C][ELEMENT_Z]);
	cr_expect_eq(find("workload_threshold_fftwf_r2c"), &t->routine[FAMILY_FFT_R2C][ELEMENT_C]);
}

Test(routine_threshold, other_keys_are_none)
{
	static const char *const keys[] = {
		"workload_threshold",        "workload_threshold_",     "workload_threshold_d",
		"workload_threshold_qgemm",  "workload_threshold_dgem", "workload_threshold_dc2c",
		"workload_threshold_dgemmx", "threshold_dgemm",         ""};
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		cr_expect_null(find(keys[i]), "%s", keys[i]);
		cr_expect_eq(options_has_key(keys[i]), strcmp(keys[i], "workload_threshold") == 0,
		             "%s", keys[i]);
	}
	cr_expect(options_has_key("workload_threshold_dgemm"));
}

Test(routine_threshold, names_are_of_routines)
{
	enum family family = FAMILY_COUNT;
	enum element element = ELEMENT_COUNT;
	cr_expect(routine_threshold_find_name(words_of("zher2k"), &family, &element));
	cr_expect(family == FAMILY_HER2K && element == ELEMENT_Z);
	cr_expect(routine_threshold_find_name(words_of("fftwf_c2r"), &family, &element));
	cr_expect(family == FAMILY_FFT_C2R && element == ELEMENT_C);
	static const char *const none[] = {"gemm",     "c2c", "dc2c",  "fftw_gemm", "dgemm_",
	                                   "dgemm_t4", "d",   "fftw_", ""};
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		cr_expect_not(routine_threshold_find_name(words_of(none[i]), &family, &element),
		              "%s", none[i]);
	cr_expect(family == FAMILY_FFT_C2R && element == ELEMENT_C,
	          "what is refused writes nothing");
}

Test(routine_threshold, names_are_written_as_they_are_read)
{
	for (int i = 0; i < FAMILY_COUNT * ELEMENT_COUNT; i++) {
		const enum family family = (enum family)(i / ELEMENT_COUNT);
		const enum element element = (enum element)(i % ELEMENT_COUNT);
		char name[32];
		enum family read_family = FAMILY_COUNT;
		enum element read_element = ELEMENT_COUNT;
		struct sentence sentence = sentence_start(name, sizeof name);
		routine_threshold_add_name(&sentence, family, element);
		if (family_prefix(family, element) == NULL) {
			cr_expect_str_empty(name);
			continue;
		}
		cr_expect(routine_threshold_find_name(words_of(name), &read_family, &read_element),
		          "%s", name);
		cr_expect(read_family == family && read_element == element, "%s", name);
	}
}

Test(routine_threshold, they_are_options)
{
	options_set_defaults(&options);
	cr_expect_eq(options.thresholds.routine[FAMILY_GEMM][ELEMENT_D], ROUTINE_THRESHOLD_NONE);
	cr_expect(options_set(&options, "WORKLOAD_THRESHOLD_DGEMM", "1.5e6", message));
	cr_expect_eq(options.thresholds.routine[FAMILY_GEMM][ELEMENT_D], 1500000);
	cr_expect(options_parse_line(&options, "workload_threshold_gemm = 7", message));
	cr_expect_eq(options.thresholds.family[FAMILY_GEMM], 7);
	cr_expect_not(options_set(&options, "workload_threshold_dgemm", "many", message));
	cr_expect_str_eq(message,
	                 "workload_threshold cannot be 'many'; allowed: a whole number from 0 to "
	                 "9000000000000000000 bytes, for instance 10MB");
	cr_expect_eq(options.thresholds.routine[FAMILY_GEMM][ELEMENT_D], 1500000);
	cr_expect_not(options_set(&options, "workload_threshold_dgem", "1", message));
	cr_expect_str_eq(message, "unknown option 'workload_threshold_dgem'; the nearest is "
	                          "'workload_threshold_dgemm'");
}

Test(routine_threshold, the_most_special_one_holds)
{
	options_set_defaults(&options);
	const struct routine_thresholds *t = &options.thresholds;
	cr_expect_eq(routine_threshold_get(t, FAMILY_SYRK, ELEMENT_C, 9), 9);
	options_set(&options, "workload_threshold_syrk", "8", message);
	cr_expect_eq(routine_threshold_get(t, FAMILY_SYRK, ELEMENT_C, 9), 8);
	options_set(&options, "workload_threshold_csyrk", "0", message);
	cr_expect_eq(routine_threshold_get(t, FAMILY_SYRK, ELEMENT_C, 9), 0);
	cr_expect_eq(routine_threshold_get(t, FAMILY_SYRK, ELEMENT_Z, 9), 8);
}

Test(routine_threshold, those_that_are_set_are_listed)
{
	char key[64];
	uint64_t bytes = 0;
	int position = 0;
	options_set_defaults(&options);
	cr_expect_not(
		routine_threshold_next(&options.thresholds, &position, key, sizeof key, &bytes));
	options_set(&options, "workload_threshold_zher2k", "5", message);
	options_set(&options, "workload_threshold_gemm", "4", message);
	options_set(&options, "workload_threshold_fftwf_c2r", "6", message);
	static const char *const keys[] = {"workload_threshold_gemm", "workload_threshold_zher2k",
	                                   "workload_threshold_fftwf_c2r"};
	position = 0;
	for (uint64_t i = 0; i < 3; i++) {
		cr_assert(routine_threshold_next(&options.thresholds, &position, key, sizeof key,
		                                 &bytes));
		cr_expect_str_eq(key, keys[i]);
		cr_expect_eq(bytes, 4 + i);
	}
	cr_expect_not(
		routine_threshold_next(&options.thresholds, &position, key, sizeof key, &bytes));
}
