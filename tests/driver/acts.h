/* acts.h - a program of the tests that does one of several things, by the name of its argument */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_DRIVER_ACTS_H
#define GPUSHIM_TESTS_DRIVER_ACTS_H

#include <stddef.h>
#include <string.h>

struct act {
	const char *name;
	int (*run)(void);
};

/* The status of the act that the program's only argument names; 99 where it names none. */
static inline int acts_run(const struct act *acts, size_t size, int count, char **words)
{
	for (size_t i = 0; i < size; i++)
		if (count == 2 && strcmp(words[1], acts[i].name) == 0)
			return acts[i].run();
	return 99;
}

#endif
