/* machine_rows.h - what reading and writing of profiles share: the keys, and the curves */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_ROWS_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_ROWS_H

#include "policy/machine/machine.h"
#include "policy/text/sentence.h"

enum { MACHINE_VERSION = 1, MACHINE_THREADS_MAX = 65536 };

enum {
	MACHINE_ROWS = 0
#define MACHINE_TEXT(field) +1
#define MACHINE_NUMBER(key, field) +1
#include "policy/machine/machine.def"
};

/*
 * A key of machine.def and its field in struct machine: a text of MACHINE_NAME_BYTES or a double.
 */
struct machine_row {
	const char *key;
	size_t offset;
	bool is_text;
};
extern const struct machine_row machine_rows[MACHINE_ROWS];

extern const char machine_version_key[], machine_end_key[];

static inline char *machine_rows_text_field(struct machine *machine, const struct machine_row *row)
{
	return (char *)machine + row->offset;
}

static inline double *machine_rows_number_field(struct machine *machine,
                                                const struct machine_row *row)
{
	return (double *)(void *)((char *)machine + row->offset);
}

/*
 * The routine, side and threads that a key means, into a curve without points. False where it is no
 * curve's key.
 */
bool machine_rows_find_curve(struct words key, struct machine_curve *curve);

/* Reads a curve's points from value and adds it to the profile. False with one sentence. */
bool machine_rows_set_curve(struct machine *machine, struct machine_curve *curve, struct words key,
                            struct words value, struct sentence *sentence);

/* Adds the key of a curve, and its points as they are read. */
void machine_rows_add_curve_key(struct sentence *sentence, const struct machine_curve *curve);
void machine_rows_add_curve_points(struct sentence *sentence, const struct machine_curve *curve);

#endif
