/* machine_rows.h - the rows of machine.def as a table: a key and a field each; internal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_ROWS_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_ROWS_H

#include "policy/machine/machine.h"

enum {
	MACHINE_ROWS = 0
#define MACHINE_TEXT(field) +1
#define MACHINE_NUMBER(key, field) +1
#include "policy/machine/machine.def"
};

/*
 * A key of machine.def and its field in struct machine: a text of MACHINE_NAME_BYTES, or a double.
 */
struct machine_row {
	const char *key;
	size_t offset;
	bool is_text;
};
extern const struct machine_row machine_rows[MACHINE_ROWS];

static inline char *machine_rows_text_field(struct machine *machine, const struct machine_row *row)
{
	return (char *)machine + row->offset;
}

static inline double *machine_rows_number_field(struct machine *machine,
                                                const struct machine_row *row)
{
	return (double *)(void *)((char *)machine + row->offset);
}

#endif
