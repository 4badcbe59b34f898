/* machine_test.c - machine profiles from text */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "policy/machine.h"

static struct machine machine;
static char message[MACHINE_MESSAGE_BYTES];

static bool parse(const char *line)
{
	message[0] = '\0';
	return machine_parse_line(&machine, line, message);
}

Test(machine, lines)
{
	cr_assert(parse("# comment") && parse("") && parse("name = \"A machine\""));
	cr_assert_str_eq(machine.name, "A machine");
	cr_assert(parse("link_up_bytes = 13.5e9") && machine.link_up_bytes == 13.5e9);
	cr_assert(parse("gpu_gemm_flops_d = 60600000000000") && machine.gpu_gemm_flops[ELEMENT_D] == 60.6e12);
	cr_assert(parse("cpu_fft_flops_z = 1e11") && machine.cpu_fft_flops[ELEMENT_Z] == 1e11);
	cr_assert(parse("call_fixed_ns = 0"));
}

Test(machine, bad_lines_say_why_and_change_nothing)
{
	static const char *const bad[] = {
		"link_up_bytes = -1",    "link_up_bytes = inf", "link_up_bytes = nan",
		"link_up_bytes = 1e999", "link_up_bytes = ",    "link_up_bytes = 5 GB/s",
		"link_up_byte = 5",      "link_up_bytes",       "\x01\xff\xfe = 3",
	};
	const struct machine before = machine;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		cr_assert_not(parse(bad[i]), "%s", bad[i]);
		cr_assert_gt(strlen(message), 10);
		cr_assert_eq(memcmp(&before, &machine, sizeof before), 0);
	}
	cr_assert_not(parse("link_up_byte = 5"));
	cr_assert_not_null(strstr(message, "link_up_bytes"), "the nearest key is named");
}

Test(machine, both_links_are_needed)
{
	cr_assert_not(machine_is_usable(&machine, message));
	machine.link_up_bytes = 1;
	cr_assert_not(machine_is_usable(&machine, message));
	cr_assert_not_null(strstr(message, "link_down_bytes"));
	machine.link_down_bytes = 1;
	cr_assert(machine_is_usable(&machine, message));
}
