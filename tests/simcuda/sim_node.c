/* sim_node.c - a file with a row for each process: its memory and contexts on each card */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_node.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NODE_ROWS = 1024 };

struct node_row {
	int pid; /* 0: the row is free */
	unsigned long long start;
	uint64_t held_bytes[SIM_MAX_DEVICES];
	uint32_t contexts[SIM_MAX_DEVICES];
};

/* high_bytes: the most that all processes together ever held of each card. */
struct node_file {
	struct node_row rows[NODE_ROWS];
	uint64_t high_bytes[SIM_MAX_DEVICES];
};

/* NULL: there is no file. */
static struct node_row *rows, *own;
static uint64_t *high;
static int node_file = -1;
static uint64_t machine;
static pthread_once_t node_once = PTHREAD_ONCE_INIT;

/*
 * Whether a process lives, and since when. A zombie has no memory of a card; the first thread of a
 * process looks like one when it has ended before the others.
 */
static bool node_look(int pid, unsigned long long *start)
{
	char path[64], text[1024] = "", state;
	long threads = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	const size_t length = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[length] = 0;
	const char *rest = strrchr(text, ')');
	if (!rest || sscanf(rest,
	                    ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
	                    "%ld %*s %llu",
	                    &state, &threads, start) != 3)
		return false;
	return state != 'X' && (state != 'Z' || threads > 1);
}

static bool node_map(const char *path)
{
	struct stat found;
	node_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (node_file < 0 || ftruncate(node_file, sizeof(struct node_file)) != 0 ||
	    fstat(node_file, &found) != 0)
		return false;
	machine = (uint64_t)found.st_ino ^ (uint64_t)found.st_dev << 32;
	struct node_file *map =
		mmap(NULL, sizeof *map, PROT_READ | PROT_WRITE, MAP_SHARED, node_file, 0);
	if (map == MAP_FAILED)
		return false;
	rows = map->rows;
	high = map->high_bytes;
	return true;
}

static void node_open(void)
{
	const char *path = getenv("SIMCUDA_NODE");
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	machine = (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30;
	if (path && *path && !node_map(path))
		fprintf(stderr, "simcuda: %s: %s; this process has a machine of its own\n", path,
		        strerror(errno));
}

/* Rows of processes that are no more are freed, and this process gets one. */
static void node_lock(void)
{
	const int self = (int)getpid();
	unsigned long long start, own_start = 0;
	while (flock(node_file, LOCK_EX) != 0 && errno == EINTR)
		;
	struct node_row *free_row = NULL;
	for (struct node_row *row = rows; row < rows + NODE_ROWS; row++) {
		if (row->pid && row != own && (!node_look(row->pid, &start) || start != row->start))
			memset(row, 0, sizeof *row);
		if (!row->pid && !free_row)
			free_row = row;
	}
	if (own || !free_row || !node_look(self, &own_start))
		return;
	own = free_row;
	own->start = own_start;
	own->pid = self;
}

static void node_unlock(void)
{
	flock(node_file, LOCK_UN);
}

static bool node_begin(void)
{
	pthread_once(&node_once, node_open);
	if (rows)
		node_lock();
	return rows != NULL;
}

uint64_t sim_node_machine(void)
{
	pthread_once(&node_once, node_open);
	return machine;
}

/* Processes beside this one that have a context. */
static int node_count(int card)
{
	int count = 0;
	for (const struct node_row *row = rows; row < rows + NODE_ROWS; row++)
		count += row != own && row->pid && row->contexts[card] > 0;
	return count;
}

/* The server of MPS is the one process that an exclusive card has; it takes so many clients. */
static int node_judge(int card)
{
	const struct sim_config *config = sim_config();
	const int others = node_count(card);
	if (!own)
		return SIM_cudaErrorMemoryAllocation;
	if (config->mps_clients > 0)
		return own->contexts[card] || others < config->mps_clients
		               ? 0
		               : SIM_cudaErrorMpsMaxClientsReached;
	return config->compute_mode == SIM_MODE_EXCLUSIVE && others > 0
	               ? SIM_cudaErrorDevicesUnavailable
	               : 0;
}

int sim_node_enter(int card)
{
	int error = sim_config()->compute_mode == SIM_MODE_PROHIBITED
	                    ? SIM_cudaErrorDevicesUnavailable
	                    : 0;
	if (error || !node_begin())
		return error;
	error = node_judge(card);
	if (!error)
		own->contexts[card]++;
	node_unlock();
	return error;
}

void sim_node_leave(int card)
{
	if (!node_begin())
		return;
	if (own && own->contexts[card])
		own->contexts[card]--;
	node_unlock();
}

static size_t node_sum_others(int card)
{
	size_t sum = 0;
	for (const struct node_row *row = rows; row < rows + NODE_ROWS; row++)
		sum += row != own && row->pid ? row->held_bytes[card] : 0;
	return sum;
}

bool sim_node_take(int card, size_t size_bytes, size_t own_bytes, size_t total_bytes)
{
	if (!node_begin())
		return own_bytes <= total_bytes && size_bytes <= total_bytes - own_bytes;
	const size_t taken_bytes = own_bytes + node_sum_others(card);
	const bool fits =
		own && taken_bytes <= total_bytes && size_bytes <= total_bytes - taken_bytes;
	if (fits) {
		own->held_bytes[card] += size_bytes;
		if (high[card] < taken_bytes + size_bytes)
			high[card] = taken_bytes + size_bytes;
	}
	node_unlock();
	return fits;
}

void sim_node_give(int card, size_t size_bytes)
{
	if (!node_begin())
		return;
	if (own)
		own->held_bytes[card] -= size_bytes;
	node_unlock();
}

size_t sim_node_others(int card)
{
	if (!node_begin())
		return 0;
	const size_t sum = node_sum_others(card);
	node_unlock();
	return sum;
}
