/* rights.c - programs that close files, lose rights, or track pages themselves: rights WAY */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kept.h"

enum { PAGE = 4096, FIRST_USE = 2, LONG = 5 };
/* Descriptors are looked at in one of 64 calls, but not more often than each tenth of a second. */
static const double long_s = 0.25;

static struct kept kept;

static int begin_and_go_on(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* -- descriptors and rights -- */

static int close_all(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	syscall(SYS_close_range, 3U, ~0U, 0U);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* A file of the program under each number that was open. */
static int replace_all(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	for (int number = 3; number < 1024; number++)
		if (fcntl(number, F_GETFD) >= 0)
			dup2(0, number);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static void take_all_descriptors(void)
{
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 64;
	setrlimit(RLIMIT_NOFILE, &limit);
	while (dup(0) >= 0)
		continue;
}

static int run_out_first(void)
{
	take_all_descriptors();
	return begin_and_go_on();
}

static int run_out_later(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	take_all_descriptors();
	kept_go_on(&kept);
	kept.a = realloc(memcpy(malloc(KEPT_BYTES), kept.a, KEPT_BYTES), 2 * KEPT_BYTES);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static int hide_first(void)
{
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	return begin_and_go_on();
}

static int hide_later(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/*
 * A filter of system calls, for all threads, that ends the program for rare ones: those that
 * sandboxes refuse, as firejail's does, and ioctl.
 */
static void filter(void)
{
	static const unsigned rare[] = {SYS_userfaultfd,
	                                SYS_ioctl,
	                                SYS_process_vm_readv,
	                                SYS_process_vm_writev,
	                                SYS_mbind,
	                                SYS_set_mempolicy,
	                                SYS_move_pages,
	                                SYS_ptrace,
	                                SYS_migrate_pages,
	                                SYS_perf_event_open,
	                                SYS_kcmp,
	                                SYS_vmsplice,
	                                SYS_bpf,
	                                SYS_remap_file_pages,
	                                SYS_name_to_handle_at};
	enum { RARE = sizeof rare / sizeof rare[0] };
	struct sock_filter step[RARE + 3] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	for (unsigned char i = 0; i < RARE; i++)
		step[i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rare[i],
		                                           RARE - i, 0);
	step[RARE + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	step[RARE + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	const struct sock_fprog rules = {sizeof step / sizeof *step, step};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &rules) != 0)
		exit(77);
}

static int filter_first(void)
{
	filter();
	return begin_and_go_on();
}

static int filter_later(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	filter();
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* -- the program's own userfaultfd -- */

static int open_own(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	const int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (file < 0 || ioctl(file, UFFDIO_API, &api) != 0)
		exit(77);
	return file;
}

/* Memory that another descriptor has is refused (EBUSY): the program lives with that. */
static void register_own(int file, void *memory)
{
	struct uffdio_register range = {.range = {(uintptr_t)memory, KEPT_BYTES / PAGE * PAGE},
	                                .mode = UFFDIO_REGISTER_MODE_MISSING};
	if (ioctl(file, UFFDIO_REGISTER, &range) != 0 && errno != EBUSY)
		exit(1);
}

static int own_first(void)
{
	const int file = open_own();
	kept_begin(&kept, kept.way, NULL);
	register_own(file, kept.a);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static double read_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* From its begin until the shim has noticed. */
static int use_own_later(void)
{
	kept_begin(&kept, kept.way, NULL);
	kept_settle(&kept);
	const int file = open_own(), calls = kept.calls;
	register_own(file, kept.a);
	const double begin_s = read_seconds();
	for (int i = 0; i < LONG || read_seconds() - begin_s < long_s; i++)
		kept_go_on(&kept);
	kept.calls = calls; /* what is printed is the same each time */
	return file;
}

static int own_later(void)
{
	close(use_own_later());
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

/* What the summary says depends on the moment of the last look at the descriptors otherwise. */
static int own_to_the_end(void)
{
	use_own_later();
	return kept_end(&kept, KEPT_CHANGES);
}

/* linux/userfaultfd.h; headers may be older. */
enum { WRITES_RESOLVED = 1 << 15, WRITES_ANYWHERE = 1 << 13 };

/* Writes are resolved by the kernel, and no page counts as written since now. */
static int protect_by_own(void *memory)
{
	const struct uffdio_range range = {(uintptr_t)memory, KEPT_BYTES / PAGE * PAGE};
	struct uffdio_api api = {.api = UFFD_API, .features = WRITES_RESOLVED | WRITES_ANYWHERE};
	struct uffdio_register all = {.range = range, .mode = UFFDIO_REGISTER_MODE_WP};
	struct uffdio_writeprotect how = {range, UFFDIO_WRITEPROTECT_MODE_WP};
	const int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (file < 0 || ioctl(file, UFFDIO_API, &api) != 0 ||
	    ioctl(file, UFFDIO_REGISTER, &all) != 0 || ioctl(file, UFFDIO_WRITEPROTECT, &how) != 0)
		exit(77);
	return file;
}

/* Other memory takes the place of A between two calls, which the program protects. */
static int own_in_place(void)
{
	const size_t bytes = (KEPT_BYTES + PAGE - 1) / PAGE * PAGE;
	kept_begin(&kept, kept.way, NULL);
	for (unsigned seed = 0; seed < KEPT_CHANGES; seed++) {
		kept_settle(&kept);
		if (mmap(kept.a, bytes, PROT_READ | PROT_WRITE,
		         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			exit(77);
		kept_fill(kept.a, KEPT_COUNT, seed + LONG);
		const int file = protect_by_own(kept.a);
		kept_call(&kept);
		close(file);
	}
	return kept_end(&kept, KEPT_CHANGES);
}

/* -- the program's own page map -- */

/* linux/fs.h: PAGEMAP_SCAN, PM_SCAN_WP_MATCHING, PAGE_IS_WRITTEN; headers may be older. */
enum { SCAN_PROTECTS = 1, SCAN_WRITTEN = 2 };
struct page_scan {
	uint64_t size, flags, start, end, walk_end, regions, regions_max, pages_max;
	uint64_t inverted, all_of, any_of, wanted;
};

/* What was written is protected, as a collector of garbage or a checkpoint would. */
static void protect(int map, const void *memory)
{
	struct page_scan scan = {.size = sizeof scan,
	                         .flags = SCAN_PROTECTS,
	                         .start = (uintptr_t)memory,
	                         .end = (uintptr_t)memory + KEPT_BYTES / PAGE * PAGE,
	                         .all_of = SCAN_WRITTEN};
	ioctl(map, _IOWR('f', 16, struct page_scan), &scan);
}

static int protect_own(void)
{
	const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (map < 0)
		exit(77);
	kept_begin(&kept, kept.way, NULL);
	for (unsigned seed = 0; seed < KEPT_CHANGES; seed++) {
		kept_settle(&kept);
		kept_change(&kept, seed);
		protect(map, kept.a);
		kept_call(&kept);
	}
	close(map);
	kept_go_on(&kept);
	return kept_end(&kept, KEPT_CHANGES);
}

static const struct {
	const char *name;
	int (*live)(void);
} ways[] = {
	{"close-all", close_all},
	{"replace-all", replace_all},
	{"no-descriptors", run_out_first},
	{"no-descriptors-later", run_out_later},
	{"not-dumpable", hide_first},
	{"not-dumpable-later", hide_later},
	{"filtered", filter_first},
	{"filtered-later", filter_later},
	{"own-userfaultfd", own_first},
	{"own-userfaultfd-later", own_later},
	{"own-userfaultfd-to-the-end", own_to_the_end},
	{"own-userfaultfd-in-place", own_in_place},
	{"own-page-map", protect_own},
};

int main(int count, char **word)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (count > 1 && strcmp(word[1], ways[i].name) == 0) {
			kept.way = ways[i].name;
			return ways[i].live();
		}
	return FIRST_USE;
}
