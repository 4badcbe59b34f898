/* loader_lock.c - finds the loader's mutexes in its own data and reads their owners */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/base/loader_lock.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "shim/base/object.h"

/*
 * glibc keeps the loader's locks in _rtld_global, an exported object whose layout is private. Each
 * is a recursive mutex, and the first words of a mutex are fixed: programs contain initialised
 * ones. So a mutex that is held is recognised by them, wherever it lies.
 */
struct lock_words {
	int state;
	unsigned count;
	int owner;
	unsigned users;
	int kind;
};

enum { LOCK_STATE_MAX = 2, LOCK_COUNT_MAX = 1 << 16, LOCK_TRIES = 20, LOCK_PAUSE_NS = 1000000 };

/* Found once; threads that do so at once find the same. */
static _Atomic uintptr_t lock_begin, lock_end;
static atomic_bool lock_sought;

static const ElfW(Dyn) * loader_lock_find_dynamic(uintptr_t base)
{
	const ElfW(Ehdr) *file = (const void *)base;
	const ElfW(Phdr) *part = (const void *)(base + file->e_phoff);
	for (int i = 0; i < file->e_phnum; i++)
		if (part[i].p_type == PT_DYNAMIC)
			return (const void *)(base + part[i].p_vaddr);
	return NULL;
}

/*
 * Read from the loader's own tables: dlsym would take the lock that is asked about. AT_BASE is 0
 * where the loader was started as the program.
 */
static void loader_lock_seek(void)
{
	static const char home[] = "_rtld_global";
	const uintptr_t base = (uintptr_t)getauxval(AT_BASE);
	struct object loader;
	bool indirect = false;
	if (base != 0 && object_read(&loader, base, loader_lock_find_dynamic(base))) {
		const uintptr_t begin = (uintptr_t)object_find(&loader, home, &indirect);
		const ElfW(Sym) *symbol = &loader.symbols[1];
		while (begin != 0 && (base + symbol->st_value != begin || symbol->st_size == 0))
			symbol++;
		atomic_store(&lock_begin, begin);
		atomic_store(&lock_end, begin != 0 ? begin + symbol->st_size : 0);
	}
	atomic_store(&lock_sought, true);
}

/* The thread that holds the mutex at this address, 0: it is none, or is free. */
static pid_t loader_lock_read(uintptr_t address)
{
	const volatile struct lock_words *words = (const volatile void *)address;
	const int owner = words->owner;
	const bool held = words->kind == PTHREAD_MUTEX_RECURSIVE_NP && words->users == 1 &&
	                  words->state > 0 && words->state <= LOCK_STATE_MAX && words->count > 0 &&
	                  words->count < LOCK_COUNT_MAX;
	return held && owner > 0 ? owner : 0;
}

unsigned loader_lock_find_holders(pid_t friend)
{
	unsigned holders = 0;
	if (!atomic_load(&lock_sought))
		loader_lock_seek();
	const uintptr_t begin = atomic_load(&lock_begin), end = atomic_load(&lock_end);
	const pid_t mine = gettid();
	if (end == 0)
		return LOADER_HOLDER_UNKNOWN;
	for (uintptr_t at = begin; at + sizeof(pthread_mutex_t) <= end; at += sizeof(void *)) {
		const pid_t owner = loader_lock_read(at);
		if (owner != 0)
			holders |= owner == mine     ? LOADER_HOLDER_MINE
			           : owner == friend ? LOADER_HOLDER_FRIEND
			                             : LOADER_HOLDER_OTHER;
	}
	return holders;
}

/* The lock of the list of objects, 0: not found. */
static _Atomic uintptr_t lock_of_list;

enum { LOCK_MINE_MAX = 4 };

/* Mutexes that the calling thread holds. */
struct lock_set {
	uintptr_t at[LOCK_MINE_MAX];
	size_t count;
};

static void loader_lock_collect(struct lock_set *set)
{
	const uintptr_t begin = atomic_load(&lock_begin), end = atomic_load(&lock_end);
	const pid_t mine = gettid();
	set->count = 0;
	for (uintptr_t at = begin; at + sizeof(pthread_mutex_t) <= end; at += sizeof(void *))
		if (loader_lock_read(at) == mine && set->count < LOCK_MINE_MAX)
			set->at[set->count++] = at;
}

static int loader_lock_look(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)info, (void)size;
	loader_lock_collect(context);
	return 1;
}

/* The owner is written after the state when a mutex is taken, and before it at the release. */
static void loader_lock_renew(struct lock_words *words)
{
	words->state = 0;
	words->count = 0;
	words->owner = 0;
	words->users = 0;
}

/* Neither free nor with all that its owner writes: between two statements of a thread. */
static bool loader_lock_is_torn(uintptr_t address)
{
	const volatile struct lock_words *words = (const volatile void *)address;
	return words->state != 0 && loader_lock_read(address) == 0;
}

/*
 * The lock of the list, once it is known. A thread of this process is between the two statements
 * for a moment; one of the parent, for ever.
 */
static void loader_lock_renew_torn(void)
{
	const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
	const uintptr_t at = atomic_load(&lock_of_list);
	int tries = at != 0 ? LOCK_TRIES : 0;
	while (tries > 0 && loader_lock_is_torn(at)) {
		nanosleep(&pause, NULL);
		if (--tries == 0)
			loader_lock_renew((void *)at);
	}
}

void loader_lock_renew_orphans(void)
{
	const int saved_errno = errno;
	if (!atomic_load(&lock_sought))
		loader_lock_seek();
	loader_lock_renew_torn();
	const uintptr_t begin = atomic_load(&lock_begin), end = atomic_load(&lock_end);
	for (uintptr_t at = begin; at + sizeof(pthread_mutex_t) <= end; at += sizeof(void *)) {
		const pid_t owner = loader_lock_read(at);
		const bool gone = owner != 0 && tgkill(getpid(), owner, 0) != 0 && errno == ESRCH;
		/* A thread that ended after it gave the lock back is no orphan's owner. */
		if (gone && loader_lock_read(at) == owner)
			loader_lock_renew((void *)at);
	}
	errno = saved_errno;
}

/* The one that is held during dl_iterate_phdr and was not before. */
void loader_lock_find_list(void)
{
	struct lock_set before, during = {.count = 0};
	loader_lock_renew_orphans();
	loader_lock_collect(&before);
	dl_iterate_phdr(loader_lock_look, &during);
	if (before.count == 0 && during.count == 1)
		atomic_store(&lock_of_list, during.at[0]);
}

void loader_lock_after_fork_child(void)
{
	struct lock_words *words = (void *)atomic_load(&lock_of_list);
	if (words != NULL && words->state != 0 && words->owner != gettid())
		loader_lock_renew(words);
}
