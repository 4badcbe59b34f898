/* cli_log_check.h - expectations and random numbers of the tests of logs */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_CLI_LOG_CHECK_H
#define GPUSHIM_TESTS_CLI_LOG_CHECK_H

#include <stdint.h>

#include "tests/driver/expect.h"

/* Knuth's linear congruential generator: the same numbers on every machine. */
static uint64_t random_state = 20261121;

static uint64_t random_below(uint64_t limit)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (random_state >> 33) % limit;
}

#endif
