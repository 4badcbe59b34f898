/* whole_messages.h - each message of the shim in one line, as whole_messages.sed has it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_DRIVER_WHOLE_MESSAGES_H
#define GPUSHIM_TESTS_DRIVER_WHOLE_MESSAGES_H

#include <string.h>

/* Nine blanks at a line's begin continue the line before. Changes text, and returns it. */
static inline char *whole_messages_join(char *text)
{
	static const char broken[] = "\n         ";
	for (char *at = text; (at = strstr(at, broken)) != NULL; at++) {
		const char *rest = at + sizeof broken - 1;
		*at = ' ';
		memmove(at + 1, rest, strlen(rest) + 1);
	}
	return text;
}

#endif
