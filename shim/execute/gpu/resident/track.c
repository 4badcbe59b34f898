/* track.c - userfaultfd with asynchronous write protection, and PAGEMAP_SCAN */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/track.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/base/input_file.h"
#include "shim/execute/gpu/resident/track_abi.h"

/* Programs close, or hand to select, descriptors of small numbers. */
enum { TRACK_LOWEST = 900, TRACK_REGIONS = 64, TRACK_TRIES = 16, TRACK_PART = 4096 };

struct track_descriptor {
	int number;
	dev_t device;
	ino_t node;
};

static struct track_descriptor track_faults = {.number = -1}, track_map = {.number = -1};
/* Of /proc/self/status: asked at each call, where to open it takes most of the time. */
static struct track_descriptor track_status = {.number = -1};

static int track_control(const struct track_descriptor *descriptor, unsigned long request,
                         void *argument)
{
	return (int)syscall(SYS_ioctl, descriptor->number, request, argument);
}

/* Takes the descriptor over, and lifts it. */
static bool track_hold(struct track_descriptor *descriptor, int number)
{
	struct stat status;
	const int lifted = fcntl(number, F_DUPFD_CLOEXEC, TRACK_LOWEST);
	if (lifted >= 0)
		close(number);
	descriptor->number = lifted >= 0 ? lifted : number;
	if (fstat(descriptor->number, &status) != 0)
		return false;
	descriptor->device = status.st_dev;
	descriptor->node = status.st_ino;
	return true;
}

static enum track_reason track_judge(int error)
{
	switch (error) {
	case ENOSYS: return TRACK_REASON_NO_CALL;
	case EPERM:
	case EACCES: return TRACK_REASON_REFUSED;
	case EINVAL: return TRACK_REASON_OLD_KERNEL;
	default: return TRACK_REASON_NO_RESOURCES;
	}
}

/*
 * With TRACK_USER_MODE_ONLY any user may: the kernel resolves each fault itself, so that writes by
 * system calls are noted as well.
 */
static enum track_reason track_open_faults(void)
{
	struct track_api api = {.api = TRACK_API_VERSION, .features = TRACK_FEATURES};
	const long made = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | TRACK_USER_MODE_ONLY);
	if (made < 0)
		return track_judge(errno);
	if (!track_hold(&track_faults, (int)made))
		return TRACK_REASON_NO_RESOURCES;
	return track_control(&track_faults, TRACK_API, &api) == 0 ? TRACK_REASON_NONE
	                                                          : track_judge(errno);
}

static enum track_reason track_open_map(void)
{
	struct stat status;
	struct track_scan_argument nothing = {.size = sizeof nothing};
	const int map = input_file_open("/proc/self/pagemap", &status);
	if (map == -EACCES || map == -EPERM)
		return TRACK_REASON_NOT_DUMPABLE;
	if (map < 0)
		return map == -EMFILE || map == -ENFILE ? TRACK_REASON_NO_RESOURCES
		                                        : TRACK_REASON_NO_PAGEMAP;
	if (!track_hold(&track_map, map))
		return TRACK_REASON_NO_RESOURCES;
	return track_control(&track_map, TRACK_SCAN, &nothing) == 0 ? TRACK_REASON_NONE
	                                                            : TRACK_REASON_NO_SCAN;
}

static enum track_reason track_open_status(void)
{
	struct stat status;
	const int file = input_file_open("/proc/self/status", &status);
	if (file < 0)
		return TRACK_REASON_NO_STATUS;
	return track_hold(&track_status, file) ? TRACK_REASON_NONE : TRACK_REASON_NO_RESOURCES;
}

enum track_reason track_open(void)
{
	enum track_reason reason = track_open_faults();
	if (reason == TRACK_REASON_NONE)
		reason = track_open_map();
	if (reason == TRACK_REASON_NONE)
		reason = track_open_status();
	if (reason != TRACK_REASON_NONE)
		track_close();
	return reason;
}

