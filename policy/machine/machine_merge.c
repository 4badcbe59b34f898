/* machine_merge.c - merges two profiles row by row */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/machine/machine_merge.h"

#include <string.h>

#include "policy/machine/machine_rows.h"

/*
 * Rows of the CPU and of the profile itself; all others are of the GPU, of its link or of the
 * engine on it.
 */
static bool machine_merge_is_gpu(const struct machine_row *row)
{
	static const char *const kept[] = {"cpu", "name", "host", "measured"};
	for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
		if (strncmp(row->key, kept[i], strlen(kept[i])) == 0)
			return false;
	return true;
}

static void machine_merge_clear(struct machine *machine, const struct machine_row *row)
{
	if (row->is_text)
		machine_rows_text_field(machine, row)[0] = '\0';
	else
		*machine_rows_number_field(machine, row) = 0;
}

void machine_merge_drop_gpu(struct machine *machine)
{
	for (int i = 0; i < MACHINE_ROWS; i++)
		if (machine_merge_is_gpu(&machine_rows[i]))
			machine_merge_clear(machine, &machine_rows[i]);
	machine_drop_curves(machine, MACHINE_GPU);
}

static bool machine_merge_knows(const struct machine *machine, const struct machine_row *row)
{
	const char *field = (const char *)machine + row->offset;
	double number = 0;
	if (row->is_text)
		return field[0] != '\0';
	memcpy(&number, field, sizeof number);
	return number > 0;
}

static void machine_merge_take(struct machine *machine, const struct machine *found,
                               const struct machine_row *row)
{
	memcpy((char *)machine + row->offset, (const char *)found + row->offset,
	       row->is_text ? MACHINE_NAME_BYTES : sizeof(double));
}

void machine_merge(struct machine *machine, const struct machine *found)
{
	for (int i = 0; i < MACHINE_ROWS; i++)
		if (machine_merge_knows(found, &machine_rows[i]))
			machine_merge_take(machine, found, &machine_rows[i]);
}

void machine_merge_complete(struct machine *machine, const struct machine *found)
{
	for (int i = 0; i < MACHINE_ROWS; i++)
		if (machine_merge_knows(found, &machine_rows[i]) &&
		    !machine_merge_knows(machine, &machine_rows[i]))
			machine_merge_take(machine, found, &machine_rows[i]);
}
