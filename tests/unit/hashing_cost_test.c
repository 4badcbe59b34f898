/* hashing_cost_test.c - operands are hashed only where that takes less time than sending them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "policy/resident/hashing_cost.h"

static const struct {
	const char *what;
	struct hashing_rates rates;
	bool input, result;
} rows[] = {
	{"nothing is known", {0, 0, 0, 0}, true, true},
	{"the link is unknown", {30e9, 0, 0, 1}, true, true},
	{"hashing is unknown", {0, 0, 50e9, 4}, true, true},
	{"one thread beside a fast link", {30e9, 0, 50e9, 1}, false, false},
	{"no number of threads is one thread", {30e9, 0, 50e9, 0}, false, false},
	{"one thread beside a slow link", {30e9, 0, 12e9, 1}, true, true},
	{"a result is hashed twice", {30e9, 0, 20e9, 1}, true, false},
	{"four threads beside a fast link", {30e9, 0, 50e9, 4}, true, true},
	{"memory is the limit", {30e9, 50e9, 50e9, 8}, false, false},
	{"memory that is faster is none", {30e9, 500e9, 50e9, 4}, true, true},
	{"as fast as the link", {10e9, 0, 10e9, 1}, false, false},
};

int main(void)
{
	int failed = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (hashing_cost_pays_input(&rows[i].rates) != rows[i].input ||
		    hashing_cost_pays_result(&rows[i].rates) != rows[i].result) {
			printf("FAIL %s\n", rows[i].what);
			failed++;
		}
	return failed > 0;
}
