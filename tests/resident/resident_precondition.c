/* resident_precondition.c - each thing that forbids tracking gives its reason, and ends it */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "card.h"
#include "kernel_probe.h"
#include "shim/execute/gpu/resident/track_abi.h"
#include "shim/execute/gpu/resident/track_guard.h"
#include "writers.h"

enum { OPERAND_BYTES = 1 << 20, NOT_POSSIBLE = 77, NOBODY = 65534, XDP = 44 };

static int failed;
static struct resident_settings settings = {
	.limit_bytes = 64 << 20, .tracks_at_once = true, .asks_despite_filter = true};

static void check(const char *what, const char *expected, const char *found)
{
	if (strcmp(expected, found) == 0)
		return;
	failed++;
	printf("FAIL %s: expected \"%s\", found \"%s\"\n", what, expected, found);
}

/* A filter of system calls: this one, with this second argument (0: any), has that action. */
static void filter(long number, uint32_t argument, uint32_t action)
{
	const size_t at = offsetof(struct seccomp_data, args[1]);
	struct sock_filter step[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)at),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument, 0, argument == 0 ? 0 : 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof step / sizeof *step, step};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_Exit(NOT_POSSIBLE);
}

/* The call fails with the error, and is tried. */
static void refuse(long number, uint32_t argument, int error)
{
	filter(number, argument, SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA));
}

/* The call ends the process. */
static void end_process(void)
{
	settings.asks_despite_filter = false;
	filter(SYS_userfaultfd, 0, SECCOMP_RET_KILL_PROCESS);
}

static void nothing(void)
{
}

static void no_call(void)
{
	refuse(SYS_userfaultfd, 0, ENOSYS);
}

static void refused_call(void)
{
	refuse(SYS_userfaultfd, 0, EPERM);
}

/* Before Linux 5.11: the flag of unprivileged use is unknown. */
static void old_call(void)
{
	refuse(SYS_userfaultfd, 0, EINVAL);
}

/* Before Linux 6.7: features and scan are unknown. */
static void old_features(void)
{
	refuse(SYS_ioctl, (uint32_t)TRACK_API, EINVAL);
}

static void own_page_map(void)
{
	if (open("/proc/self/pagemap", O_RDONLY) < 0)
		_Exit(NOT_POSSIBLE);
}

/* Pages in memory are asked about by the slower question then. */
static void no_mincore(void)
{
	refuse(SYS_mincore, 0, ENOSYS);
}

/* Before Linux 6.11. Pages in memory are asked about then. */
static void no_mapping(void)
{
	refuse(SYS_ioctl, (uint32_t)TRACK_MAPPING, ENOTTY);
}

/* Without `track` the kernel is tested too, before anything is tracked. */
static void no_registration_by_auto(void)
{
	settings.tracks_at_once = false;
	refuse(SYS_ioctl, (uint32_t)TRACK_REGISTER, EINVAL);
}

static void no_scan(void)
{
	refuse(SYS_ioctl, (uint32_t)TRACK_SCAN, ENOTTY);
}

static void odd_scan(void)
{
	refuse(SYS_ioctl, (uint32_t)TRACK_SCAN, EINVAL);
}

static void no_registration(void)
{
	refuse(SYS_ioctl, (uint32_t)TRACK_REGISTER, EINVAL);
}

static void secret(void)
{
	if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
		_Exit(NOT_POSSIBLE);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static void no_descriptors(void)
{
	const struct rlimit one_more = {4, 4};
	setrlimit(RLIMIT_NOFILE, &one_more);
}

static void own_userfaultfd(void)
{
	if (syscall(SYS_userfaultfd, O_CLOEXEC | TRACK_USER_MODE_ONLY) < 0)
		_Exit(NOT_POSSIBLE);
}

static void rdma_library(void)
{
	const int file = open("libibverbs.so.1.14", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || ftruncate(file, 4096) != 0 ||
	    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED)
		_Exit(NOT_POSSIBLE);
	close(file);
	unlink("libibverbs.so.1.14");
}

static void xdp_socket(void)
{
	if (socket(XDP, SOCK_RAW | SOCK_CLOEXEC, 0) < 0)
		_Exit(NOT_POSSIBLE);
}

static void pin_memory(void)
{
	char *memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!writers_open() || !writers_pin(memory, OPERAND_BYTES))
		_Exit(NOT_POSSIBLE);
}

