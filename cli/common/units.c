/* units.c - scales a real number to three digits and a prefix of SI */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/units.h"

#include <stdio.h>
#include <string.h>

static const double units_year_ns = 365.25 * 24 * 3600e9;

void units_time(double time_ns, char out[HUMAN_BYTES])
{
	char ratio[HUMAN_BYTES];
	if (!(time_ns >= 0)) {
		strcpy(out, "unknown");
	} else if (time_ns < 2 * units_year_ns) {
		human_format_time((uint64_t)time_ns, out);
	} else {
		units_ratio(time_ns / units_year_ns, ratio);
		snprintf(out, HUMAN_BYTES, "%.20s years", ratio);
	}
}

void units_ratio(double ratio, char out[HUMAN_BYTES])
{
	if (ratio >= 99.95 && ratio < 1e9)
		human_format_count((uint64_t)(ratio + 0.5), out);
	else if (ratio >= 9.995)
		snprintf(out, HUMAN_BYTES, ratio < 1e9 ? "%.1f" : "%.1e", ratio);
	else
		snprintf(out, HUMAN_BYTES, ratio >= 0.995 ? "%.2f" : "%.3g", ratio);
}

static void units_scale(double amount, const char *blank, const char *unit, char out[HUMAN_BYTES])
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y"};
	size_t i = 0;
	for (; amount >= 999.5 && i + 1 < sizeof prefix / sizeof prefix[0]; i++)
		amount /= 1000;
	if (amount >= 999.5)
		snprintf(out, HUMAN_BYTES, "%.2e%s%s%s", amount, blank, prefix[i], unit);
	else
		snprintf(out, HUMAN_BYTES, "%.*f%s%s%s",
		         amount >= 99.95   ? 0
		         : amount >= 9.995 ? 1
		                           : 2,
		         amount, blank, prefix[i], unit);
}

void units_amount(double amount, const char *unit, char out[HUMAN_BYTES])
{
	units_scale(amount, " ", unit, out);
}

void units_compact(double amount, char out[HUMAN_BYTES])
{
	if (amount > 0)
		units_scale(amount, "", "", out);
	else
		strcpy(out, "0");
}

void units_share(double part, double whole, char out[HUMAN_BYTES])
{
	/* Sums may be more than an integer of 64 bits holds. */
	const double unit = whole > 1e18 ? whole / 1e18 : 1;
	human_format_share((uint64_t)(part / unit), (uint64_t)(whole / unit), out);
}
