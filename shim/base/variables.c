/* variables.c - copies the environment by the kernel, which reports memory that is gone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/variables.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/rights/call_filter.h"
#include "shim/rights/readable.h"

enum {
	VARIABLES_COPIES = 2,
	VARIABLES_MOST = 4096,
	VARIABLES_BYTES = 1 << 18,
	VARIABLES_PAGE = 4096,
	VARIABLES_NO_PAGE = 1, /* no page begins there */
	VARIABLES_TRIES = 16
};

/* Variables that do not fit are left out. Those of the shim come first. */
struct variables_copy {
	char *variables[VARIABLES_MOST + 1];
	char text[VARIABLES_BYTES];
	size_t count, used;
};

static const char variables_own[] = "EPOCHLY_";

static atomic_int variables_made;
static _Atomic(struct variables_copy *) variables_last;

/* The page that was read last. */
struct variables_reader {
	uintptr_t page;
	bool readable;
	bool filtered; /* system calls are */
	char bytes[VARIABLES_PAGE];
};

/* Of this only what is written takes memory. */
struct variables_work {
	struct variables_copy copy;
	struct variables_reader reader;
	uintptr_t list[VARIABLES_MOST], again[VARIABLES_MOST];
};

enum variables_answer { VARIABLES_COPIED, VARIABLES_GONE, VARIABLES_REFUSED };

/* A filter of system calls may end the program for this one. */
static enum variables_answer variables_ask(struct variables_reader *reader, uintptr_t page)
{
	const struct iovec to = {reader->bytes, VARIABLES_PAGE};
	const struct iovec from = {(void *)page, VARIABLES_PAGE};
	if (reader->filtered)
		return VARIABLES_REFUSED;
	const long got = syscall(SYS_process_vm_readv, (long)getpid(), &to, 1L, &from, 1L, 0L);
	if (got == VARIABLES_PAGE)
		return VARIABLES_COPIED;
	return got < 0 && errno == EFAULT ? VARIABLES_GONE : VARIABLES_REFUSED;
}

/* A page could disappear between the question and the copy, but filters allow no better way. */
static bool variables_read_page(struct variables_reader *reader, uintptr_t page)
{
	const enum variables_answer answer = variables_ask(reader, page);
	if (answer != VARIABLES_REFUSED)
		return answer == VARIABLES_COPIED;
	if (!readable_page(page))
		return false;
	memcpy(reader->bytes, (const void *)page, VARIABLES_PAGE);
	return true;
}

/* The bytes of its page from address on; *count: how many. NULL: not readable. */
static const char *variables_read(struct variables_reader *reader, uintptr_t address, size_t *count)
{
	const uintptr_t page = address / VARIABLES_PAGE * VARIABLES_PAGE;
	if (page != reader->page) {
		reader->page = page;
		reader->readable = variables_read_page(reader, page);
	}
	*count = VARIABLES_PAGE - (address - page);
	return reader->readable ? reader->bytes + (address - page) : NULL;
}

/* The pointers from start on; returns their number. */
static size_t variables_read_list(struct variables_reader *reader, uintptr_t start, uintptr_t *list)
{
	size_t count = 0, left;
	reader->page = VARIABLES_NO_PAGE;
	while (start % sizeof *list == 0 && count < VARIABLES_MOST) {
		const char *bytes = variables_read(reader, start + count * sizeof *list, &left);
		if (start == 0 || bytes == NULL)
			break;
		memcpy(&list[count], bytes, sizeof *list);
		if (list[count] == 0)
			break;
		count++;
	}
	return count;
}

/*
 * The list, once it was the same twice, or the last of some tries that was read from one place:
 * setenv moves environ to make room.
 */
static size_t variables_settle_list(struct variables_reader *reader, uintptr_t *list,
                                    uintptr_t *again)
{
	size_t count = 0;
	bool found = false, settled = false;
	for (int i = 0; i < VARIABLES_TRIES && !settled; i++) {
		char **const before = __atomic_load_n(&__environ, __ATOMIC_ACQUIRE);
		const size_t next = variables_read_list(reader, (uintptr_t)before, again);
		const bool stayed = __atomic_load_n(&__environ, __ATOMIC_ACQUIRE) == before;
		if (!stayed && found)
			continue;
		settled = stayed && found && next == count &&
		          memcmp(list, again, count * sizeof *list) == 0;
		found = stayed;
		count = next;
		memcpy(list, again, count * sizeof *list);
	}
	return count;
}

/* The text at address; false where it is not readable or does not fit. */
static bool variables_copy_text(struct variables_copy *copy, struct variables_reader *reader,
                                uintptr_t address)
{
	size_t length = 0, left;
	while (copy->used + length < VARIABLES_BYTES) {
		const char *bytes = variables_read(reader, address + length, &left);
		if (bytes == NULL)
			return false;
		const size_t room = VARIABLES_BYTES - copy->used - length;
		const size_t part = strnlen(bytes, left < room ? left : room);
		memcpy(copy->text + copy->used + length, bytes, part);
		length += part;
		if (part < left && part < room) {
			copy->text[copy->used + length] = '\0';
			return true;
		}
	}
	return false;
}

static void variables_copy_variable(struct variables_copy *copy, struct variables_reader *reader,
                                    uintptr_t address, bool own)
{
	char *text = copy->text + copy->used;
	if (!variables_copy_text(copy, reader, address) ||
	    (strncmp(text, variables_own, strlen(variables_own)) == 0) != own)
		return;
	copy->variables[copy->count++] = text;
	copy->used += strlen(text) + 1;
}

/* In this order: a list, and the texts that were written before their addresses were in it. */
static void variables_fill(struct variables_work *work)
{
	const size_t count = variables_settle_list(&work->reader, work->list, work->again);
	work->reader.page = VARIABLES_NO_PAGE;
	for (int others = 0; others < 2; others++)
		for (size_t i = 0; i < count; i++)
			variables_copy_variable(&work->copy, &work->reader, work->list[i],
			                        others == 0);
}

void variables_keep(void)
{
	if (variables_made == VARIABLES_COPIES)
		return;
	void *map = mmap(NULL, sizeof(struct variables_work), PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return;
	struct variables_work *work = map;
	work->reader.filtered = call_filter_is_on();
	variables_fill(work);
	variables_made++;
	atomic_store_explicit(&variables_last, &work->copy, memory_order_release);
}

char *const *variables_list(void)
{
	const struct variables_copy *copy =
		atomic_load_explicit(&variables_last, memory_order_acquire);
	return copy != NULL ? copy->variables : __environ;
}

const char *variables_find(const char *name)
{
	const size_t length = strlen(name);
	if (atomic_load_explicit(&variables_last, memory_order_acquire) == NULL)
		return getenv(name);
	for (char *const *variable = variables_list(); *variable != NULL; variable++)
		if (strncmp(*variable, name, length) == 0 && (*variable)[length] == '=')
			return *variable + length + 1;
	return NULL;
}
