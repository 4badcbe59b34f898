/* machine_check.c - compares the GPU's rates in a profile with what was found */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine_check.h"

#include <float.h>
#include <stddef.h>

#include "policy/text/number.h"
#include "policy/text/sentence.h"

/*
 * A factor between two rates beyond which they cannot be of one machine; a smaller difference may
 * be that of the moment.
 */
static const double machine_check_most = 2;

/* unit: how the rate is printed, divided by scale. */
static const struct machine_check_row {
	size_t offset; /* of a double in struct machine */
	double scale;
	const char *unit;
} machine_check_rows[] = {
	{offsetof(struct machine, link_up_bytes), 1e9, " GB/s to the GPU"},
	{offsetof(struct machine, link_down_bytes), 1e9, " GB/s from the GPU"},
	{offsetof(struct machine, gpu_gemm_flops[ELEMENT_S]), 1e12, " Tflop/s of SGEMM"},
	{offsetof(struct machine, gpu_gemm_flops[ELEMENT_D]), 1e12, " Tflop/s of DGEMM"},
};
enum { MACHINE_CHECK_ROWS = sizeof machine_check_rows / sizeof machine_check_rows[0] };

static double machine_check_read(const struct machine *machine, const struct machine_check_row *row)
{
	double rate;
	memcpy(&rate, (const char *)machine + row->offset, sizeof rate);
	return rate;
}

static bool machine_check_knows(double rate)
{
	return rate > 0 && rate <= DBL_MAX;
}

/* The quotient of both rates, 1 or more; 1 where either is unknown. */
static double machine_check_compare(double rate, double other)
{
	if (!machine_check_knows(rate) || !machine_check_knows(other))
		return 1;
	return rate > other ? rate / other : other / rate;
}

/* Two significant digits. */
static double machine_check_round(double value)
{
	double unit = 1;
	if (!(value > 0 && value < 1e15))
		return value;
	while (value / unit >= 100)
		unit *= 10;
	while (value / unit < 10 && unit > 1e-12)
		unit /= 10;
	return (double)(uint64_t)(value / unit + 0.5) * unit;
}

static void machine_check_add_rate(struct sentence *sentence, double rate,
                                   const struct machine_check_row *row)
{
	char digits[NUMBER_REAL_BYTES];
	number_format_real(machine_check_round(rate / row->scale), digits);
	sentence_add(sentence, digits);
}

static void machine_check_describe(const struct machine *profile, const struct machine *found,
                                   const struct machine_check_row *row,
                                   char message[MACHINE_MESSAGE_BYTES])
{
	struct sentence sentence = sentence_start(message, MACHINE_MESSAGE_BYTES);
	sentence_add(&sentence, "the profile ");
	if (profile->name[0] != '\0') {
		sentence_quote(&sentence, words_of(profile->name));
		sentence_add(&sentence, " ");
	}
	sentence_add(&sentence, "has ");
	machine_check_add_rate(&sentence, machine_check_read(profile, row), row);
	sentence_add(&sentence, row->unit);
	sentence_add(&sentence, " where ");
	machine_check_add_rate(&sentence, machine_check_read(found, row), row);
	sentence_add(&sentence, " were found; its GPU figures are not used; "
	                        "`gpushim calibrate` measures this machine");
}

bool machine_check_contradicts(const struct machine *profile, const struct machine *found,
                               char message[MACHINE_MESSAGE_BYTES])
{
	const struct machine_check_row *worst = NULL;
	double most = machine_check_most;
	for (int i = 0; i < MACHINE_CHECK_ROWS; i++) {
		const struct machine_check_row *row = &machine_check_rows[i];
		const double times = machine_check_compare(machine_check_read(profile, row),
		                                           machine_check_read(found, row));
		if (times <= most)
			continue;
		most = times;
		worst = row;
	}
	if (worst == NULL)
		return false;
	machine_check_describe(profile, found, worst, message);
	return true;
}
