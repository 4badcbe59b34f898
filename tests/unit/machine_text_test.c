/* machine_text_test.c - a profile that is written and read again is unchanged */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/unit/machine_random.h"

enum { LINES_MAX = 400, LINE_BYTES = 512, PROFILES = 500 };

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

/* Equal to nine digits. */
static void expect_same(const char *what, double value, double wanted)
{
	cr_assert(fabs(value - wanted) <= 5.01e-9 * wanted, "%s: %.17g instead of %.17g", what,
	          value, wanted);
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
#include "policy/machine/machine.def"
		expect_same_curves();
	}
}

/* The largest number of curves and points, each number with all its digits. */
Test(machine_text, of_a_full_profile_fits)
{
	struct machine_random random = {UINT64_C(0xda3e39cb94b95bdb)};
	machine_random_make(&random, &machine);
	struct machine_curve curve = {.side = MACHINE_CPU,
	                              .family = FAMILY_GEMM_BATCH_STRIDED,
	                              .element = ELEMENT_D,
	                              .threads = 65536,
	                              .count = MACHINE_POINTS};
	for (int i = 0; i < MACHINE_POINTS; i++)
		curve.point[i] = (struct machine_point){.size = 1.23456789e6 * pow(10, i),
		                                        .rate = 1.23456789e300};
	machine_drop_curves(&machine, MACHINE_CPU);
	machine_drop_curves(&machine, MACHINE_GPU);
	while (machine_add_curve(&machine, &curve))
		curve.threads--;
	read_lines(write_lines(&machine));
	expect_same_curves();
}

Test(machine_text, says_only_what_is_known)
{
	memset(&machine, 0, sizeof machine);
	machine.link_up_bytes = 1.5e9;
	machine.link_down_bytes = 2;
	strcpy(machine.name, "a \"name\" with = and #\n");
	const struct machine_curve herk = {
		.side = MACHINE_GPU,
		.family = FAMILY_HERK,
		.element = ELEMENT_Z,
		.count = 2,
		.point = {{.size = 8, .rate = 1e9}, {.size = 512, .rate = 2.5e12}}};
	const struct machine_curve r2c = {.side = MACHINE_CPU,
	                                  .family = FAMILY_FFT_R2C,
	                                  .element = ELEMENT_C,
	                                  .threads = 16,
	                                  .count = 1,
	                                  .point = {{.size = 1024, .rate = 3e9}}};
	machine_add_curve(&machine, &herk);
	machine_add_curve(&machine, &r2c);
	static const char *const wanted[] = {"profile = 1",
	                                     "name = \"a \"name\" with = and # \"",
	                                     "link_up_bytes = 1.5e9",
	                                     "link_down_bytes = 2",
	                                     "gpu_zherk = 8:1e9 512:2.5e12",
	                                     "cpu_fftwf_r2c_t16 = 1024:3e9",
	                                     "end = true"};
	const int count = write_lines(&machine);
	cr_assert_eq(count, (int)(sizeof wanted / sizeof wanted[0]));
	for (int i = 0; i < count; i++)
		cr_expect_str_eq(text[i], wanted[i]);
	read_lines(count);
	cr_expect_str_eq(again.name, "a \"name\" with = and # ");
}
