/* machine_test.c - profiles: every key, every kind of mistake, and the machine they belong to */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policy/machine/machine.h"

static struct machine machine;
static char message[MACHINE_MESSAGE_BYTES];

static void start(void)
{
	memset(&machine, 0, sizeof machine);
	memset(message, 0, sizeof message);
}

TestSuite(machine, .init = start);

static const struct {
	const char *key;
	const double *field;
} fields[] = {
	{"cpu_gemm_flops_s", &machine.cpu_gemm_flops[ELEMENT_S]},
	{"cpu_gemm_flops_d", &machine.cpu_gemm_flops[ELEMENT_D]},
	{"cpu_gemm_flops_c", &machine.cpu_gemm_flops[ELEMENT_C]},
	{"cpu_gemm_flops_z", &machine.cpu_gemm_flops[ELEMENT_Z]},
	{"gpu_gemm_flops_s", &machine.gpu_gemm_flops[ELEMENT_S]},
	{"gpu_gemm_flops_d", &machine.gpu_gemm_flops[ELEMENT_D]},
	{"gpu_gemm_flops_c", &machine.gpu_gemm_flops[ELEMENT_C]},
	{"gpu_gemm_flops_z", &machine.gpu_gemm_flops[ELEMENT_Z]},
	{"cpu_fft_flops_c", &machine.cpu_fft_flops[ELEMENT_C]},
	{"cpu_fft_flops_z", &machine.cpu_fft_flops[ELEMENT_Z]},
	{"gpu_fft_flops_c", &machine.gpu_fft_flops[ELEMENT_C]},
	{"gpu_fft_flops_z", &machine.gpu_fft_flops[ELEMENT_Z]},
	{"link_up_bytes", &machine.link_up_bytes},
	{"link_down_bytes", &machine.link_down_bytes},
	{"link_up_pinned_bytes", &machine.link_up_pinned_bytes},
	{"link_down_pinned_bytes", &machine.link_down_pinned_bytes},
	{"link_up_pageable_bytes", &machine.link_up_pageable_bytes},
	{"link_down_pageable_bytes", &machine.link_down_pageable_bytes},
	{"link_duplex", &machine.link_duplex},
	{"operation_ns", &machine.operation_ns},
	{"copy_ns", &machine.copy_ns},
	{"cpu_threads", &machine.cpu_threads},
	{"gpu_count", &machine.gpu_count},
	{"gpu_multiprocessors", &machine.gpu_multiprocessors},
	{"call_fixed_ns", &machine.call_fixed_ns},
	{"start_ns", &machine.start_ns},
	{"fft_plan_ns", &machine.fft_plan_ns},
	{"solver_start_ns", &machine.solver_start_ns},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static const struct {
	const char *key, *field;
} texts[] = {
	{"name", machine.name}, {"host", machine.host},         {"cpu", machine.cpu},
	{"gpu", machine.gpu},   {"cpu_blas", machine.cpu_blas}, {"cpu_fftw", machine.cpu_fftw},
	{"cuda", machine.cuda}, {"measured", machine.measured},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void expect_fine(const char *line)
{
	cr_expect(machine_parse_line(&machine, line, message), "%s: %s", line, message);
}

/* The line is refused with this sentence, and changes nothing. */
static void expect_refused(const char *line, const char *sentence)
{
	static struct machine before;
	before = machine;
	cr_expect_not(machine_parse_line(&machine, line, message), "%s", line);
	cr_expect_str_eq(message, sentence, "%s: '%s' instead of '%s'", line, message, sentence);
	cr_expect_eq(memcmp(&before, &machine, sizeof machine), 0, "%s", line);
}

Test(machine, every_key_sets_its_field)
{
	char line[128];
	for (int i = 0; i < FIELDS; i++) {
		snprintf(line, sizeof line, "%s = %d.5e3", fields[i].key, i + 1);
		cr_expect(machine_parse_line(&machine, line, message), "%s: %s", line, message);
	}
	for (int i = 0; i < FIELDS; i++)
		cr_expect_eq(*fields[i].field, (i + 1.5) * 1e3, "%s", fields[i].key);
	cr_expect_eq(machine.cpu_fft_flops[ELEMENT_S], 0);
}

Test(machine, every_text_is_taken_as_it_is)
{
	char line[256];
	for (int i = 0; i < TEXTS; i++) {
		snprintf(line, sizeof line, "%s = \"%d, with = and #\"", texts[i].key, i);
		expect_fine(line);
	}
	for (int i = 0; i < TEXTS; i++) {
		snprintf(line, sizeof line, "%d, with = and #", i);
		cr_expect_str_eq(texts[i].field, line);
	}
}

Test(machine, texts_have_their_bound)
{
	char line[256] = "host = ";
	memset(line + strlen(line), 'x', MACHINE_NAME_BYTES - 1);
	expect_fine(line);
	cr_expect_eq(strlen(machine.host), MACHINE_NAME_BYTES - 1);
	strcat(line, "y");
	expect_refused(line,
	               "host is too long: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
}

Test(machine, comments_and_blanks_say_nothing)
{
	const struct machine before = machine;
	cr_expect(machine_parse_line(&machine, "", message));
	cr_expect(machine_parse_line(&machine, "  # link_up_bytes = 1", message));
	cr_expect_eq(memcmp(&before, &machine, sizeof machine), 0);
}

Test(machine, refuses_bad_numbers)
{
	static const char *const bad[] = {"-1",   "-0.5", "1e309", "inf",     "nan",
	                                  "fast", "",     "1e",    "13 GB/s", "0x1p3"};
	char line[128], sentence[256];
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(line, sizeof line, "link_up_bytes = %s", bad[i]);
		snprintf(sentence, sizeof sentence,
		         "link_up_bytes cannot be '%s'; allowed: a finite number, 0 or more",
		         bad[i]);
		cr_expect_not(machine_parse_line(&machine, line, message), "%s", line);
		cr_expect_str_eq(message, sentence);
		cr_expect_eq(machine.link_up_bytes, 0);
	}
}

Test(machine, refuses_other_lines)
{
	expect_refused("gpu_gem_flops_d = 1",
	               "unknown key 'gpu_gem_flops_d'; the nearest is 'gpu_gemm_flops_d'");
	expect_refused("nam = x", "unknown key 'nam'; the nearest is 'name'");
	expect_refused("colour = 1", "unknown key 'colour'");
	expect_refused("cpu_fft_flops_d = 1",
	               "unknown key 'cpu_fft_flops_d'; the nearest is 'cpu_fft_flops_c'");
	expect_refused("link_up_bytes 1", "no equals sign between key and value");
	expect_refused("= 1", "no key before the equals sign");
	expect_refused("name = \"x",
	               "a value that begins with a double quote does not end with one");
}

static void expect_curve(int index, enum machine_side side, enum family family,
                         enum element element, int threads)
{
	const struct machine_curve *curve = &machine.curve[index];
	cr_expect(curve->side == side && curve->family == family, "%d", index);
	cr_expect(curve->element == element && curve->threads == threads, "%d", index);
}

Test(machine, curves_are_of_a_routine_and_a_number_of_threads)
{
	expect_fine("cpu_dgemm_t4 = 64:1e9\t 512:2.5e9  4096:3e9 ");
	expect_fine("gpu_fftw_c2c = 1024:1e9");
	expect_fine("CPU-zgemm-batch-strided-T65536 = 1:1");
	expect_fine("cpu_fftwf_r2c_t1 = 1e19:1e300");
	cr_expect_eq(machine.curve_count, 4);
	expect_curve(0, MACHINE_CPU, FAMILY_GEMM, ELEMENT_D, 4);
	expect_curve(1, MACHINE_GPU, FAMILY_FFT_C2C, ELEMENT_Z, 0);
	expect_curve(2, MACHINE_CPU, FAMILY_GEMM_BATCH_STRIDED, ELEMENT_Z, 65536);
	expect_curve(3, MACHINE_CPU, FAMILY_FFT_R2C, ELEMENT_C, 1);
	cr_expect_eq(machine.curve[0].count, 3);
	cr_expect(machine.curve[0].point[1].size == 512 && machine.curve[0].point[1].rate == 2.5e9);
}

Test(machine, refuses_keys_that_are_almost_curves)
{
	expect_refused("cpu_dgemm = 1:1", "unknown key 'cpu_dgemm'");
	expect_refused("cpu_dgemm_t = 1:1", "unknown key 'cpu_dgemm_t'");
	expect_refused("cpu_dgemm_t0 = 1:1", "unknown key 'cpu_dgemm_t0'");
	expect_refused("cpu_dgemm_t65537 = 1:1", "unknown key 'cpu_dgemm_t65537'");
	expect_refused("cpu_gemm_t1 = 1:1", "unknown key 'cpu_gemm_t1'");
	expect_refused("gpu_dgemm_t1 = 1:1", "unknown key 'gpu_dgemm_t1'");
	expect_refused("gpu_fftw_dgemm = 1:1", "unknown key 'gpu_fftw_dgemm'");
}

Test(machine, refuses_points_that_are_none)
{
	static const char *const bad[] = {
		"64",      "64:",     ":1e9",     "64:1e9:2",    "64:-1",    "-64:1e9",
		"0:1e9",   "64:0",    "64:0.5",   "64:1e309",    "2e19:1e9", "64;1e9",
		"64:fast", "nan:1e9", "1e9999:1", "64:1e9,65:1", "64::1e9"};
	char line[128], sentence[256];
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(line, sizeof line, "gpu_dgemm = 32:1e9 %s", bad[i]);
		snprintf(sentence, sizeof sentence,
		         "gpu_dgemm cannot have '%s'; allowed: size:rate with sizes from 1 to "
		         "1e19 and finite rates from "
		         "1 on",
		         bad[i]);
		expect_refused(line, sentence);
	}
}

Test(machine, refuses_curves_that_cannot_be)
{
	expect_refused("gpu_dgemm = 64:1 64:2",
	               "gpu_dgemm cannot have '64:2'; sizes have to ascend");
	expect_refused("gpu_dgemm = 64:1 32:2",
	               "gpu_dgemm cannot have '32:2'; sizes have to ascend");
	expect_refused("gpu_dgemm = 1e9:1 1000000001:2",
	               "gpu_dgemm cannot have '1000000001:2'; sizes have to ascend");
	expect_refused("gpu_dgemm = 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1 13:1",
	               "gpu_dgemm cannot have '13:1'; a curve has at most 12 points");
	expect_refused("gpu_dgemm = ", "gpu_dgemm has no points");
	expect_fine("gpu_dgemm = 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1 11:1 12:1");
	expect_refused("gpu_dgemm = 1:1", "gpu_dgemm is there twice");
	char line[64];
	for (int threads = 1; threads < MACHINE_CURVES; threads++) {
		snprintf(line, sizeof line, "cpu_dgemm_t%d = 1:1", threads);
		expect_fine(line);
	}
	expect_refused("cpu_sgemm_t1 = 1:1", "cpu_sgemm_t1 is one curve too many, more than 240");
}

Test(machine, tells_whether_it_is_whole)
{
	expect_fine("profile = 1");
	expect_fine("link_up_bytes = 1");
	expect_fine("link_down_bytes = 1");
	cr_expect_not(machine_is_usable(&machine, message));
	cr_expect_str_eq(message, "its last line, end = true, is missing, so a part of it is lost");
	expect_fine("end = true");
	cr_expect(machine_is_usable(&machine, message), "%s", message);
	expect_fine("# a comment may follow");
	expect_refused("link_up_bytes = 2", "something follows the line that ends the profile");
	expect_refused("profile = 1", "something follows the line that ends the profile");
}

Test(machine, is_of_a_version)
{
	expect_refused("profile = 2",
	               "profiles of version '2' cannot be read; this is for version 1");
	expect_refused("profile = ",
	               "profiles of version '' cannot be read; this is for version 1");
	expect_refused("profile = one",
	               "profiles of version 'one' cannot be read; this is for version 1");
	expect_refused("end = tru", "end cannot be 'tru'; allowed: true");
	expect_fine("link_up_bytes = 1");
	expect_fine("link_down_bytes = 1");
	cr_expect(machine_is_usable(&machine, message),
	          "what somebody wrote by hand needs neither");
}

Test(machine, needs_both_links)
{
	cr_expect_not(machine_is_usable(&machine, message));
	cr_expect_str_eq(message,
	                 "link_up_bytes is missing or 0, and without it nothing can be predicted");
	machine.link_up_bytes = 1;
	cr_expect_not(machine_is_usable(&machine, message));
	cr_expect_str_eq(
		message,
		"link_down_bytes is missing or 0, and without it nothing can be predicted");
	machine.link_down_bytes = NAN;
	cr_expect_not(machine_is_usable(&machine, message));
	machine.link_down_bytes = 1;
	cr_expect(machine_is_usable(&machine, message));
}

Test(machine, holds_for_the_machine_it_was_measured_on)
{
	struct machine here = {.host = "node02", .cpu = "Xeon", .gpu = "H200"};
	cr_expect(machine_holds_for(&machine, &here, message), "of no machine: a reference");
	strcpy(machine.cpu, "EPYC");
	cr_expect(machine_holds_for(&machine, &here, message), "a reference still");
	strcpy(machine.host, "node02");
	cr_expect_not(machine_holds_for(&machine, &here, message));
	cr_expect_str_eq(message, "it was measured on the processor 'EPYC', and this is 'Xeon'");
	here.cpu[0] = '\0';
	cr_expect(machine_holds_for(&machine, &here, message), "nobody knows the processor here");
	strcpy(machine.gpu, "A100");
	cr_expect_not(machine_holds_for(&machine, &here, message));
	cr_expect_str_eq(message, "it was measured on the GPU 'A100', and this is 'H200'");
	here.gpu[0] = '\0';
	cr_expect(machine_holds_for(&machine, &here, message));
	strcpy(machine.host, "node01\n");
	cr_expect_not(machine_holds_for(&machine, &here, message));
	cr_expect_str_eq(message, "it was measured on the host 'node01?', and this is 'node02'");
}

Test(machine, is_measured_somewhere_and_some_time)
{
	cr_expect_not(machine_is_measured(&machine));
	strcpy(machine.host, "node01");
	cr_expect_not(machine_is_measured(&machine));
	strcpy(machine.measured, "2026-11-21T00:00:00Z");
	cr_expect(machine_is_measured(&machine));
}

/*
 * Each key is documented in docs/tuning.md; keys of other elements by the element's letter after
 * the first one.
 */
Test(machine, keys_are_documented)
{
	static char page[1 << 18];
	char quoted[64];
	FILE *file = fopen(UNIT_SOURCE_DIR "/docs/tuning.md", "r");
	cr_assert_not_null(file);
	const size_t length = fread(page, 1, sizeof page - 1, file);
	fclose(file);
	cr_assert(length > 0 && length < sizeof page - 1);
	for (int i = 0; i < FIELDS; i++) {
		const size_t stem = strlen(fields[i].key) - 2;
		const bool of_element =
			fields[i].key[stem] == '_' && strstr(fields[i].key, "flops") != NULL;
		snprintf(quoted, sizeof quoted, "`%.*s%s", of_element ? (int)stem : 64,
		         fields[i].key, of_element ? "_" : "`");
		cr_expect_not_null(strstr(page, quoted), "%s", quoted);
	}
	for (int i = 0; i < TEXTS; i++) {
		snprintf(quoted, sizeof quoted, "`%s`", texts[i].key);
		cr_expect_not_null(strstr(page, quoted), "%s", quoted);
	}
}
