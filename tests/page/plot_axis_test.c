/* plot_axis_test.c - axes: round ticks; ranges that are empty, one value, NaN or 1e300 */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "measure/random.h"
#include "page/plot.h"
#include "tests/driver/expect.h"

enum { DRAWS = 20000, TEXT_BYTES = 512 };

static struct plot_axis make_axis(enum plot_scale scale, enum plot_unit unit, const double *value,
                                  int count, int wanted)
{
	struct plot_axis axis = {.scale = scale, .unit = unit};
	for (int i = 0; i < count; i++)
		plot_axis_note(&axis, value[i]);
	plot_axis_fit(&axis, wanted);
	return axis;
}

/* Compares the labels of an axis, joined by "|", with those expected. */
static void expect_ticks(enum plot_scale scale, enum plot_unit unit, double least, double most,
                         const char *expected)
{
	char text[TEXT_BYTES] = "";
	const struct plot_axis axis = make_axis(scale, unit, (const double[]){least, most}, 2, 5);
	for (int i = 0; i < axis.tick_count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? "|" : "",
		         axis.tick[i].label);
	if (strcmp(text, expected) != 0) {
		printf("FAIL from %g to %g: ticks %s, not %s\n", least, most, text, expected);
		expect_failures++;
	}
}

static void test_ticks(void)
{
	expect_ticks(PLOT_LINEAR, PLOT_PLAIN, 0, 10, "0|2|4|6|8|10");
	expect_ticks(PLOT_LINEAR, PLOT_PLAIN, 0, 97, "0|20|40|60|80|100");
	expect_ticks(PLOT_LINEAR, PLOT_PLAIN, 0, 1944, "0|500|1,000|1,500|2,000");
	expect_ticks(PLOT_LINEAR, PLOT_PLAIN, 0, 3e6, "0|1M|2M|3M");
	expect_ticks(PLOT_LINEAR, PLOT_PLAIN, -3, 4, "-4|-2|0|2|4");
	expect_ticks(PLOT_LINEAR, PLOT_SHARE, 0, 1, "0 %|20 %|40 %|60 %|80 %|100 %");
	expect_ticks(PLOT_LINEAR, PLOT_TIME_NS, 0, 9.03e9, "0|2 s|4 s|6 s|8 s|10 s");
	expect_ticks(PLOT_LINEAR, PLOT_TIME_NS, 0, 0.9e9, "0|200 ms|400 ms|600 ms|800 ms|1,000 ms");
	expect_ticks(PLOT_LINEAR, PLOT_TIME_NS, 0, 50 * 60e9,
	             "0|10 min|20 min|30 min|40 min|50 min");
	expect_ticks(PLOT_LINEAR, PLOT_TIME_NS, 0, 5 * 3600e9, "0|1 h|2 h|3 h|4 h|5 h");
	expect_ticks(PLOT_LOG, PLOT_PLAIN, 1, 1000, "1|10|100|1,000");
	expect_ticks(PLOT_LOG, PLOT_PLAIN, 3, 40, "2|5|10|20|50");
	expect_ticks(PLOT_LOG, PLOT_TIME_NS, 40, 5e9, "100 ns|10 us|1 ms|100 ms");
	expect_ticks(PLOT_LOG, PLOT_TIME_NS, 1e9, 1e14,
	             "1 s|10 s|100 s|1,000 s|10,000 s|100,000 s");
	expect_ticks(PLOT_LOG, PLOT_SIZE_BYTES, 2e4, 3e7, "100 kB|1 MB|10 MB");
	expect_ticks(PLOT_BINARY, PLOT_PLAIN, 1, 32, "1|2|4|8|16|32");
	expect_ticks(PLOT_BINARY, PLOT_PLAIN, 1, 8192, "1|8|64|512|4,096");
	expect_ticks(PLOT_BINARY, PLOT_PLAIN, 1, 1 << 26,
	             "1|2\u2075|2\u00b9\u2070|2\u00b9\u2075|2\u00b2\u2070|2\u00b2\u2075");
}

static void expect_label(enum plot_unit unit, double value, const char *expected)
{
	char label[PLOT_LABEL_BYTES];
	plot_label_write(unit, value, value, label);
	if (strcmp(label, expected) != 0) {
		printf("FAIL %g is labelled %s, not %s\n", value, label, expected);
		expect_failures++;
	}
}

static void test_labels(void)
{
	expect_label(PLOT_SHARE, 8.68e-7, "<0.1 %");
	expect_label(PLOT_SHARE, 0, "0 %");
	expect_label(PLOT_SHARE, 0.0009, "<0.1 %");
	expect_label(PLOT_SHARE, 0.123, "12.3 %");
	expect_label(PLOT_PLAIN, 999499, "999,499");
	expect_label(PLOT_PLAIN, 1234567, "1.23M");
	expect_label(PLOT_PLAIN, 12e9, "12G");
	expect_label(PLOT_TIME_NS, 1500, "1.5 us");
	expect_label(PLOT_TIME_NS, 1200e9, "20 min");
	expect_label(PLOT_SIZE_BYTES, 4.5e6, "4.5 MB");
}

