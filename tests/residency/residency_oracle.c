/* residency_oracle.c - random calls on random memory, with writes in between; plain loops judge */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../resident/chance.h"
#include "../resident/writers.h"
#include "blocks.h"
#include "calls.h"
#include "exact.h"

/*
 * usage: residency_oracle OPERATIONS [SEED]
 *
 * It knows nothing of a shim. Numbers are small, so that products are exact; every byte that the
 * system writes between the calls is part of such a number.
 */
enum { CHILD_CALLS = 3, PINNED_CALLS = 2, PINNED_BYTES = 1 << 17 };

static void run_call(void)
{
	const uint64_t chance = chance_draw() % 100;
	if (chance < 55)
		calls_run_product();
	else if (chance < 70)
		calls_run_level3();
	else if (chance < 76)
		calls_run_triangular_solve();
	else if (chance < 90)
		calls_run_solve();
	else
		calls_run_transform();
}

static struct block *choose_block(void)
{
	struct block *block = &blocks_all[chance_below(BLOCKS_COUNT)];
	blocks_set_filler(block);
	return block;
}

static void happen(void)
{
	const struct region_event *event = &region_events[chance_below(region_event_count)];
	chance_step = event->name;
	event->happen(&choose_block()->region);
}

/* Where the system lets a child write its parent's memory. */
static void write_to_parent(void)
{
	static char text[1 << 13];
	const struct region *region = &choose_block()->region;
	const struct iovec from = {text, sizeof text}, to = {region->memory, sizeof text};
	chance_fill(text, sizeof text);
	process_vm_writev(getppid(), &from, 1, &to, 1, 0);
}

static void fork_child(void)
{
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		chance_step = "fork";
		blocks_leave_neighbours();
		for (int i = 0; i < CHILD_CALLS; i++)
			calls_run_level3();
		write_to_parent();
		fflush(stdout);
		_Exit(0);
	}
	int status = 0;
	chance_step = "a forked child that writes its parent's memory";
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		calls_fail("a call of a forked child");
}

static size_t pinned_bytes(const struct region *region)
{
	return region->bytes < PINNED_BYTES ? region->bytes / 64 * 64 : PINNED_BYTES;
}

static void read_pinned(const struct block *block)
{
	writers_read_pinned(block->region.memory, pinned_bytes(&block->region));
}

/* Registered buffers of io_uring are written without a trace in the page tables. */
static void pin(void)
{
	struct block *block = choose_block();
	const struct region *region = &block->region;
	if (region->kind == REGION_ROWS || !writers_pin(region->memory, pinned_bytes(region)))
		return;
	chance_step = "a read into a registered buffer";
	for (int i = 0; i < PINNED_CALLS; i++)
		calls_run_around(block, read_pinned);
	writers_unpin();
	run_call();
}

static void operate(void)
{
	const uint64_t chance = chance_draw() % 1000;
	if (chance < 600)
		run_call();
	else if (chance < 985)
		happen();
	else if (chance < 995)
		pin();
	else
		fork_child();
}

int main(int count, char **word)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	const long operations = count > 1 ? strtol(word[1], NULL, 10) : 2000;
	chance_seed(count > 2 ? strtoull(word[2], NULL, 10) : 1);
	chance_grain = sizeof(double);
	chance_filler = exact_fill_doubles;
	if (!writers_open())
		return 1;
	blocks_make();
	calls_make_factors();
	for (long i = 0; i < operations; i++)
		operate();
	printf("%ld operations, all right\n", operations);
	return calls_made * 3 > operations ? 0 : 1;
}
