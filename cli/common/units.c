/* units.c - three digits, whatever the number */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/units.h"

#include <stdio.h>
#include <string.h>

static const double words_day_ns = 24 * 3600e9, words_year_ns = 365.25 * 24 * 3600e9;

void units_time(double time_ns, char out[HUMAN_BYTES])
{
	char ratio[HUMAN_BYTES];
	if (!(time_ns >= 0)) {
		strcpy(out, "unknown");
	} else if (time_ns < words_day_ns) {
		human_format_time((uint64_t)time_ns, out);
	} else {
		units_ratio(time_ns / (time_ns < words_year_ns ? words_day_ns : words_year_ns),
		            ratio);
		snprintf(out, HUMAN_BYTES, "%.20s %s", ratio,
		         time_ns < words_year_ns ? "days" : "years");
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

void units_amount(double amount, const char *unit, char out[HUMAN_BYTES])
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y"};
	size_t i = 0;
	for (; amount >= 999.5 && i + 1 < sizeof prefix / sizeof prefix[0]; i++)
		amount /= 1000;
	if (amount >= 999.5)
		snprintf(out, HUMAN_BYTES, "%.2e %s%s", amount, prefix[i], unit);
	else
		snprintf(out, HUMAN_BYTES,
		         amount >= 99.95   ? "%.0f %s%s"
		         : amount >= 9.995 ? "%.1f %s%s"
		                           : "%.2f %s%s",
		         amount, prefix[i], unit);
}
