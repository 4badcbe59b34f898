/* unit.h - numbers with units from text, as human.h prints them: 10MB, 1.50 GB, 5 ms, 80 %; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_UNIT_H
#define GPUSHIM_POLICY_TEXT_UNIT_H

#include "policy/text/number.h"

/* What a value is counted in. A number without a unit is in this unit. */
enum unit {
	UNIT_PLAIN, /* no unit may follow */
	UNIT_BYTES,
	UNIT_MEGABYTES, /* 10^6 bytes */
	UNIT_FLOPS,     /* multiplications and additions */
	UNIT_SECONDS,
	UNIT_SHARE, /* of 1 */
	UNIT_PERCENT
};

/*
 * Both read all of text: a number as number.h has it, and behind it, with or without blanks, a unit
 * of the same kind in any case: B, kB, MB, GB, TB, PB and EB (10^3 to 10^18 bytes), the same with
 * flop for B, k to P alone, ns, us, ms, s, min, h, days, or %. *value is in unit, and
 * written only on NUMBER_FINE. An unknown unit is NUMBER_UNREADABLE.
 */
enum number_status unit_parse_count(enum unit unit, const char *text, size_t length,
                                    uint64_t *value);
enum number_status unit_parse_real(enum unit unit, const char *text, size_t length, double *value);

/* What follows a range of allowed numbers: " bytes, for instance 10MB"; "" for UNIT_PLAIN. */
const char *unit_describe(enum unit unit);

#endif
