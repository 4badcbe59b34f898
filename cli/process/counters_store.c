/* counters_store.c - makes and reads the pool of a run, or a folder in its stead */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/counters_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "policy/text/number.h"
#include "policy/text/words.h"

/*
 * STORE_NAME_BYTES: the value of an option is no longer. STORE_NO_WAIT: GRND_NONBLOCK, which the
 * headers of glibc before 2.25 lack.
 */
enum {
	STORE_STRIDE = SEGMENT_BYTES(sizeof(struct counters_file)),
	STORE_NAME_BYTES = 1024,
	STORE_NO_WAIT = 1,
};

/*
 * Chunks of the segments, in the order in which they are used. A process maps a whole segment for a
 * moment, which a limit of its address space may forbid: the first one is small.
 */
static const uint64_t counters_store_chunks[POOL_SEGMENTS] = {64, 512, 4096};

/* With strict accounting (2) the kernel sets aside all of a segment for the time of the run. */
static bool counters_store_is_strict(void)
{
	char mode = '0';
	const int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && read(fd, &mode, 1) != 1)
		mode = '0';
	if (fd >= 0)
		close(fd);
	return mode == '2';
}

static bool counters_store_add_part(struct counters_store *store, uint64_t chunks, uint64_t nonce,
                                    int *id)
{
	struct counters_store_part *part = &store->part[store->parts];
	const int next = *id;
	part->size_bytes = SEGMENT_GRAIN + chunks * STORE_STRIDE;
	part->head = segment_make(part->size_bytes, SHM_NORESERVE, id);
	if (part->head == NULL) {
		*id = next;
		return false;
	}
	*part->head = (struct pool_head){.magic = "gpspool",
	                                 .version = POOL_VERSION,
	                                 .next = next,
	                                 .nonce = nonce,
	                                 .stride = STORE_STRIDE,
	                                 .capacity = chunks};
	store->parts++;
	return true;
}

/* The last segment first, since each names the next. */
static bool counters_store_make_pool(struct counters_store *store)
{
	uint64_t nonce = 0;
	char name[POOL_NAME_BYTES];
	int id = -1;
	/* glibc before 2.25 has no getrandom. */
	if (syscall(SYS_getrandom, &nonce, sizeof nonce, STORE_NO_WAIT) != (long)sizeof nonce)
		nonce = (uint64_t)getpid();
	for (int i = counters_store_is_strict() ? 1 : POOL_SEGMENTS - 1; i >= 0; i--)
		counters_store_add_part(store, counters_store_chunks[i], nonce, &id);
	if (store->parts == 0)
		return false;
	pool_format_name(id, nonce, name);
	store->name = say_text("%s", name);
	return true;
}

bool counters_store_make(struct counters_store *store)
{
	*store = (struct counters_store){0};
	if (!counters_store_make_pool(store))
		store->name = counters_read_make_folder();
	return store->name != NULL;
}