static bool track_is_same(const struct track_descriptor *descriptor)
{
	struct stat status;
	return descriptor->number >= 0 && fstat(descriptor->number, &status) == 0 &&
	       status.st_dev == descriptor->device && status.st_ino == descriptor->node;
}

/* A number that the program has given to another file is not closed. */
static void track_drop(struct track_descriptor *descriptor)
{
	if (track_is_same(descriptor))
		close(descriptor->number);
	descriptor->number = -1;
}

void track_close(void)
{
	track_drop(&track_faults);
	track_drop(&track_map);
	track_drop(&track_status);
}

bool track_is_ours(void)
{
	return track_is_same(&track_faults) && track_is_same(&track_map);
}

bool track_read_status(char *text, size_t bytes)
{
	if (!track_is_same(&track_status))
		return false;
	const ssize_t got = pread(track_status.number, text, bytes - 1, 0);
	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

bool track_owns(int descriptor)
{
	return descriptor == track_faults.number || descriptor == track_map.number ||
	       descriptor == track_status.number;
}

static struct track_range track_range_of(struct pages_span span)
{
	return (struct track_range){span.start, span.end - span.start};
}

int track_register(struct pages_span span)
{
	struct track_registration registration = {track_range_of(span), TRACK_MODE_WRITES, 0};
	return track_control(&track_faults, TRACK_REGISTER, &registration) == 0 ? 0 : errno;
}

int track_unregister(struct pages_span span)
{
	struct track_range range = track_range_of(span);
	return track_control(&track_faults, TRACK_UNREGISTER, &range) == 0 ? 0 : errno;
}

/* The kernel asks to try again while another thread changes the mapping. */
static int track_protect(struct pages_span span, uint64_t mode)
{
	int error = 0;
	if (track_faults.number < 0)
		return EBADF;
	for (int i = 0; i < TRACK_TRIES; i++) {
		struct track_protection protection = {track_range_of(span), mode};
		error = track_control(&track_faults, TRACK_WRITEPROTECT, &protection) == 0 ? 0
		                                                                           : errno;
		if (error != EAGAIN && error != EINTR)
			break;
	}
	return error;
}

int track_arm(struct pages_span span)
{
	return track_protect(span, TRACK_PROTECT);
}

int track_disarm(struct pages_span span)
{
	return track_protect(span, 0);
}

/*
 * The kernel's manual asks for written pages and takes the others for clean. But a part of the span
 * without mapping, or without page table, is not reported, though its contents are gone. So this
 * asks for pages that are registered, not written, and present or swapped out.
 */
static const struct track_scan_argument track_clean_question = {
	.size = sizeof track_clean_question,
	.inverted = TRACK_PAGE_WRITTEN,
	.all_of = TRACK_PAGE_ALLOWED | TRACK_PAGE_WRITTEN,
	.any_of = TRACK_PAGE_PRESENT | TRACK_PAGE_SWAPPED,
	.wanted = TRACK_PAGE_ALLOWED,
};

/* The manual's question, which the kernel answers ten times as fast; an error where some of the
 * span is not registered. What it does not report has to be found in memory as well. */
static const struct track_scan_argument track_written_question = {
	.size = sizeof track_written_question,
	.flags = TRACK_SCAN_REGISTERED,
	.all_of = TRACK_PAGE_WRITTEN,
	.wanted = TRACK_PAGE_WRITTEN,
};

static const struct track_scan_argument track_large_question = {
	.size = sizeof track_large_question,
	.all_of = TRACK_PAGE_LARGE,
	.wanted = TRACK_PAGE_LARGE,
};

/* Regions of the answer, or an error (-1). */
static int track_ask(const struct track_scan_argument *question, struct pages_span span,
                     struct track_region region[], uintptr_t *walk_end)
{
	struct track_scan_argument scan = *question;
	scan.start = span.start;
	scan.end = span.end;
	scan.regions = (uintptr_t)region;
	scan.regions_max = TRACK_REGIONS;
	const int found = track_control(&track_map, TRACK_SCAN, &scan);
	*walk_end = scan.walk_end;
	return found < 0 || scan.walk_end <= span.start ? -1 : found;
}

typedef void track_visitor(void *self, struct pages_span found);

static void track_visit(const struct track_scan_argument *question, struct pages_span span,
                        track_visitor *visit, void *self)
{
	struct track_region region[TRACK_REGIONS];
	while (!pages_is_empty(span)) {
		const int found = track_ask(question, span, region, &span.start);
		for (int i = 0; i < found; i++)
			visit(self, (struct pages_span){region[i].start, region[i].end});
		if (found < 0)
			return;
	}
}

static void track_add_clean(void *clean, struct pages_span found)
{
	pages_add(clean, found);
}

/* Whether eight pages in a row are in memory, of whose states only the lowest bit is defined. */
static bool track_has_eight(const unsigned char state[])
{
	uint64_t eight;
	memcpy(&eight, state, sizeof eight);
	return (~eight & UINT64_C(0x0101010101010101)) == 0;
}

/* The first page from `from` on that is not in memory, or pages. */
static uintptr_t track_seek_absent(const unsigned char state[], uintptr_t from, uintptr_t pages)
{
	while (from + sizeof(uint64_t) <= pages && track_has_eight(state + from))
		from += sizeof(uint64_t);
	while (from < pages && (state[from] & 1) != 0)
		from++;
	return from;
}

/* A page without page table is in no memory. One that is swapped out is left out too. */
static bool track_add_present_part(struct pages_span span, struct pages_set *clean)
{
	const uintptr_t page = pages_size(), pages = (span.end - span.start) / page;
	unsigned char present[TRACK_PART];
	if (mincore((void *)span.start, span.end - span.start, present) != 0)
		return false;
	for (uintptr_t first = 0; first < pages;) {
		const uintptr_t absent = track_seek_absent(present, first, pages);
		pages_add(clean, (struct pages_span){span.start + first * page,
		                                     span.start + absent * page});
		first = absent + 1;
	}
	return true;
}

static bool track_add_present(struct pages_span span, struct pages_set *clean)
{
	const uintptr_t most = TRACK_PART * pages_size();
	bool known = true;
	while (known && !pages_is_empty(span)) {
		struct pages_span part = span;
		if (part.end - part.start > most)
			part.end = part.start + most;
		known = track_add_present_part(part, clean);
		span.start = part.end;
	}
	return known;
}

/* The pages of the span that lie between the regions. */
static bool track_add_between(const struct track_region region[], int regions,
                              struct pages_span span, struct pages_set *clean)
{
	bool known = true;
	for (int i = 0; i < regions && known; i++) {
		known = track_add_present((struct pages_span){span.start, region[i].start}, clean);
		span.start = region[i].end;
	}
	return known && track_add_present(span, clean);
}

/* How far an answer goes. A full one says nothing of what follows its last region. */
static uintptr_t track_find_end(const struct track_region region[], int regions, uintptr_t walk_end)
{
	if (regions == 0)
		return walk_end;
	const uintptr_t last = region[regions - 1].end;
	return regions == TRACK_REGIONS || last > walk_end ? last : walk_end;
}

void track_scan(struct pages_span span, struct pages_set *clean)
{
	struct track_region region[TRACK_REGIONS];
	while (!pages_is_empty(span)) {
		struct pages_span part = span;
		const int written = track_ask(&track_written_question, span, region, &part.end);
		if (written >= 0)
			part.end = track_find_end(region, written, part.end);
		if (written < 0 || !track_add_between(region, written, part, clean)) {
			track_visit(&track_clean_question, span, track_add_clean, clean);
			return;
		}
		span.start = part.end;
	}
}

static void track_add_count(void *count, struct pages_span found)
{
	*(uint64_t *)count += (found.end - found.start) / pages_size();
}

uint64_t track_count_large(struct pages_span span)
{
	uint64_t count = 0;
	track_visit(&track_large_question, span, track_add_count, &count);
	return count;
}
