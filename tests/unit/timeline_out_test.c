/* timeline_out_test.c - lines of the trace when one of them is never finished */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/record/timeline/timeline_out.h"

#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/*
 * More lines than the ring holds, and the number of times that all writers together may wait for
 * room.
 */
enum { LINES = 1200, PAUSES_MOST = 100 };

static atomic_int pauses;
static sigjmp_buf left;

/* Replaces libc's: does not sleep, and counts the calls. */
int nanosleep(const struct timespec *request, struct timespec *rest)
{
	(void)request;
	(void)rest;
	atomic_fetch_add(&pauses, 1);
	return 0;
}

static void leave(int signal)
{
	(void)signal;
	siglongjmp(left, 1);
}

/* A handler that does not return leaves a line unfinished. */
static void write_half_a_line(void)
{
	const struct sigaction action = {.sa_handler = leave};
	const char *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(nothing, MAP_FAILED);
	cr_assert_eq(sigaction(SIGSEGV, &action, NULL), 0);
	if (sigsetjmp(left, 1) == 0) {
		timeline_out_write(nothing, 64);
		cr_assert_fail("nothing was read");
	}
}

Test(timeline_out, a_line_that_is_never_finished_holds_nobody_up_for_long)
{
	char path[] = "/tmp/unit-timeline-XXXXXX";
	const int fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	cr_assert(timeline_out_open(path));
	write_half_a_line();
	for (int i = 0; i < LINES; i++)
		timeline_out_write("{},\n", 4);
	cr_expect_leq(atomic_load(&pauses), PAUSES_MOST);
	cr_expect_gt(atomic_load(&pauses), 0);
	close(fd);
	unlink(path);
}