/* Properties of every axis, whatever its input. */
static bool is_sound(const struct plot_axis *axis)
{
	bool sound = isfinite(axis->begin) && isfinite(axis->end) && axis->begin < axis->end &&
	             axis->tick_count >= 1 && axis->tick_count <= PLOT_TICKS &&
	             (axis->scale == PLOT_LINEAR || axis->begin > 0);
	const double margin = 1e-6;
	for (int i = 0; i < axis->tick_count; i++) {
		const struct plot_tick *tick = &axis->tick[i];
		const double place = plot_axis_place(axis, tick->value);
		sound = sound && place >= -margin && place <= 1 + margin &&
		        tick->label[0] != '\0' &&
		        memchr(tick->label, '\0', sizeof tick->label) != NULL;
		sound = sound && (i == 0 || (tick[-1].value < tick->value &&
		                             strcmp(tick[-1].label, tick->label) != 0));
	}
	if (axis->noted) {
		const double least = plot_axis_place(axis, axis->least),
			     most = plot_axis_place(axis, axis->most);
		sound = sound && least >= -margin && most <= 1 + margin && least <= most + margin;
	}
	return sound;
}

static void expect_sound(const struct plot_axis *axis, const char *what)
{
	if (!is_sound(axis)) {
		printf("FAIL %s: scale %d from %g to %g is an axis from %g to %g with %d ticks\n",
		       what, (int)axis->scale, axis->least, axis->most, axis->begin, axis->end,
		       axis->tick_count);
		expect_failures++;
	}
}

static void test_edges(void)
{
	static const double none[] = {NAN, INFINITY, -INFINITY, 1e301, -1e305};
	static const double one[] = {0, 1, -1, 7.3, 1e300, -1e300, 1e-300, 5e-324, 123456789};
	static const double pairs[][2] = {{-1e300, 1e300}, {0, 1e300},       {1e-300, 1e300},
	                                  {1, 1 + 1e-15},  {1e300, 9e299},   {0, 5e-324},
	                                  {-5, -4.999},    {1e17, 1e17 + 16}};
	for (int scale = PLOT_LINEAR; scale <= PLOT_BINARY; scale++)
		for (int unit = PLOT_PLAIN; unit <= PLOT_SHARE; unit++) {
			struct plot_axis axis =
				make_axis((enum plot_scale)scale, (enum plot_unit)unit, none, 5, 5);
			expect(!axis.noted, "values without a place are not noted");
			expect_sound(&axis, "nothing");
			for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
				axis = make_axis((enum plot_scale)scale, (enum plot_unit)unit,
				                 &one[i], 1, 5);
				expect_sound(&axis, "one value");
			}
			for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
				axis = make_axis((enum plot_scale)scale, (enum plot_unit)unit,
				                 pairs[i], 2, 5);
				expect_sound(&axis, "two values");
			}
		}
	const struct plot_axis log = {.scale = PLOT_LOG};
	expect(!plot_axis_takes(&log, 0) && !plot_axis_takes(&log, -1) &&
	               plot_axis_takes(&log, 1e-300),
	       "a logarithm");
}

/* Any two values of any size, on any scale and with any number of ticks. */
static void test_draws(void)
{
	for (uint64_t i = 0; i < DRAWS; i++) {
		const uint64_t bits = random_bits(3, i);
		const double first = pow(10, 640 * random_number(1, i) * random_number(4, i)) *
		                     (bits & 1 ? 1 : -1);
		const double second = bits & 2 ? first * (1 + random_number(2, i))
		                               : pow(10, 40 * random_number(2, i));
		const double value[] = {first, second};
		const struct plot_axis axis = make_axis((enum plot_scale)((bits >> 8) % 3),
		                                        (enum plot_unit)((bits >> 16) % 4), value,
		                                        2, 2 + (int)((bits >> 24) % 9));
		expect_sound(&axis, "a draw");
	}
}

static void test_meeting(void)
{
	const struct plot_point cpu[] = {{1, 1}, {10, 10}, {100, 100}, {1000, 1000}};
	const struct plot_point gpu[] = {{1, 10}, {10, 20}, {100, 50}, {1000, 100}};
	const struct plot_point gap[] = {{1, 10}, {10, 0}, {100, NAN}, {1000, 100}};
	const double meet = plot_lines_meet(cpu, gpu, 4), over = plot_lines_meet(cpu, gap, 4);
	expect(fabs(meet - pow(10, 1.5)) < 1e-9, "half way between 10 and 100");
	expect(over > 1 && over < 1000, "over a gap");
	expect(plot_lines_meet(gpu, cpu, 4) == 0, "above at the last point");
	expect(plot_lines_meet(cpu + 2, gpu + 2, 2) == 100, "below everywhere");
	expect(plot_lines_meet(cpu, gpu, 0) == 0, "no points");
}

int main(void)
{
	test_ticks();
	test_labels();
	test_edges();
	test_draws();
	test_meeting();
	printf("axes: %d failures\n", expect_failures);
	return expect_failures == 0 ? 0 : 1;
}
