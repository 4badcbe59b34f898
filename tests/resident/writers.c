/* writers.c - system calls that write memory: read, recv, process_vm_writev, AIO, io_uring */
/* SPDX-License-Identifier: Apache-2.0 */
#include "writers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "chance.h"

enum { FILE_BYTES = 4 << 20, ENTRIES = 4, SECTOR = 512, PIPE_BYTES = 32768 };

static int plain = -1, direct = -1, memory_file = -1, pipe_end[2], socket_end[2];
static aio_context_t aio;
static bool aio_works, aio_under_way;

/*
 * io_uring's rings, mapped by raw system calls; by a descriptor, or by a number of the thread that
 * has opened them (enter, registers: flags for that).
 */
struct ring {
	int number;
	unsigned enter, registers;
	bool works, is_pinned;
	char *sent, *done;
	struct io_uring_params set;
	struct io_uring_sqe *entry;
};
/* Memory is pinned by one without a descriptor, which nobody finds in /proc. */
static struct ring reading, pinning;

static off_t offset_for(size_t bytes)
{
	return (off_t)(chance_draw() % ((FILE_BYTES - bytes) / SECTOR + 1) * SECTOR);
}

static size_t align_down(size_t bytes)
{
	return bytes - bytes % chance_grain;
}

static void write_by_read(char *memory, size_t bytes)
{
	lseek(plain, offset_for(bytes), SEEK_SET);
	if (read(plain, memory, bytes) < 0)
		perror("read");
}

static void write_by_pread(char *memory, size_t bytes)
{
	if (pread(plain, memory, bytes, offset_for(bytes)) < 0)
		perror("pread");
}

static void write_by_readv(char *memory, size_t bytes)
{
	const size_t third = align_down(bytes / 3), half = align_down(bytes / 2);
	const struct iovec part[2] = {{memory, third}, {memory + half, third}};
	if (preadv(plain, part, 2, offset_for(bytes)) < 0)
		perror("preadv");
}

/* The memory and the size that a direct read of a part of it can have. */
static char *align(char *memory, size_t *bytes)
{
	char *start = (char *)(((uintptr_t)memory + SECTOR - 1) & ~(uintptr_t)(SECTOR - 1));
	const size_t lost = (size_t)(start - memory);
	*bytes = *bytes > lost ? (*bytes - lost) & ~(size_t)(SECTOR - 1) : 0;
	return start;
}

static void write_by_direct_read(char *memory, size_t bytes)
{
	char *start = align(memory, &bytes);
	if (direct >= 0 && bytes > 0 && pread(direct, start, bytes, offset_for(bytes)) < 0)
		perror("direct pread");
}

static void write_by_pipe(char *memory, size_t bytes)
{
	static char text[PIPE_BYTES];
	const size_t part = bytes < sizeof text ? bytes : sizeof text;
	chance_fill(text, part);
	if (write(pipe_end[1], text, part) > 0 && read(pipe_end[0], memory, part) < 0)
		perror("pipe");
}

static void write_by_recv(char *memory, size_t bytes)
{
	static char text[PIPE_BYTES];
	const size_t part = bytes < sizeof text ? bytes : sizeof text;
	chance_fill(text, part);
	if (send(socket_end[1], text, part, 0) > 0 && recv(socket_end[0], memory, part, 0) < 0)
		perror("recv");
}

static void write_by_getrandom(char *memory, size_t bytes)
{
	if (chance_filler == NULL && getrandom(memory, bytes, 0) < 0)
		perror("getrandom");
}

/* As another process of this user would. */
static void write_by_process(char *memory, size_t bytes)
{
	static char text[PIPE_BYTES];
	const size_t part = bytes < sizeof text ? bytes : sizeof text;
	chance_fill(text, part);
	const struct iovec from = {text, part}, to = {memory, part};
	if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) < 0)
		perror("process_vm_writev");
}