static void ring_buffers(void)
{
	if (!writers_register())
		_Exit(NOT_POSSIBLE);
}

/* Another file takes the number of the one of /proc/self that is kept open. */
static void replace_file(const char *wanted, int other)
{
	int replaced = 0;
	for (int number = 3; number < 1024; number++) {
		char link[64], target[64];
		snprintf(link, sizeof link, "/proc/self/fd/%d", number);
		const ssize_t bytes = readlink(link, target, sizeof target - 1);
		target[bytes > 0 ? bytes : 0] = '\0';
		const char *name = strrchr(target, '/');
		if (name != NULL && strcmp(name, wanted) == 0)
			replaced += dup2(other, number) == number;
	}
	if (replaced != 1)
		_Exit(1);
}

/* The file of pins that is kept open is replaced by one that tells of none. */
static void pin_memory_unseen(void)
{
	static const char none[] = "\nVmPin:\t       0 kB\n";
	const int file = open("status", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || write(file, none, sizeof none - 1) != (ssize_t)sizeof none - 1)
		_Exit(NOT_POSSIBLE);
	unlink("status");
	replace_file("/status", file);
	pin_memory();
}

/* All that is mapped from now on is locked in memory, the test's address space too. */
static void lock_all(void)
{
	if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
		_Exit(NOT_POSSIBLE);
}

/* No room for the address space without page tables, of which the test would ask. */
static void limit_addresses(void)
{
	const struct rlimit little = {(rlim_t)256 << 20, (rlim_t)256 << 20};
	if (setrlimit(RLIMIT_AS, &little) != 0)
		_Exit(NOT_POSSIBLE);
}

static void use_cuda(void)
{
	settings.program_uses_cuda = true;
}

/* What is there before the module is opened. */
static const struct {
	const char *what, *reason;
	void (*arrange)(void);
} before[] = {
	{"nothing", "tracked", nothing},
	{"a filter that ends the process", "filtered", end_process},
	{"no userfaultfd (ENOSYS)", "no_userfaultfd", no_call},
	{"a filter against userfaultfd (EPERM)", "refused", refused_call},
	{"a kernel without user mode faults (EINVAL)", "old_kernel", old_call},
	{"a kernel before 6.7 (EINVAL)", "old_kernel", old_features},
	{"a kernel without PAGEMAP_SCAN (ENOTTY)", "no_scan", no_scan},
	{"PAGEMAP_SCAN refused (EINVAL)", "no_scan", odd_scan},
	{"mincore refused (ENOSYS)", "tracked", no_mincore},
	{"a kernel without PROCMAP_QUERY (ENOTTY)", "tracked", no_mapping},
	{"registering refused (EINVAL)", "wrong", no_registration},
	{"registering refused (EINVAL), auto", "wrong", no_registration_by_auto},
	{"a process that is not dumpable", "not_dumpable", secret},
	{"no descriptor left", "no_resources", no_descriptors},
	{"a userfaultfd of the program", "userfaultfd", own_userfaultfd},
	{"a page map of the program", "pagemap", own_page_map},
	{"a library for RDMA", "rdma", rdma_library},
	{"an AF_XDP socket", "xdp", xdp_socket},
	{"pinned memory", "pinned", pin_memory},
	{"all memory locked", "tracked", lock_all},
	{"little address space", "tracked", limit_addresses},
	{"CUDA of the program", "cuda", use_cuda},
};

static struct resident_operand *plan(struct resident_call *call, char *memory)
{
	struct host_view view;
	host_view_make(&view, memory, OPERAND_BYTES, OPERAND_BYTES, 1);
	resident_begin(call);
	return resident_plan(call, &view, RESIDENT_READ);
}

