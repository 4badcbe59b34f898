/* inside.c - what distributions' options of the compiler would change in a library */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

/* A relative relocation, which -z pack-relative-relocs would pack. */
const char *inside_names[] = {"a", "b"};

/* The stack protector guards the array; _FORTIFY_SOURCE replaces strcpy and printf. */
int inside_copy(const char *text)
{
	char copy[64];
	strcpy(copy, text);
	return printf("%s %s\n", copy, inside_names[0]);
}

/* -ffast-math makes this 0. */
int inside_is_nan(double value)
{
	return value != value;
}
