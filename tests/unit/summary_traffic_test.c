/* summary_traffic_test.c - what the summary says of bytes sent to the GPU, and of why they were */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "shim/record/summary/summary.h"

static struct counters_file one, two, three;
static char out[32768];

static void fill_files(void)
{
	one.pid = 71;
	two.pid = 72;
	three.pid = 73;
}

TestSuite(summary_traffic, .init = fill_files);

static void fill_traffic(struct counters_file *file, uint64_t sent_bytes, uint64_t kept_bytes,
                         enum track_reason untracked)
{
	file->traffic.sent_bytes = sent_bytes;
	file->traffic.kept_bytes = kept_bytes;
	file->traffic.untracked = (uint64_t)untracked;
}

/* What the summary of the first files says; a sentence in a line. */
static const char *format(size_t count)
{
	const struct counters_file *const files[] = {&one, &two, &three};
	cr_assert_eq(summary_format(files, count, out, sizeof out), strlen(out));
	for (char *at = out; (at = strstr(at, "\n  ")) != NULL;) {
		*at = ' ';
		memmove(at + 1, at + 3, strlen(at + 3) + 1);
	}
	return out;
}

static void expect(size_t files, const char *line)
{
	cr_expect_not_null(strstr(format(files), line), "'%s' is not in %s", line, out);
}

Test(summary_traffic, bytes_are_told_where_calls_sent_any)
{
	cr_expect_null(strstr(format(1), "sent"), "%s", out);
	fill_traffic(&one, 2000000, 0, TRACK_REASON_NONE);
	expect(1, "\nsent to the GPU: 2.00 MB; not sent, as it was there: 0 B\n");
	cr_expect_null(strstr(out, "operands"), "%s", out);
	fill_traffic(&two, 3000000, 7000000, TRACK_REASON_NONE);
	expect(2, "\nsent to the GPU: 5.00 MB; not sent, as it was there: 7.00 MB\n");
}

Test(summary_traffic, moves_are_told_and_why_there_are_none)
{
	fill_traffic(&one, 2000000, 0, TRACK_REASON_NONE);
	cr_expect_null(strstr(format(1), "moved"), "%s", out);
	one.traffic.moved_bytes = 3000000;
	expect(1, "\nmoved to the GPU's memory: 3.00 MB\n");
	cr_expect_null(strstr(out, "no more"), "%s", out);
	two.traffic.unmoved = MIGRATION_REASON_COSTLY;
	expect(2,
	       "\nno more operands are moved there: moving operands took longer than reading them "
	       "where they were\n");
	one.traffic.moved_bytes = 0;
	expect(2, "\nno operands are moved to the GPU's memory: moving operands took longer");
}

Test(summary_traffic, operands_are_sent_each_time_for_a_reason)
{
	fill_traffic(&one, 0, 0, TRACK_REASON_NO_CALL);
	cr_expect_null(strstr(format(1), "operands"), "no call was on the GPU: %s", out);
	fill_traffic(&one, 1, 0, TRACK_REASON_NO_CALL);
	expect(1, "\noperands are sent each time: the kernel has no userfaultfd\n");
	fill_traffic(&one, 1, 0, TRACK_REASON_COUNT);
	cr_expect_null(strstr(format(1), "operands"), "of another version: %s", out);
}

/* A reason of the end does not contradict that operands were kept before. */
Test(summary_traffic, operands_that_were_kept_are_not_said_to_be_sent_each_time)
{
	fill_traffic(&one, 1000, 5000, TRACK_REASON_USERFAULTFD);
	expect(1, "\nnot all operands could stay: the program uses userfaultfd itself\n");
	cr_expect_null(strstr(out, "each time"), "%s", out);
}

Test(summary_traffic, a_reason_of_some_processes_is_not_that_of_all)
{
	fill_traffic(&one, 1000, 5000, TRACK_REASON_NONE);
	fill_traffic(&two, 1000, 0, TRACK_REASON_CUDA);
	expect(2, "\nin 1 of 2 processes operands are sent each time: the program uses CUDA ");
	expect(3, "\nin 1 of 2 processes operands are sent each time: the program uses CUDA ");
	fill_traffic(&three, 1000, 3000, TRACK_REASON_CUDA);
	expect(3, "\nin 2 of 3 processes not all operands could stay: the program uses CUDA ");
	fill_traffic(&one, 1000, 0, TRACK_REASON_CUDA);
	fill_traffic(&three, 1000, 0, TRACK_REASON_CUDA);
	expect(3, "\noperands are sent each time: the program uses CUDA ");
	fill_traffic(&three, 1000, 0, TRACK_REASON_PINNED);
	expect(3, "\nin 2 of 3 processes operands are sent each time: the program uses CUDA ");
}
