/* migrate_test.c - pages of operands moved by the kernel, and by one that refuses */
/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/execute/gpu/node/page_move.h"
#include "shim/execute/gpu/resident/migrate.h"
#include "tests/unit/scratch.h"

enum { OPERAND_BYTES = 4 << 20, NODE = 0 };

static char root[256];
static struct host_view operand;
static const struct migrate_target target = {NODE, UINT64_C(1) << 40, 100e9};

/* What was asked, and how the kernel answers. */
static struct {
	unsigned long requests, pages, questions;
	uintptr_t first, last;
	int error; /* of the call */
	unsigned long busy_every;
} fake;

static long fake_move(unsigned long count, void **pages, const int *nodes, int *status)
{
	if (nodes == NULL) {
		fake.questions++;
		status[0] = NODE;
		return 0;
	}
	fake.first = fake.requests == 0 ? (uintptr_t)pages[0] : fake.first;
	fake.requests++;
	errno = fake.error;
	if (fake.error != 0)
		return -1;
	for (unsigned long i = 0; i < count; i++) {
		cr_assert_eq(nodes[i], NODE);
		fake.last = (uintptr_t)pages[i];
		const bool busy = fake.busy_every > 0 && ++fake.pages % fake.busy_every == 0;
		status[i] = busy ? -EBUSY : NODE;
	}
	return 0;
}

/* Files of a machine whose node 0 has 1 GB free. */
static void plant_node(void)
{
	static const char *const folders[] = {"/sys", "/sys/devices", "/sys/devices/system",
	                                      "/sys/devices/system/node",
	                                      "/sys/devices/system/node/node0"};
	char path[512];
	scratch_make(root, sizeof root, "migrate_test");
	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s%s", root, folders[i]);
		mkdir(path, 0700);
	}
	snprintf(path, sizeof path, "%s/sys/devices/system/node/node0/meminfo", root);
	scratch_write_file(path, "Node 0 MemTotal:       9000000 kB\n"
	                         "Node 0 MemFree:        1000000 kB\n");
}

static void *map(size_t bytes, int flags)
{
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
	cr_assert_neq(memory, MAP_FAILED);
	memset(memory, 7, bytes);
	return memory;
}

static void look_at(const void *memory, uint64_t width_bytes, uint64_t pitch_bytes, uint64_t rows)
{
	cr_assert(host_view_make(&operand, memory, width_bytes, pitch_bytes, rows));
}

static void begin(void)
{
	plant_node();
	memset(&fake, 0, sizeof fake);
	page_move_use_call(fake_move);
	look_at(map(OPERAND_BYTES, MAP_PRIVATE), OPERAND_BYTES, OPERAND_BYTES, 1);
	migrate_open(root);
}

static void end(void)
{
	page_move_use_call(NULL);
	scratch_remove(root);
}

TestSuite(migrate, .init = begin, .fini = end);

static void read_times(int times)
{
	for (int i = 0; i < times; i++)
		migrate_note_read(&operand, &target);
}

Test(migrate, free_memory_of_a_node)
{
	cr_expect_eq(page_move_free_bytes(root, 0), UINT64_C(1024000000));
	cr_expect_eq(page_move_free_bytes(root, 1), 0, "no such node");
}

Test(migrate, the_second_read_moves_all_pages_once)
{
	read_times(1);
	cr_expect_eq(fake.requests, 0);
	read_times(1);
	const struct migrate_stats stats = migrate_stats_get();
	cr_expect_eq(stats.moved_pages, OPERAND_BYTES / pages_size());
	cr_expect_eq(stats.moves, 1);
	cr_expect_eq(fake.first, operand.base);
	cr_expect_eq(fake.last, operand.base + OPERAND_BYTES - pages_size());
	read_times(10);
	cr_expect_eq(migrate_stats_get().moves, 1);
	cr_expect_gt(fake.questions, 0, "whether it is there still");
	cr_expect_eq(migrate_stats_get().calls, 12);
}

/* Rows of two pages and a half, at an odd address: the pages with foreign bytes stay. */
Test(migrate, only_whole_pages_of_the_operand)
{
	const uint64_t page = pages_size(), rows = OPERAND_BYTES / page / 4;
	look_at((char *)operand.base + page / 2, 3 * page, 4 * page, rows - 1);
	read_times(2);
	cr_expect_eq(migrate_stats_get().moved_pages, 2 * (rows - 1));
	cr_expect_eq(fake.first, operand.base + page / 2);
	cr_expect_eq(fake.last, operand.base + page / 2 + 4 * page * (rows - 2) + page);
}

