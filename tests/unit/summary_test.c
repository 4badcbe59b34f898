/* summary_test.c - the table's text, its truncation, and its numbers */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/decide/predict_gate.h"
#include "policy/text/human.h"
#include "shim/record/summary/summary.h"
#include "tests/driver/fewer.h"

static struct counters_file one, two;
static char out[32768];

static void fill_files(void)
{
	one.pid = 71;
	strcpy(one.program, "/usr/bin/octave");
	one.start_realtime_ns = 1000000000;
	one.end_realtime_ns = 13345678901;
	one.forwarded[0][SYMBOL_dgemm_] = 1000;
	one.forwarded[31][SYMBOL_dgemm_] = 230;
	one.forwarded[2][SYMBOL_fftw_plan_dft_1d] = 3;
	*counters_take_cell(&one, SYMBOL_dgemm_, REASON_BELOW_THRESHOLD) =
		(struct counters_cell){4, 9000, 4096};
	*counters_take_cell(&one, SYMBOL_dgemm_, REASON_ABOVE_THRESHOLD) =
		(struct counters_cell){10, 1234567890, 4500000000};
	*counters_take_cell(&one, SYMBOL_fftw_execute, REASON_WARMING_UP) =
		(struct counters_cell){1, 45600000, 16777216};
	one.device_bytes_peak = 2500000000;
	two.pid = 72;
	strcpy(two.program, "/usr/bin/octave");
	two.start_realtime_ns = 500000000;
	two.gate_reasons.of[FAMILY_GEMM][ELEMENT_Z] = REASON_POLICY_NEVER;
	two.forwarded[5][SYMBOL_cblas_zgemm] = 1;
}

TestSuite(summary, .init = fill_files);

static const char *format(size_t count)
{
	const struct counters_file *const files[] = {&one, &two};
	cr_assert_eq(summary_format(files, count, out, sizeof(out)), strlen(out));
	return out;
}

Test(summary, one_process)
{
	static const char expected[] =
		"gpushim: octave (pid 71), 12.3 s: 1,245 calls, 0.8 % on the GPU\n"
		"\n"
		"symbol              target  reason                 calls      time  workload\n"
		"dgemm_              cpu     below_threshold        1,234   9.00 us   4.10 kB\n"
		"dgemm_              gpu     above_threshold           10    1.23 s   4.50 GB\n"
		"fftw_plan_dft_1d    -       -                          3         -         -\n"
		"fftw_execute        cpu     warming_up                 1   45.6 ms   16.8 MB\n"
		"total                                              1,248    1.28 s   4.52 GB\n"
		"\n"
		"below_threshold: the call is below workload_threshold, or not worth a decision\n"
		"warming_up: CUDA is still starting in the background\n"
		"above_threshold: the operands reach workload_threshold\n"
		"GPU memory requested at most: 2.50 GB\n";
	cr_assert_str_eq(format(1), expected);
}

/* One routine has a policy of its own: only its small calls are kept by that. */
Test(summary, the_reason_of_small_calls_is_that_of_their_routine)
{
	two.forwarded[0][SYMBOL_dgemm_] = 3;
	const char *text = format(2);
	cr_assert_not_null(
		strstr(text, "cblas_zgemm         cpu     policy_never               1 "));
	cr_assert_not_null(
		strstr(text, "dgemm_              cpu     below_threshold        1,237 "));
}