static bool is_tracked(char *memory)
{
	struct resident_call call;
	const bool tracked = plan(&call, memory)->is_tracked;
	resident_end(&call);
	return tracked;
}

static void run_before(size_t row)
{
	const char *fault = NULL;
	before[row].arrange();
	char *memory = malloc(OPERAND_BYTES);
	const enum track_reason reason = resident_open(&settings, &fault);
	check(before[row].what, before[row].reason, track_reason_name(reason));
	check(before[row].what, before[row].reason, track_reason_name(resident_reason()));
	if (memory != NULL && is_tracked(memory) != (reason == TRACK_REASON_NONE))
		check(before[row].what, "not tracked", "tracked");
}

static void close_all(void)
{
	syscall(SYS_close_range, 3U, ~0U, 0U);
}

/* Another file under each number. */
static void replace_all(void)
{
	for (int number = 3; number < 1024; number++)
		if (fcntl(number, F_GETFD) >= 0)
			dup2(0, number);
}

static void fork_child(void)
{
	const pid_t child = fork();
	if (child == 0)
		return;
	int status = 0;
	waitpid(child, &status, 0);
	_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/* What happens while operands are tracked; guards may be asked in one of 64 calls only. */
static const struct {
	const char *what, *reason;
	void (*happen)(void);
} during[] = {
	{"closing all descriptors", "descriptors_lost", close_all},
	{"other files in the place of the descriptors", "descriptors_lost", replace_all},
	{"fork", "other_process", fork_child},
	{"a userfaultfd of the program, later", "userfaultfd", own_userfaultfd},
	{"a page map of the program, later", "pagemap", own_page_map},
	{"a library for RDMA, later", "rdma", rdma_library},
	{"pinned memory, later", "pinned", pin_memory},
	{"an io_uring with buffers, later", "io_uring", ring_buffers},
	{"pinned memory, another file in the place of that of pins", "pinned", pin_memory_unseen},
};

/* Whether the next call asks again. */
static bool may_end(const char *reason)
{
	return strcmp(reason, "descriptors_lost") != 0 && strcmp(reason, "other_process") != 0;
}

static void run_during(size_t row)
{
	const char *fault = NULL;
	char *memory = malloc(OPERAND_BYTES);
	if (memory == NULL || resident_open(&settings, &fault) != TRACK_REASON_NONE ||
	    !is_tracked(memory))
		_Exit(1);
	during[row].happen();
	for (int i = 0; i < 64; i++)
		is_tracked(memory);
	if (is_tracked(memory))
		check(during[row].what, "not tracked", "tracked");
	check(during[row].what, during[row].reason, track_reason_name(resident_reason()));
	if (resident_is_on() != may_end(during[row].reason))
		check(during[row].what, "asked again if that helps", "not so");
}

/* Of an operand that is read, which is not tracked any more if it cannot be. */
static uint64_t count_sent(char *memory)
{
	struct resident_call call;
	const struct resident_operand *operand = plan(&call, memory);
	const uint64_t sent = operand->is_tracked ? operand->send_bytes : OPERAND_BYTES;
	resident_end(&call);
	return sent;
}

/* Mappings are not asked about then; what is unmapped is not taken for unchanged. */
static void run_without_layout(size_t row)
{
	(void)row;
	const char *fault = NULL;
	struct resident_call call;
	char *memory = mmap(NULL, OPERAND_BYTES, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || resident_open(&settings, &fault) != TRACK_REASON_NONE)
		_Exit(1);
	memset(memory, 1, OPERAND_BYTES);
	struct resident_operand *operand = plan(&call, memory);
	for (uint64_t i = 0; i < operand->runs; i++)
		resident_sent(operand, i);
	resident_end(&call);
	replace_file("/maps", 0);
	check("without the file of mappings", "all is kept",
	      count_sent(memory) == 0 ? "all is kept" : "some is sent");
	munmap(memory + OPERAND_BYTES / 2, OPERAND_BYTES / 2);
	const bool half = count_sent(memory) >= OPERAND_BYTES / 2;
	check("half of the operand unmapped", "half is sent", half ? "half is sent" : "less is");
}

/* Pins end, and operands are tracked again. */
static void run_unpinned(size_t row)
{
	(void)row;
	const char *fault = NULL;
	char *memory = malloc(OPERAND_BYTES);
	if (memory == NULL || resident_open(&settings, &fault) != TRACK_REASON_NONE ||
	    !is_tracked(memory))
		_Exit(1);
	pin_memory();
	if (is_tracked(memory))
		check("pinned memory", "not tracked", "tracked");
	writers_unpin();
	if (!resident_is_on() || !is_tracked(memory))
		check("memory that is not pinned any more", "tracked", "not tracked");
}

/* Whatever forbids tracking, pages are hashed; but not in a forked child. */
static void run_hashed(size_t row)
{
	(void)row;
	const char *fault = NULL;
	const char *expected = digest_is_built() ? "tracked" : "no_hash";
	char *memory = malloc(OPERAND_BYTES);
	settings.mode = RESIDENT_HASH;
	use_cuda();
	rdma_library();
	pin_memory();
	end_process();
	check("hashing", expected, track_reason_name(resident_open(&settings, &fault)));
	if (memory == NULL || !digest_is_built())
		return;
	if (!is_tracked(memory))
		check("hashing", "tracked", "not tracked");
	close_all();
	if (!is_tracked(memory))
		check("hashing without descriptors", "tracked", "not tracked");
	fork_child();
	check("hashing in a forked child", "other_process", track_reason_name(resident_reason()));
	if (is_tracked(memory))
		check("hashing in a forked child", "not tracked", "tracked");
}

/* Each in a process of its own. */
static void try(const char *what, void (*run)(size_t row), size_t row)
{
	fflush(stdout);
	const pid_t child = fork();
	if (child == 0) {
		failed = 0;
		run(row);
		fflush(stdout);
		_Exit(failed > 0);
	}
	int status = 0;
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_POSSIBLE)
		printf("left out, as it is not possible here: %s\n", what);
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		failed++, printf("FAIL %s: status %d\n", what, status);
}

