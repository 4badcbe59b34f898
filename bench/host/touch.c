/* touch.c - touches memory before it is measured with; the price of page faults */
/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/device.h"
#include "measure/random.h"

enum { PIECE_MIB = 256, PAGE_BYTES = 4096, PAGES = 2048, BYSTANDERS_MAX = 16 };
static const size_t piece_bytes = (size_t)PIECE_MIB << 20;

/* A machine that gives no more memory within this time has no more. */
static const double GROWTH_SECONDS = 2;

/* -- touching -- */

static long touch_read_available_mib(void)
{
	char line[256];
	long kib = -1;
	FILE *file = fopen("/proc/meminfo", "re");
	while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
		sscanf(line, "MemAvailable: %ld kB", &kib);
	if (file != NULL)
		fclose(file);
	return kib < 0 ? -1 : kib >> 10;
}

/* Waits until the next piece leaves a gibibyte free: a machine may grow only when it is short. */
static bool touch_await_room(double until)
{
	const struct timespec nap = {.tv_nsec = 50000000};
	const double give_up = device_seconds() + GROWTH_SECONDS;
	for (;;) {
		const long available = touch_read_available_mib();
		if (available < 0 || available >= PIECE_MIB + 1024)
			return true;
		if (device_seconds() > give_up || device_seconds() > until)
			return false;
		nanosleep(&nap, NULL);
	}
}

static void touch_write_pages(void *context, int64_t begin, int64_t end)
{
	for (int64_t page = begin; page < end; page++)
		((char *)context)[page * PAGE_BYTES] = 1;
}

/* If the machine runs short of memory after all, this process ends, and no other. */
static void touch_go_first(void)
{
	const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (file >= 0 && write(file, "1000", 4) != 4)
		printf("the kernel may end other processes first\n");
	if (file >= 0)
		close(file);
}

static int touch_grow(double gibibytes, double seconds)
{
	const double begin = device_seconds();
	const int pieces = (int)(gibibytes * 1024 / PIECE_MIB);
	int touched = 0;
	touch_go_first();
	printf("available before: %ld MiB\n", touch_read_available_mib());
	while (touched < pieces && device_seconds() < begin + seconds) {
		if (!touch_await_room(begin + seconds)) {
			printf("the machine gives no more\n");
			break;
		}
		void *piece = mmap(NULL, piece_bytes, PROT_READ | PROT_WRITE,
		                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (piece == MAP_FAILED)
			break;
		const double before = device_seconds();
		random_share((int64_t)(piece_bytes / PAGE_BYTES), touch_write_pages, piece);
		if (++touched % 16 == 0 || touched == 1)
			printf("%6.2f GiB touched, the last piece at %.1f GB/s\n",
			       touched * PIECE_MIB / 1024.0,
			       (double)piece_bytes / (device_seconds() - before) / 1e9);
		fflush(stdout);
	}
	printf("%.2f of %.2f GiB touched in %.1f s, available now: %ld MiB\n",
	       touched * PIECE_MIB / 1024.0, gibibytes, device_seconds() - begin,
	       touch_read_available_mib());
	return 0;
}

/* -- faults -- */

static char *touch_area;
static atomic_bool bystanders_end;

static void touch_take_fault(int number, siginfo_t *information, void *context)
{
	char *page = (char *)((uintptr_t)information->si_addr & ~(uintptr_t)(PAGE_BYTES - 1));
	(void)context;
	if (page < touch_area || page >= touch_area + (size_t)PAGES * PAGE_BYTES ||
	    mprotect(page, PAGE_BYTES, PROT_READ | PROT_WRITE) != 0)
		_exit(128 + number);
}

/* Runs on another processor, whose translations a change of protection has to invalidate. */
static void *touch_stand_by(void *unused)
{
	volatile char seen = 0;
	while (!atomic_load(&bystanders_end))
		for (int page = 0; page < PAGES; page++)
			seen = (char)(seen + touch_area[(size_t)page * PAGE_BYTES]);
	return unused;
}

static double touch_write_all(void)
{
	const double begin = device_seconds();
	for (int page = 0; page < PAGES; page++)
		touch_area[(size_t)page * PAGE_BYTES]++;
	return (device_seconds() - begin) / PAGES * 1e9;
}

/* Nanoseconds a page: the first write, a write that a handler allows, a protection of one page. */
static void touch_print_faults(int bystanders)
{
	pthread_t thread[BYSTANDERS_MAX];
	const size_t area_bytes = (size_t)PAGES * PAGE_BYTES;
	atomic_store(&bystanders_end, false);
	for (int i = 0; i < bystanders; i++)
		if (pthread_create(&thread[i], NULL, touch_stand_by, NULL) != 0)
			exit(1);
	madvise(touch_area, area_bytes, MADV_DONTNEED);
	const double first_ns = touch_write_all();
	mprotect(touch_area, area_bytes, PROT_READ);
	const double handled_ns = touch_write_all();
	const double begin = device_seconds();
	for (int page = 0; page < PAGES; page++)
		mprotect(touch_area + (size_t)page * PAGE_BYTES, PAGE_BYTES,
		         page % 2 != 0 ? PROT_READ : PROT_READ | PROT_WRITE);
	const double protect_ns = (device_seconds() - begin) / PAGES * 1e9;
	mprotect(touch_area, area_bytes, PROT_READ | PROT_WRITE);
	atomic_store(&bystanders_end, true);
	for (int i = 0; i < bystanders; i++)
		pthread_join(thread[i], NULL);
	printf("%10d %12.0f %12.0f %12.0f\n", bystanders, first_ns, handled_ns, protect_ns);
	fflush(stdout);
}

static int touch_measure_faults(void)
{
	struct sigaction action = {.sa_sigaction = touch_take_fault, .sa_flags = SA_SIGINFO};
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	touch_area = mmap(NULL, (size_t)PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (touch_area == MAP_FAILED || sigaction(SIGSEGV, &action, NULL) != 0)
		return 1;
	madvise(touch_area, (size_t)PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
	printf("ns for each page of 4 KiB, beside other threads that read them: the first write, a "
	       "write that a handler of SIGSEGV allows, a change of protection\n");
	printf("%10s %12s %12s %12s\n", "threads", "first write", "handled", "protection");
	for (int bystanders = 0; bystanders < processors && bystanders <= BYSTANDERS_MAX;
	     bystanders = bystanders == 0 ? 1 : 2 * bystanders)
		touch_print_faults(bystanders);
	return 0;
}

int main(int argc, char **argv)
{
	double gibibytes = 0, seconds = 20;
	if (argc == 2 && strcmp(argv[1], "--faults") == 0)
		return touch_measure_faults();
	for (int i = 1; i + 1 < argc; i += 2)
		if (strcmp(argv[i], "--gib") == 0)
			gibibytes = strtod(argv[i + 1], NULL);
		else if (strcmp(argv[i], "--seconds") == 0)
			seconds = strtod(argv[i + 1], NULL);
	if (argc % 2 == 1 && gibibytes > 0 && seconds > 0)
		return touch_grow(gibibytes, seconds);
	fprintf(stderr, "usage: memory --gib COUNT [--seconds COUNT] | --faults\n");
	return 2;
}