Test(migrate, memory_that_others_may_have_stays)
{
	look_at(map(OPERAND_BYTES, MAP_SHARED), OPERAND_BYTES, OPERAND_BYTES, 1);
	read_times(4);
	char *memory = map(OPERAND_BYTES, MAP_PRIVATE);
	munmap(memory + OPERAND_BYTES / 2, pages_size());
	look_at(memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	read_times(4);
	look_at(map(OPERAND_BYTES, MAP_PRIVATE), OPERAND_BYTES, OPERAND_BYTES, 1);
	mprotect((void *)operand.base, pages_size(), PROT_READ);
	read_times(4);
	char name[300];
	snprintf(name, sizeof name, "%s/file", root);
	FILE *file = fopen(name, "w+");
	cr_assert_eq(ftruncate(fileno(file), OPERAND_BYTES), 0);
	memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(file), 0);
	cr_assert_neq(memory, MAP_FAILED);
	look_at(memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	read_times(4);
	fclose(file);
	cr_expect_eq(fake.requests, 0);
	cr_expect_eq(migrate_reason(), MIGRATION_REASON_NONE);
}

Test(migrate, a_stack_stays)
{
	enum { BYTES = 3 << 20 };
	char memory[BYTES];
	memset(memory, 1, sizeof memory);
	look_at(memory, BYTES, BYTES, 1);
	read_times(4);
	cr_expect_eq(fake.requests, 0);
}

Test(migrate, one_error_of_the_kernel_ends_all_moves)
{
	static const struct {
		int error;
		enum migration_reason reason;
	} row[] = {{ENOSYS, MIGRATION_REASON_NO_CALL},
	           {EPERM, MIGRATION_REASON_FORBIDDEN},
	           {EACCES, MIGRATION_REASON_NODE_REFUSED},
	           {ENODEV, MIGRATION_REASON_NODE_REFUSED}};
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		migrate_open(root);
		fake.error = row[i].error;
		fake.requests = 0;
		errno = E2BIG;
		read_times(10);
		cr_expect_eq(errno, E2BIG);
		cr_expect_eq(fake.requests, 1);
		cr_expect_eq(migrate_reason(), row[i].reason);
		cr_expect_not(migrate_is_on());
	}
}

Test(migrate, an_error_that_may_pass_ends_the_move_of_one_operand)
{
	fake.error = ENOMEM;
	read_times(2);
	cr_expect_eq(fake.requests, 1);
	cr_expect_eq(migrate_stats_get().refused_pages,
	             OPERAND_BYTES / pages_size() < 2048 ? OPERAND_BYTES / pages_size() : 2048);
	fake.error = 0;
	read_times(10);
	cr_expect_eq(migrate_stats_get().moved_pages, OPERAND_BYTES / pages_size());
}

Test(migrate, busy_pages_stay_and_the_others_are_moved)
{
	fake.busy_every = 8;
	read_times(2);
	const struct migrate_stats stats = migrate_stats_get();
	cr_expect_eq(stats.refused_pages, OPERAND_BYTES / pages_size() / 8);
	cr_expect_eq(stats.moved_pages + stats.refused_pages, OPERAND_BYTES / pages_size());
	cr_expect_eq(stats.page_error, EBUSY);
	cr_expect_eq(migrate_reason(), MIGRATION_REASON_NONE);
}

Test(migrate, a_result_is_read_twice_after_each_write)
{
	for (int i = 0; i < 10; i++) {
		read_times(1);
		migrate_note_written(&operand);
	}
	cr_expect_eq(fake.requests, 0);
}

Test(migrate, the_first_reason_stays)
{
	migrate_close(MIGRATION_REASON_STAGED);
	migrate_close(MIGRATION_REASON_COSTLY);
	cr_expect_eq(migrate_reason(), MIGRATION_REASON_STAGED);
	read_times(4);
	cr_expect_eq(fake.requests, 0);
}

Test(migrate, forked_children_move_nothing)
{
	const pid_t child = fork();
	if (child == 0) {
		read_times(4);
		_exit(fake.requests == 0 && migrate_reason() == MIGRATION_REASON_FORKED ? 0 : 1);
	}
	int status = -1;
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect_eq(status, 0);
	read_times(2);
	cr_expect_eq(migrate_reason(), MIGRATION_REASON_NONE);
	cr_expect_eq(migrate_stats_get().moves, 1);
}

/* The real call, to the node where the pages are on most machines. */
Test(migrate, the_kernel_keeps_the_contents)
{
	char *memory = (char *)operand.base;
	void *pages[1] = {memory};
	int status[1] = {-1};
	if (syscall(SYS_move_pages, 0, 1UL, pages, NULL, status, 0) != 0)
		SCRATCH_SKIP(root, "the kernel has no move_pages");
	for (int i = 0; i < OPERAND_BYTES; i++)
		memory[i] = (char)(i * 31);
	page_move_use_call(NULL);
	read_times(3);
	for (int i = 0; i < OPERAND_BYTES; i++)
		cr_assert_eq(memory[i], (char)(i * 31));
	const struct migrate_stats stats = migrate_stats_get();
	cr_expect_eq(stats.moved_pages, OPERAND_BYTES / pages_size());
	cr_expect_eq(stats.refused_pages, 0);
	cr_expect(page_move_is_there(operand.base, NODE));
}