/* Devices that are not here. */
static void check_names(void)
{
	static const char *const rows[][2] = {
		{"/dev/vfio/12", "vfio"},
		{"/dev/iommu", "vfio"},
		{"/dev/video0", "video"},
		{"/dev/xpmem", "xpmem"},
		{"/dev/null", "tracked"},
		{"/proc/12/pagemap", "pagemap"},
		{"/elsewhere/12/pagemap", "pagemap"},
		{"anon_inode:[userfaultfd]", "userfaultfd"},
		{"anon_inode:[eventfd]", "tracked"},
	};
	static const char *const libraries[][2] = {
		{"/usr/lib/libibverbs.so.1", "rdma"},
		{"/opt/ucx/libucp.so.0.0.0", "rdma"},
		{"/opt/cray/libcxi.so.1", "rdma"},
		{"/x/libfabric.so.1", "rdma"},
		{"/x/libpsm2.so.2", "rdma"},
		{"/libfabric.so.1/libc.so.6", "tracked"},
		{"[heap]", "tracked"},
		{"", "tracked"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		check(rows[i][0], rows[i][1],
		      track_reason_name(track_guard_judge_target(rows[i][0])));
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		check(libraries[i][0], libraries[i][1],
		      track_reason_name(track_guard_judge_library(libraries[i][0])));
}

int main(void)
{
	check_names();
	try("hashing", run_hashed, 0);
	const char *missing = kernel_probe_find_missing();
	if (missing != NULL) {
		printf("skipped: %s\n", missing);
		return failed > 0 ? 1 : NOT_POSSIBLE;
	}
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		try(before[i].what, run_before, i);
	for (size_t i = 0; i < sizeof during / sizeof *during; i++)
		try(during[i].what, run_during, i);
	try("memory that is pinned no longer", run_unpinned, 0);
	try("another file in the place of that of mappings", run_without_layout, 0);
	const size_t all = sizeof before / sizeof *before + sizeof during / sizeof *during;
	printf("%zu preconditions, %d failed\n", all, failed);
	return failed > 0;
}
