/* machine_test.c - profiles: every key, every kind of mistake, and the profiles we ship */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "policy/machine.h"

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
	{"link_duplex", &machine.link_duplex},
	{"operation_ns", &machine.operation_ns},
	{"gpu_multiprocessors", &machine.gpu_multiprocessors},
	{"call_fixed_ns", &machine.call_fixed_ns},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

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

Test(machine, has_a_name)
{
	cr_expect(machine_parse_line(&machine, "name = \"an H200, with = and #\"", message), "%s", message);
	cr_expect_str_eq(machine.name, "an H200, with = and #");
	char line[256] = "name = ";
	memset(line + strlen(line), 'x', MACHINE_NAME_BYTES - 1);
	cr_expect(machine_parse_line(&machine, line, message), "%s", message);
	cr_expect_eq(strlen(machine.name), MACHINE_NAME_BYTES - 1);
	strcat(line, "y");
	cr_expect_not(machine_parse_line(&machine, line, message));
	cr_expect_eq(strncmp(message, "the machine's name is too long: 'xxx", 36), 0, "%s", message);
	cr_expect_eq(strlen(machine.name), MACHINE_NAME_BYTES - 1);
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
	static const char *const bad[] = {"-1", "-0.5", "1e309", "inf", "nan", "fast", "", "1e", "13 GB/s", "0x1p3"};
	char line[128], sentence[256];
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(line, sizeof line, "link_up_bytes = %s", bad[i]);
		snprintf(sentence, sizeof sentence, "link_up_bytes cannot be '%s'; allowed: a finite number, 0 or more",
		         bad[i]);
		cr_expect_not(machine_parse_line(&machine, line, message), "%s", line);
		cr_expect_str_eq(message, sentence);
		cr_expect_eq(machine.link_up_bytes, 0);
	}
}

Test(machine, refuses_other_lines)
{
	cr_expect_not(machine_parse_line(&machine, "gpu_gem_flops_d = 1", message));
	cr_expect_str_eq(message, "unknown key 'gpu_gem_flops_d'; the nearest is 'gpu_gemm_flops_d'");
	cr_expect_not(machine_parse_line(&machine, "nam = x", message));
	cr_expect_str_eq(message, "unknown key 'nam'; the nearest is 'name'");
	cr_expect_not(machine_parse_line(&machine, "colour = 1", message));
	cr_expect_str_eq(message, "unknown key 'colour'");
	cr_expect_not(machine_parse_line(&machine, "cpu_fft_flops_d = 1", message), "an FFT has complex elements only");
	cr_expect_not(machine_parse_line(&machine, "link_up_bytes 1", message));
	cr_expect_str_eq(message, "no equals sign between key and value");
}

Test(machine, needs_both_links)
{
	cr_expect_not(machine_is_usable(&machine, message));
	cr_expect_str_eq(message, "link_up_bytes is missing or 0, and without it nothing can be predicted");
	machine.link_up_bytes = 1;
	cr_expect_not(machine_is_usable(&machine, message));
	cr_expect_str_eq(message, "link_down_bytes is missing or 0, and without it nothing can be predicted");
	machine.link_down_bytes = NAN;
	cr_expect_not(machine_is_usable(&machine, message));
	machine.link_down_bytes = 1;
	cr_expect(machine_is_usable(&machine, message));
}

Test(machine, shipped_profile_is_complete)
{
	char line[256];
	FILE *file = fopen(UNIT_SOURCE_DIR "/config/machines/h200.conf", "r");
	cr_assert_not_null(file);
	while (fgets(line, sizeof line, file) != NULL)
		cr_expect(machine_parse_line(&machine, line, message), "%s: %s", line, message);
	fclose(file);
	cr_expect(machine_is_usable(&machine, message), "%s", message);
	for (int i = 0; i < FIELDS; i++)
		cr_expect_gt(*fields[i].field, 0, "%s", fields[i].key);
}