Test(summary, a_start_that_failed_is_no_start_under_way)
{
	one.gpu_lost = REASON_NO_DRIVER;
	cr_assert_not_null(strstr(format(1), "warming_up: CUDA was starting, and failed: the "
	                                     "NVIDIA driver is missing or not\n  loaded\n"),
	                   "%s", out);
	/* The other process had no calls during its start. */
	two.gpu_lost = REASON_NO_CUDA;
	cr_assert_not_null(strstr(format(2), "failed: the NVIDIA driver is missing"));
	*counters_take_cell(&two, SYMBOL_fftw_execute, REASON_WARMING_UP) =
		(struct counters_cell){1, 1000, 1000};
	two.gpu_lost = REASON_NONE;
	cr_assert_not_null(
		strstr(format(2), "warming_up: CUDA is still starting in the background\n"));
	two.gpu_lost = REASON_BREAKER_OPEN; /* of a GPU that had started */
	cr_assert_not_null(
		strstr(format(2), "warming_up: CUDA is still starting in the background\n"));
	two.gpu_lost = 4711;
	cr_assert_not_null(
		strstr(format(2), "warming_up: CUDA is still starting in the background\n"));
}

Test(summary, several_processes_are_one_table)
{
	const char *text = format(2);
	const char *head = "gpushim: octave and 1 more process: 1,246 calls, 0.8 % on the GPU\n";
	cr_assert_eq(strncmp(text, head, strlen(head)), 0, "%s", text);
	cr_assert_not_null(
		strstr(text, "cblas_zgemm         cpu     policy_never               1 "));
	cr_assert_not_null(strstr(text, "policy_never: the option policy is never\n"));
	two.end_realtime_ns = 20500000000;
	cr_assert_not_null(strstr(format(2), "octave and 1 more process, 20.0 s: "));
}

Test(summary, nothing_at_all)
{
	const struct counters_file *const files[] = {&one};
	memset((void *)&one, 0, sizeof(one));
	cr_assert_eq(summary_format(files, 0, out, sizeof(out)), 0);
	cr_assert_str_eq(out, "");
	cr_assert_eq(summary_format(files, 1, out, 0), 0);
	cr_assert_eq(strncmp(format(1), "gpushim: unknown program (pid 0): 0 calls, 0 % on", 49),
	             0);
}

Test(summary, hostile_names_are_tamed)
{
	memset(one.program, 'x', sizeof(one.program) - 1);
	memcpy(one.program, "/a/b\033[31m\n", 10);
	const char *text = format(1);
	cr_assert_eq(strncmp(text, "gpushim: b?[31m?xxx", 19), 0, "%s", text);
}

