/* machine_text_test.c - a profile that is written and read again is the same */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/unit/machine_random.h"

enum { LINES_MAX = 256, LINE_BYTES = 512, PROFILES = 500 };

static char text[LINES_MAX][LINE_BYTES];
static struct machine machine, again;

static int write_lines(const struct machine *of)
{
	int position = 0, count = 0;
	while (machine_write_line(of, &position, text[count], LINE_BYTES)) {
		cr_assert_lt(strlen(text[count]), LINE_BYTES - 1, "%s", text[count]);
		cr_assert_lt(++count, LINES_MAX);
	}
	return count;
}

static void read_lines(int count)
{
	char message[MACHINE_MESSAGE_BYTES];
	memset(&again, 0, sizeof again);
	for (int i = 0; i < count; i++)
		cr_assert(machine_parse_line(&again, text[i], message), "%s: %s", text[i], message);
	cr_assert(machine_is_usable(&again, message), "%s", message);
}

/* To nine digits. */
static void expect_same(const char *what, double value, double wanted)
{
	cr_assert(fabs(value - wanted) <= 5.01e-9 * wanted, "%s: %.17g instead of %.17g", what, value, wanted);
}

static void expect_same_curves(void)
{
	cr_assert_eq(again.curve_count, machine.curve_count);
	for (int i = 0; i < machine.curve_count; i++) {
		const struct machine_curve *curve = &again.curve[i], *wanted = &machine.curve[i];
		cr_assert(curve->side == wanted->side && curve->family == wanted->family);
		cr_assert(curve->element == wanted->element && curve->threads == wanted->threads);
		cr_assert_eq(curve->count, wanted->count);
		for (int j = 0; j < curve->count; j++) {
			expect_same("size", curve->point[j].size, wanted->point[j].size);
			expect_same("rate", curve->point[j].rate, wanted->point[j].rate);
		}
	}
}

Test(machine_text, is_read_as_it_was_written)
{
	struct machine_random random = {UINT64_C(0x853c49e6748fea9b)};
	for (int i = 0; i < PROFILES; i++) {
		machine_random_make(&random, &machine);
		read_lines(write_lines(&machine));
#define MACHINE_TEXT(field) cr_assert_str_eq(again.field, machine.field);
#define MACHINE_NUMBER(key, field) expect_same(key, again.field, machine.field);
#include "policy/machine.def"
		expect_same_curves();
	}
}

/* As many curves and points as there may be, each number with all its digits. */
Test(machine_text, of_a_full_profile_fits)
{
	struct machine_random random = {UINT64_C(0xda3e39cb94b95bdb)};
	machine_random_make(&random, &machine);
	machine.curve_count = MACHINE_CURVES;
	for (int i = 0; i < MACHINE_CURVES; i++) {
		struct machine_curve *curve = &machine.curve[i];
		*curve = (struct machine_curve){
			MACHINE_CPU, FAMILY_GEMM_BATCH_STRIDED, ELEMENT_D, 65536 - i, MACHINE_POINTS, {{0, 0}}};
		for (int j = 0; j < MACHINE_POINTS; j++) {
			curve->point[j].size = 1.23456789e6 * pow(10, j);
			curve->point[j].rate = 1.23456789e300;
		}
	}
	read_lines(write_lines(&machine));
	expect_same_curves();
}

Test(machine_text, says_only_what_is_known)
{
	memset(&machine, 0, sizeof machine);
	machine.link_up_bytes = 1.5e9;
	machine.link_down_bytes = 2;
	strcpy(machine.name, "a \"name\" with = and #\n");
	machine.curve_count = 2;
	machine.curve[0] = (struct machine_curve){MACHINE_GPU, FAMILY_HERK, ELEMENT_Z, 0, 2, {{8, 1e9}, {512, 2.5e12}}};
	machine.curve[1] = (struct machine_curve){MACHINE_CPU, FAMILY_FFT_R2C, ELEMENT_C, 16, 1, {{1024, 3e9}}};
	static const char *const wanted[] = {
		"profile = 1",         "name = \"a \"name\" with = and # \"", "link_up_bytes = 1.5e9",
		"link_down_bytes = 2", "gpu_zherk = 8:1e9 512:2.5e12",        "cpu_fftwf_r2c_t16 = 1024:3e9",
		"end = true"};
	const int count = write_lines(&machine);
	cr_assert_eq(count, (int)(sizeof wanted / sizeof wanted[0]));
	for (int i = 0; i < count; i++)
		cr_expect_str_eq(text[i], wanted[i]);
	read_lines(count);
	cr_expect_str_eq(again.name, "a \"name\" with = and # ");
}