static void write_by_memory_file(char *memory, size_t bytes)
{
	static char text[PIPE_BYTES];
	const size_t part = bytes < sizeof text ? bytes : sizeof text;
	chance_fill(text, part);
	if (pwrite(memory_file, text, part, (off_t)(uintptr_t)memory) < 0)
		perror("/proc/self/mem");
}

void writers_store(char *memory, const void *bytes, size_t count)
{
	if (pwrite(memory_file, bytes, count, (off_t)(uintptr_t)memory) < 0)
		perror("/proc/self/mem");
}

bool writers_begin_read(char *memory, size_t bytes)
{
	char *start = align(memory, &bytes);
	static struct iocb block;
	struct iocb *list = &block;
	if (!aio_works || bytes == 0)
		return false;
	block = (struct iocb){.aio_lio_opcode = IOCB_CMD_PREAD,
	                      .aio_fildes = (uint32_t)direct,
	                      .aio_buf = (uintptr_t)start,
	                      .aio_nbytes = bytes,
	                      .aio_offset = offset_for(bytes)};
	aio_under_way = syscall(SYS_io_submit, aio, 1L, &list) == 1;
	return aio_under_way;
}

void writers_await(void)
{
	struct io_event event;
	while (aio_under_way && syscall(SYS_io_getevents, aio, 1L, 1L, &event, NULL) != 1)
		continue;
	aio_under_way = false;
}

static uint32_t *ring_word(char *ring_memory, uint32_t at)
{
	return (uint32_t *)(void *)(ring_memory + at);
}

