/* totals_test.c - the log's totals at the end; the reasons of small calls */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/base/clock.h"
#include "shim/record/counters.h"
#include "shim/record/record.h"

static char folder[] = "/tmp/totals_test_XXXXXX", text[1 << 16];

static void enter_folder(void)
{
	cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
}

static void leave_folder(void)
{
	cr_assert(unlink("log") == 0 && rmdir(folder) == 0);
}

TestSuite(totals, .init = enter_folder, .fini = leave_folder, .timeout = 60);

static void expect_words(const char *words, int count)
{
	FILE *file = fopen("log", "r");
	cr_assert_not_null(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
		count--;
	cr_expect_eq(count, 0, "%s: %d too few in %s", words, count, text);
}

static void tick(void)
{
	const uint64_t now = clock_ticks();
	record_tick(&(struct record_tick){now, now + 1000, {1, 1, 1}, SYMBOL_dgemm_, 1});
}

static void count_calls(void)
{
	bool shared;
	counters_claim_slot(&shared)[SYMBOL_dgemm_] = 7;
	counters_add(SYMBOL_dgemm_, REASON_ABOVE_THRESHOLD, 250, 4096);
	counters_add(SYMBOL_dgemm_, REASON_ABOVE_THRESHOLD, 250, 4096);
	counters_add(SYMBOL_fftw_plan_dft_1d, REASON_ABOVE_THRESHOLD, 250, 4096);
}

Test(totals, a_line_for_each_routine_and_reason_once)
{
	static struct options options = {.enabled = true, .log_level = LOG_SUMMARY, .log = "log"};
	routine_policy_clear(&options.policies);
	counters_open(&options, false);
	record_open(&options, false);
	tick();
	count_calls();
	expect_words("{", 0);
	record_close();
	record_close();
	expect_words("\"symbol\":\"dgemm_\",\"routine\":\"dgemm\",\"sizes\":{}", 2);
	expect_words("\"time\"", 2);
	expect_words("\"bytes\":0,\"flops\":0,\"target\":\"cpu\",\"reason\":\"below_threshold\"",
	             1);
	expect_words("\"calls\":7,\"elapsed_ns\":-1}", 1);
	expect_words("\"bytes\":8192,\"flops\":0,\"target\":\"gpu\",\"reason\":\"above_threshold\"",
	             1);
	expect_words("\"calls\":2,\"elapsed_ns\":500}", 1);
}

/* A reason of the gate that decided calls have too: those were timed, the gate's were not. */
Test(totals, calls_of_the_gate_have_a_line_of_their_own)
{
	static struct options options = {.enabled = true, .log_level = LOG_SUMMARY, .log = "log"};
	routine_policy_clear(&options.policies);
	counters_open(&options, false);
	record_open(&options, false);
	count_calls();
	counters_add(SYMBOL_dgemm_, REASON_BELOW_THRESHOLD, 100, 10);
	record_close();
	expect_words("\"reason\":\"below_threshold\"", 2);
	expect_words("\"calls\":1,\"elapsed_ns\":100}", 1);
	expect_words("\"calls\":7,\"elapsed_ns\":-1}", 1);
}

Test(totals, small_calls_of_an_excluded_program_say_so)
{
	static struct options options = {.enabled = true, .log_level = LOG_CALL, .log = "log"};
	routine_policy_clear(&options.policies);
	record_open(&options, true);
	tick();
	record_close();
	expect_words("\"target\":\"cpu\",\"reason\":\"program_excluded\"", 1);
}