/* A row of a file with all rows used stays within 80 columns, and blanks are between its cells. */
Test(summary, lines_stay_within_80_columns)
{
	for (int symbol = SYMBOL_COUNT - 1; symbol >= 0;
	     symbol--) /* the longest names are near the end */
		for (int reason = 0; reason < 2; reason++)
			*counters_take_cell(&one, symbol, reason) = (struct counters_cell){
				999999999999, UINT64_MAX / 9999, UINT64_MAX / 9999};
	*counters_take_cell(&one, SYMBOL_dgemm_, REASON_DRY_FASTER) =
		(struct counters_cell){1, 1, 1};
	one.totals.looks = one.totals.verified = one.totals.offloads = 999999999999;
	one.totals.look_loss_ns = one.totals.gain_ns = INT64_MAX;
	strcpy(one.dry.machine, "here: CPU (no driver). On an H200 (assumed, not measured)");
	one.dry.calls = one.dry.gpu_calls = one.dry.starts = one.dry.plans = UINT64_MAX;
	one.dry.cpu_ns = one.dry.auto_ns = one.dry.start_ns = INT64_MAX;
	const struct counters_file *const files[] = {&one};
	static char large[1 << 20];
	summary_format(files, 1, large, sizeof(large));
	int lines = 0;
	for (char *line = strtok(large, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++)
		cr_assert_leq(strlen(line), 80, "%s", line);
	cr_assert_gt(lines, COUNTERS_DECIDED);
}

Test(summary, long_names_and_large_counts_have_room)
{
	one.forwarded[3][SYMBOL_scipy_cblas_sgemm_batch_strided64_] = 1234567890;
	const char *text = format(1);
	cr_assert_not_null(strstr(text, "\n"
	                                "scipy_cblas_sgemm_batch_strided64_\n"
	                                "                    cpu     below_threshold    "
	                                "1,234,567,890         -         -\n"),
	                   "%s", text);
	cr_assert_not_null(strstr(text, "\ndgemm_              cpu     below_threshold    "
	                                "        1,234   9.00 us   4.10 kB\n"),
	                   "%s", text);
}

Test(summary, is_cut_at_a_line_end)
{
	static char whole[32768], guarded[32768];
	const struct counters_file *const files[] = {&one};
	strcpy(whole, format(1));
	for (size_t size = 1; size < strlen(whole) + 10; size++) {
		if (!fewer_runs(size))
			continue;
		memset(guarded, '#', sizeof(guarded));
		const size_t length = summary_format(files, 1, guarded, size);
		cr_assert(length < size && guarded[length] == '\0' && guarded[size] == '#');
		cr_assert(length == 0 || guarded[length - 1] == '\n');
		cr_assert_eq(strncmp(whole, guarded, length), 0);
	}
	cr_assert_eq(summary_format(files, 1, out, strlen(whole) + 1), strlen(whole));
}

static void expect(void (*write)(uint64_t, char[HUMAN_BYTES]), uint64_t value, const char *expected)
{
	char text[HUMAN_BYTES];
	write(value, text);
	cr_assert_str_eq(text, expected);
}

Test(summary, numbers_are_humane)
{
	expect(human_format_count, 0, "0");
	expect(human_format_count, 999, "999");
	expect(human_format_count, 1000, "1,000");
	expect(human_format_count, UINT64_MAX, "18,446,744,073,709,551,615");
	expect(human_format_time, 0, "0 ns");
	expect(human_format_time, 999, "999 ns");
	expect(human_format_time, 1000, "1.00 us");
	expect(human_format_time, 9994, "9.99 us");
	expect(human_format_time, 9995, "10.0 us");
	expect(human_format_time, 99950, "100 us");
	expect(human_format_time, 999499, "999 us");
	expect(human_format_time, 999500, "1.00 ms");
	expect(human_format_time, 1050000000, "1.05 s");
	expect(human_format_time, 12345678901, "12.3 s");
	expect(human_format_time, 119900000000, "120 s");
	expect(human_format_time, 119000000000, "119 s");
	expect(human_format_time, 120000000000, "2.00 min");
	expect(human_format_time, 1234567890123, "20.6 min");
	expect(human_format_time, 7190000000000, "120 min");
	expect(human_format_time, 7200000000000, "2.00 h");
	expect(human_format_time, 172800000000000, "2.00 days");
	expect(human_format_time, UINT64_MAX, "213,504 days");
	expect(human_format_size, 0, "0 B");
	expect(human_format_size, 999499, "999 kB");
	expect(human_format_size, 999500, "1.00 MB");
	expect(human_format_size, 999, "999 B");
	expect(human_format_size, 4500000, "4.50 MB");
	expect(human_format_size, 402653184, "403 MB");
	expect(human_format_size, UINT64_MAX, "18.4 EB");
}

static void expect_share(uint64_t part, uint64_t whole, const char *expected)
{
	char text[HUMAN_BYTES];
	human_format_share(part, whole, text);
	cr_assert_str_eq(text, expected);
}

static void expect_percent(uint64_t part, uint64_t whole, const char *expected)
{
	char text[HUMAN_BYTES];
	human_format_percent(part, whole, text);
	cr_assert_str_eq(text, expected);
}

Test(summary, shares_do_not_flatter)
{
	expect_share(0, 0, "0 %");
	expect_share(0, 5, "0 %");
	expect_share(5, 5, "100 %");
	expect_share(1, 3, "33.3 %");
	expect_share(2, 3, "66.7 %");
	expect_share(996, 1000, "99.6 %");
	expect_share(9996, 10000, ">99.9 %");
	expect_share(4, 10000, "<0.1 %");
	expect_share(1, 1000, "0.1 %");
	expect_share(1, 1001, "<0.1 %");
	expect_share(1, UINT64_MAX, "<0.1 %");
	expect_share(99999, 100000, ">99.9 %");
	expect_share(UINT64_MAX - 1, UINT64_MAX, ">99.9 %");
	expect_percent(0, 5, "0 %");
	expect_percent(5, 5, "100 %");
	expect_percent(9, 1000, "<1 %");
	expect_percent(10, 1000, "1 %");
	expect_percent(125, 1000, "13 %");
	expect_percent(994, 1000, "99 %");
	expect_percent(996, 1000, ">99 %");
}

static off_t print_to(const char *where, const char *file)
{
	static struct options options;
	struct stat status;
	snprintf(options.summary, sizeof(options.summary), "%s", where);
	errno = EXDEV;
	summary_print(&options);
	cr_assert_eq(errno, EXDEV);
	return stat(file, &status) == 0 ? status.st_size : -1;
}

static void open_counters(void)
{
	static struct options options = {.enabled = true};
	counters_open(&options, false);
	unsetenv("OMPI_COMM_WORLD_RANK");
}

Test(summary, is_printed_where_the_option_says_and_only_after_calls)
{
	char folder[] = "/tmp/summary_test_XXXXXX", command[64];
	cr_assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
	setenv("XDG_RUNTIME_DIR", folder, 1);
	const int fd = open("messages", O_WRONLY | O_CREAT | O_APPEND, 0600);
	cr_assert(fd >= 0 && dup2(fd, STDERR_FILENO) >= 0);
	open_counters();
	cr_assert_eq(print_to("stderr", "messages"), 0);
	counters_add(SYMBOL_dgemm_, REASON_OVERLAP, 10, 10);
	cr_assert_eq(print_to("off", "messages"), 0);
	cr_assert_eq(print_to("", "messages"), 0);
	const off_t size = print_to("stderr", "messages");
	cr_assert_gt(size, 100);
	cr_assert_gt(print_to("table", "table"), 100);
	cr_assert_gt(print_to("table", "table"), 200);
	cr_assert_gt(print_to("missing/table", "messages"), size);
	counters_close();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	cr_assert_eq(system(command), 0);
}

/*
 * The result of deciding by time is below the table, summed over processes; nothing if there was
 * none.
 */
Test(summary, totals)
{
	one.totals.offloads = 3;
	one.totals.gain_ns = 1500000000;
	two.totals.gain_ns = -500000000;
	two.totals.looks = 1;
	two.totals.look_loss_ns = 2000000;
	strcpy(two.dry.machine, "here: CPU (no driver). On an H200 (assumed, not measured)");
	two.dry.calls = 52;
	two.dry.gpu_calls = 36;
	two.dry.starts = 1;
	two.dry.plans = 2;
	two.dry.start_ns = 600000000;
	two.dry.cpu_ns = 10000000000;
	two.dry.auto_ns = 1000000000;
	format(2);
	cr_expect_not_null(strstr(
		out, "\nsaved by the GPU: 1.00 s, by the expected CPU times of its calls\n"));
	cr_expect_not_null(
		strstr(out, "\n1 call tried on the other processor, at a cost of 2.00 ms\n"));
	cr_expect_not_null(
		strstr(out, "\nhere: CPU (no driver). On an H200 (assumed, not measured):\n"
	                    "  36 of 52 calls on the GPU, 10.0 s in calls -> 1.00 s\n"
	                    "  included: CUDA's start, 600 ms in the background; 2 cuFFT plans\n"));
	cr_expect_null(strstr(out, "verified"));
	format(1);
	cr_expect_null(strstr(out, "here:"));
}

Test(summary, a_dry_run_without_a_decision_says_why)
{
	static const char gated[] = "  no call is large enough for the GPU:\n"
				    "  each has less than 7.00 kB of operands, the "
				    "workload_threshold\n",
			  kept[] = "  no call is decided on:\n"
				   "  options keep them on the CPU, or they are too small\n";
	strcpy(one.dry.machine, "here: CPU (no driver). On an H200 (assumed, not measured)");
	one.dry.gate = 7000;
	cr_expect_not_null(strstr(format(1), gated), "%s", out);
	cr_expect_not_null(strstr(format(2), gated), "two has no dry run: %s", out);
	strcpy(two.dry.machine, one.dry.machine);
	two.dry.gate = PREDICT_GATE_TIME;
	cr_expect_not_null(strstr(format(2), "  each is below a threshold, or expected to take"),
	                   "%s", out);
	two.dry.gate = PREDICT_GATE_OPTIONS;
	cr_expect_not_null(strstr(format(2), kept), "%s", out);
}

Test(summary, a_dry_run_without_a_call_predicts_nothing)
{
	memset(&one, 0, sizeof one);
	strcpy(one.dry.machine, "here: CPU (no driver). On an H200 (assumed, not measured)");
	one.forwarded[2][SYMBOL_fftw_plan_dft_1d] = 3;
	cr_expect_null(strstr(format(1), "here:"), "%s", out);
}

/* Counters of one process, in which calls were verified. */
static void verify_calls(struct counters_file *file, int symbol, double ratio, bool agrees)
{
	static struct options options = {.enabled = true};
	counters_open(&options, false);
	counters_add_verified(symbol, ratio, agrees);
	memcpy((void *)&file->totals, (const void *)&counters_view()->totals, sizeof file->totals);
}

Test(summary, verified_calls_agree)
{
	verify_calls(&one, SYMBOL_dgemm_, 0.012, true);
	cr_expect_not_null(strstr(format(2),
	                          "\nverified on the CPU: 1 call on the GPU, which agrees\n"
	                          "  largest difference: 1.2 % of what rounding "
	                          "explains, in dgemm_\n"),
	                   "%s", out);
	verify_calls(&two, SYMBOL_cblas_zgemm, 0.5, true);
	cr_expect_not_null(strstr(format(2),
	                          "\nverified on the CPU: 2 calls on the GPU, which all agree\n"
	                          "  largest difference: 50.0 % of what rounding explains, in "
	                          "cblas_zgemm\n"),
	                   "%s", out);
}

Test(summary, verified_calls_disagree)
{
	verify_calls(&one, SYMBOL_dgemm_, 40, false);
	cr_expect_not_null(strstr(format(1), "\nverified on the CPU: 1 call on the GPU, which "
	                                     "disagrees (verify_failed)\n"),
	                   "%s", out);
	cr_expect_null(strstr(out, "largest difference"));
	verify_calls(&two, SYMBOL_cblas_zgemm, 0, true);
	cr_expect_not_null(strstr(format(2), "\n  largest difference of the others: 0 % of what "
	                                     "rounding explains, in\n  cblas_zgemm\n"),
	                   "%s", out);
}

/* Processes that were forked too late, and what helps. */
Test(summary, forked)
{
	*counters_take_cell(&two, SYMBOL_dgemm_, REASON_FORKED) =
		(struct counters_cell){1, 9000, 4096};
	cr_expect_null(strstr(format(1), "forked"), "%s", out);
	cr_expect_not_null(strstr(format(2), "\n1 call of 1 process that was forked after CUDA had "
	                                     "started ran on the CPU\n  (forked);"),
	                   "%s", out);
	*counters_take_cell(&one, SYMBOL_fftw_execute, REASON_FORKED) =
		(struct counters_cell){1999, 9000, 4096};
	cr_expect_not_null(strstr(format(2), "\n2,000 calls of 2 processes that were forked "),
	                   "%s", out);
	cr_expect_not_null(strstr(out, "(Python: spawn,"), "%s", out);
}