static void ring_run(struct ring *ring, uint8_t operation, int file, char *memory, size_t bytes)
{
	const uint32_t tail = *ring_word(ring->sent, ring->set.sq_off.tail);
	const uint32_t place = tail & *ring_word(ring->sent, ring->set.sq_off.ring_mask);
	ring->entry[place] = (struct io_uring_sqe){.opcode = operation,
	                                           .fd = file,
	                                           .addr = (uintptr_t)memory,
	                                           .len = (uint32_t)bytes,
	                                           .off = (uint64_t)offset_for(bytes)};
	ring_word(ring->sent, ring->set.sq_off.array)[place] = place;
	__atomic_store_n(ring_word(ring->sent, ring->set.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	uint32_t *head = ring_word(ring->done, ring->set.cq_off.head);
	const uint32_t *end = ring_word(ring->done, ring->set.cq_off.tail);
	for (unsigned sent = 0; __atomic_load_n(end, __ATOMIC_ACQUIRE) == *head;) {
		const long taken = syscall(SYS_io_uring_enter, ring->number, 1 - sent, 1,
		                           IORING_ENTER_GETEVENTS | ring->enter, NULL, 0);
		sent = sent != 0 || taken > 0;
	}
	const uint32_t mask = *ring_word(ring->done, ring->set.cq_off.ring_mask);
	const struct io_uring_cqe *answer = (const void *)(ring->done + ring->set.cq_off.cqes);
	if (answer[*head & mask].res < 0)
		fprintf(stderr, "io_uring: %s\n", strerror(-answer[*head & mask].res));
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

static void write_by_ring(char *memory, size_t bytes)
{
	if (reading.works)
		ring_run(&reading, IORING_OP_READ, plain, memory, bytes);
}

static bool ring_register(const struct ring *ring, unsigned operation, const struct iovec *part)
{
	return syscall(SYS_io_uring_register, ring->number, operation | ring->registers, part,
	               part != NULL) == 0;
}

bool writers_pin(char *memory, size_t bytes)
{
	const struct iovec part = {memory, bytes};
	if (!pinning.works || pinning.is_pinned)
		return false;
	pinning.is_pinned = ring_register(&pinning, IORING_REGISTER_BUFFERS, &part);
	return pinning.is_pinned;
}

void writers_read_pinned(char *memory, size_t bytes)
{
	ring_run(&pinning, IORING_OP_READ_FIXED, plain, memory, bytes);
}

void writers_unpin(void)
{
	if (pinning.is_pinned)
		ring_register(&pinning, IORING_UNREGISTER_BUFFERS, NULL);
	pinning.is_pinned = false;
}

static void open_ring(struct ring *ring)
{
	ring->number = (int)syscall(SYS_io_uring_setup, ENTRIES, &ring->set);
	if (ring->number < 0)
		return;
	const struct io_uring_params *set = &ring->set;
	const int protection = PROT_READ | PROT_WRITE, way = MAP_SHARED | MAP_POPULATE;
	ring->sent = mmap(NULL, set->sq_off.array + set->sq_entries * sizeof(uint32_t), protection,
	                  way, ring->number, IORING_OFF_SQ_RING);
	ring->done = mmap(NULL, set->cq_off.cqes + set->cq_entries * sizeof(struct io_uring_cqe),
	                  protection, way, ring->number, IORING_OFF_CQ_RING);
	ring->entry = mmap(NULL, set->sq_entries * sizeof(struct io_uring_sqe), protection, way,
	                   ring->number, IORING_OFF_SQES);
	ring->works =
		ring->sent != MAP_FAILED && ring->done != MAP_FAILED && ring->entry != MAP_FAILED;
}

bool writers_register(void)
{
	static struct ring other;
	static char buffer[SECTOR];
	const struct iovec part = {buffer, sizeof buffer};
	open_ring(&other);
	return other.works && ring_register(&other, IORING_REGISTER_BUFFERS, &part);
}

/* Where the kernel gives no numbers (Linux 6.2 and before), the descriptor stays. */
static void hide_ring(struct ring *ring)
{
	struct io_uring_rsrc_update update = {.offset = UINT32_MAX, .data = (uint64_t)ring->number};
	const unsigned by_number = 1U << 31;
	if (!ring->works ||
	    syscall(SYS_io_uring_register, ring->number, IORING_REGISTER_RING_FDS, &update, 1) != 1)
		return;
	const long known = syscall(SYS_io_uring_register, update.offset,
	                           IORING_UNREGISTER_BUFFERS | by_number, NULL, 0);
	if (known < 0 && errno != ENXIO)
		return;
	close(ring->number);
	ring->number = (int)update.offset;
	ring->enter = IORING_ENTER_REGISTERED_RING;
	ring->registers = by_number;
}

static bool fill_file(void)
{
	static char text[1 << 16];
	for (int i = 0; i < FILE_BYTES / (int)sizeof text; i++) {
		chance_fill(text, sizeof text);
		if (write(plain, text, sizeof text) != (ssize_t)sizeof text)
			return false;
	}
	return fsync(plain) == 0;
}

/* A file of its own without a name, read directly too where its file system can. */
bool writers_open(void)
{
	char name[] = "writers-XXXXXX";
	plain = mkostemp(name, O_CLOEXEC);
	if (plain < 0 || !fill_file()) {
		fprintf(stderr, "no file can be written here: %s\n", strerror(errno));
		return false;
	}
	direct = open(name, O_RDONLY | O_DIRECT | O_CLOEXEC);
	unlink(name);
	memory_file = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
	open_ring(&reading);
	open_ring(&pinning);
	hide_ring(&pinning);
	aio_works = direct >= 0 && syscall(SYS_io_setup, ENTRIES, &aio) == 0;
	printf("direct reads: %s, AIO: %s, io_uring: %s\n", direct >= 0 ? "yes" : "no",
	       aio_works ? "yes" : "no", reading.works ? "yes" : "no");
	return memory_file >= 0 && pipe(pipe_end) == 0 &&
	       socketpair(AF_UNIX, SOCK_STREAM, 0, socket_end) == 0;
}

const struct writers_row writers_all[] = {
	{"read", write_by_read},
	{"pread", write_by_pread},
	{"readv", write_by_readv},
	{"a direct read", write_by_direct_read},
	{"a read of a pipe", write_by_pipe},
	{"recv", write_by_recv},
	{"getrandom", write_by_getrandom},
	{"process_vm_writev", write_by_process},
	{"a write to /proc/self/mem", write_by_memory_file},
	{"io_uring", write_by_ring},
};
const size_t writers_count = sizeof writers_all / sizeof *writers_all;