/* Makes the folders of a path that are missing, but for what is behind the last slash. */
static void counters_store_make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* Whether a name is job-PID-HOST-XXXXXX, of a process that is gone. */
static bool counters_store_is_stale(const char *name, const char *host)
{
	struct words rest = words_of(name);
	const size_t length = strlen(host);
	if (!words_skip(&rest, "job-"))
		return false;
	const char *end = rest.text;
	const uint64_t pid = number_scan_count(end, &end);
	const bool ours = *end == '-' && strncmp(end + 1, host, length) == 0 &&
	                  end[1 + length] == '-' && strlen(end + 2 + length) == strlen("XXXXXX");
	return ours && pid > 0 && pid <= INT32_MAX && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Removes what tools of this host left behind that were killed. */
static void counters_store_sweep(const char *cache, const char *host)
{
	DIR *list = opendir(cache);
	for (const struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
		if (counters_store_is_stale(entry->d_name, host))
			counters_read_remove_folder(say_text("%s/%s", cache, entry->d_name));
	if (list != NULL)
		closedir(list);
}

/* A new folder in the cache, whose path is ended by a slash; NULL where there can be none. */
static char *counters_store_make_folder(char *cache, size_t most_bytes)
{
	char host[HOST_NAME_MAX + 1] = "";
	gethostname(host, sizeof host - 1);
	char *folder = say_text("%sjob-%d-%s-XXXXXX", cache, (int)getpid(), host);
	bool made = false;
	if (strlen(folder) < most_bytes) {
		counters_store_make_parents(cache);
		counters_store_sweep(cache, host);
		made = mkdtemp(folder) != NULL;
	}
	if (made)
		return folder;
	free(folder);
	return NULL;
}

/*
 * The folder exists before the ranks start: a node where its path leads nowhere has another cache,
 * and its ranks must write nothing there.
 */
void counters_store_widen(struct counters_store *store)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const bool has_cache = cache != NULL && cache[0] == '/';
	if (store->parts == 0 || store->named || (!has_cache && (home == NULL || home[0] != '/')))
		return;
	char *folder =
		has_cache ? say_text("%s/gpushim/", cache) : say_text("%s/.cache/gpushim/", home);
	store->folder = counters_store_make_folder(folder, STORE_NAME_BYTES - strlen(store->name));
	free(folder);
	if (store->folder == NULL)
		return;
	char *name = say_text("%s%s", store->name, store->folder);
	free(store->name);
	store->name = name;
}

/* ENOENT where the pool is not that of the name, or has gone. */
static int counters_store_join(struct counters_store *store)
{
	int id = -1;
	uint64_t nonce = 0;
	if (!pool_parse_name(store->name, &id, &nonce))
		return EINVAL;
	while (store->parts < POOL_SEGMENTS && id >= 0) {
		struct counters_store_part *part = &store->part[store->parts];
		struct shmid_ds status;
		if (shmctl(id, IPC_STAT, &status) != 0 || status.shm_segsz < SEGMENT_GRAIN ||
		    (status.shm_segsz - SEGMENT_GRAIN) % STORE_STRIDE != 0)
			break;
		part->head = shmat(id, NULL, 0);
		if (part->head == (void *)-1)
			break;
		part->size_bytes = status.shm_segsz;
		store->parts++;
		if (!pool_is_head(part->head, part->size_bytes) || part->head->nonce != nonce ||
		    part->head->stride != STORE_STRIDE)
			return ENOENT;
		id = part->head->next;
	}
	return store->parts > 0 ? 0 : ENOENT;
}

bool counters_store_open(struct counters_store *store, const char *name)
{
	*store = (struct counters_store){.name = say_text("%s", name), .named = true};
	int error = 0;
	if (pool_is_name(name))
		error = counters_store_join(store);
	else if (access(name, W_OK | X_OK) != 0)
		error = errno;
	if (error == 0)
		return true;
	say("cannot keep counters in '%s': %s", name, say_error(error));
	counters_store_free(store);
	return false;
}

/* Only the pages that the process wrote: reading another page would take memory for it. */
static void counters_store_copy(struct counters_file *to, const struct counters_file *from)
{
	const size_t first = offsetof(struct counters_file, decided[COUNTERS_FIRST]);
	memcpy((void *)to, from, first);
	if (to->spilled != 0)
		memcpy((char *)to + first, (const char *)from + first,
		       offsetof(struct counters_file, forwarded) - first);
	const size_t slots = to->slots_used < COUNTERS_SLOTS ? to->slots_used : COUNTERS_SLOTS;
	memcpy((void *)to->forwarded, from->forwarded, slots * sizeof to->forwarded[0]);
}

/* A chunk without a head: its process was killed while it took the chunk. */
static void counters_store_read_chunk(const struct counters_store_part *part, uint64_t chunk,
                                      struct counters_read *counters, int64_t since_ns)
{
	const char *start = (const char *)part->head + SEGMENT_GRAIN + chunk * STORE_STRIDE;
	const struct counters_file *from = (const void *)start;
	if (from->magic[0] == '\0')
		return;
	struct counters_file *file = counters_read_new_file();
	char *name = say_text("of process %lld", (long long)from->pid);
	counters_store_copy(file, from);
	counters_read_take(counters, file, sizeof *file, name, since_ns);
	free(name);
}

static void counters_store_read_ranks(const struct pool_head *head, struct counters_read *counters)
{
	const uint32_t ranks = head->ranks;
	for (uint64_t rank = 0; rank < POOL_RANKS && rank < ranks; rank++)
		if ((head->present[rank / 64] >> rank % 64 & 1) != 0)
			counters_read_add_rank(counters, rank, ranks);
}

static void counters_store_read_pool(const struct counters_store *store,
                                     struct counters_read *counters, int64_t since_ns)
{
	uint64_t left_out = 0;
	for (size_t i = 0; i < store->parts; i++) {
		const struct counters_store_part *part = &store->part[i];
		const uint64_t chunks = (part->size_bytes - SEGMENT_GRAIN) / STORE_STRIDE;
		const uint64_t claimed = part->head->claimed;
		for (uint64_t chunk = 0; chunk < claimed && chunk < chunks; chunk++)
			counters_store_read_chunk(part, chunk, counters, since_ns);
		left_out += part->head->left_out;
		counters_store_read_ranks(part->head, counters);
	}
	counters_read_sort(counters);
	if (left_out > 0)
		say("the counts of %llu more process%s are left out: no room was left for them",
		    (unsigned long long)left_out, left_out == 1 ? "" : "es");
}

void counters_store_read(const struct counters_store *store, struct counters_read *counters,
                         int64_t since_ns)
{
	/* Clocks of other nodes may differ. */
	if (store->folder != NULL)
		counters_read_folder(counters, store->folder, INT64_MIN);
	if (store->parts > 0)
		counters_store_read_pool(store, counters, since_ns);
	else if (store->name != NULL)
		counters_read_folder(counters, store->name, since_ns);
}

bool counters_store_is_filling(const struct counters_store *store)
{
	const struct counters_store_part *part = &store->part[0];
	return store->parts > 0 && part->head->claimed > part->head->capacity / 2;
}

void counters_store_free(struct counters_store *store)
{
	for (size_t i = 0; i < store->parts; i++)
		munmap(store->part[i].head, store->part[i].size_bytes);
	if (store->folder != NULL)
		counters_read_remove_folder(store->folder);
	if (store->name != NULL && store->parts == 0 && !store->named)
		counters_read_remove_folder(store->name);
	else
		free(store->name);
	*store = (struct counters_store){0};
}
