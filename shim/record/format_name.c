/* format_name.c - cleans names for a line of JSON */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/format_name.h"

#include <stddef.h>
#include <string.h>

#include "shim/libc/program.h"

/*
 * Cut to its room. Characters that JSON escapes, and those beyond ASCII, whose encoding is unknown,
 * become '?'.
 */
static void format_name_clean(const char *text, char *out, size_t size)
{
	size_t used = 0;
	for (const char *at = text; *at != '\0' && used + 1 < size; at++)
		out[used++] = *at < ' ' || *at > '~' || *at == '"' || *at == '\\' ? '?' : *at;
	out[used] = '\0';
}

const char *format_name_object(const char *path, char out[FORMAT_OBJECT_BYTES])
{
	if (path == NULL)
		return FORMAT_NO_OBJECT;
	if (path[0] == '\0')
		path = program_name();
	const char *slash = strrchr(path, '/');
	format_name_clean(slash != NULL ? slash + 1 : path, out, FORMAT_OBJECT_BYTES);
	return out;
}

const char *format_name_machine(const char *name, char out[FORMAT_MACHINE_BYTES])
{
	if (name == NULL || name[0] == '\0')
		return NULL;
	format_name_clean(name, out, FORMAT_MACHINE_BYTES);
	return out;
}
