/* hashing_cost_test.c - operands are hashed only where that takes less time than sending them */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "policy/resident/hashing_cost.h"

static int failed;

static void expect(bool held, const char *what)
{
	if (held)
		return;
	printf("FAIL %s\n", what);
	failed++;
}

static const struct {
	const char *what;
	struct hashing_rates rates;
	bool input, result;
} rows[] = {
	{"nothing is known", {0, 0, 0, 0}, true, true},
	{"the link is unknown", {0, 30e9, 0, 3}, true, true},
	{"hashing is unknown", {50e9, 0, 0, 0}, true, true},
	{"too few trials", {50e9, 30e9, 0, 2}, true, true},
	{"a fast link", {50e9, 30e9, 0, 3}, false, false},
	{"a slow link", {12e9, 30e9, 0, 3}, true, true},
	{"a result is hashed twice", {20e9, 30e9, 0, 3}, true, false},
	{"as fast as the link", {10e9, 10e9, 0, 3}, false, false},
};

static void test_note(void)
{
	const int64_t second_ns = 1000000000;
	struct hashing_rates rates = {.send_bytes_s = 12e9};
	hashing_cost_note(&rates, 1000, 1000000, second_ns);
	hashing_cost_note(&rates, 100000000, 0, second_ns);
	expect(rates.trials == 0, "few bytes and no time tell nothing");
	hashing_cost_note(&rates, 100000000, 50000000, second_ns);
	hashing_cost_note(&rates, 100000000, 20000000, second_ns);
	expect(hashing_cost_pays_input(&rates), "two trials tell nothing");
	hashing_cost_note(&rates, 100000000, 100000000, second_ns);
	expect(rates.hash_bytes_s == 5e9, "the fastest of the first trials counts");
	expect(!hashing_cost_pays_input(&rates), "5 GB/s beside 12 GB/s");
	hashing_cost_note(&rates, 100000000, 4000000, second_ns);
	expect(rates.hash_bytes_s == 10e9, "a later one has a quarter of the weight");
	hashing_cost_refresh(&rates, 5 * second_ns - 1);
	expect(!hashing_cost_pays_input(&rates), "the rate is known for four seconds");
	hashing_cost_refresh(&rates, 5 * second_ns);
	expect(hashing_cost_pays_input(&rates), "and unknown after them");
	hashing_cost_note(&rates, 100000000, 50000000, 5 * second_ns);
	expect(rates.hash_bytes_s == 2e9 && rates.trials == 1, "then trials begin again");
}

int main(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect(hashing_cost_pays_input(&rows[i].rates) == rows[i].input &&
		               hashing_cost_pays_result(&rows[i].rates) == rows[i].result,
		       rows[i].what);
	test_note();
	return failed > 0;
}
