/* track.c - userfaultfd with asynchronous write protection, and the files of /proc beside it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/track.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "policy/text/number.h"
#include "shim/base/input_file.h"
#include "shim/execute/gpu/node/kernel_text.h"
#include "shim/execute/gpu/resident/track_abi.h"
#include "shim/rights/call_filter.h"

/*
 * Programs close, or hand to select, descriptors of small numbers. SPARE: of the process's table
 * that the descriptors of the tracking need.
 */
enum { TRACK_LOWEST = 900, TRACK_SPARE = 8 };

struct track_descriptor {
	int number;
	dev_t device;
	ino_t node;
};

static struct track_descriptor track_faults = {.number = -1}, track_map = {.number = -1};
/* Of /proc/self/status: asked at each call, where to open it takes most of the time. */
static struct track_descriptor track_status = {.number = -1};
/* Of /proc/self/maps, which tells of one mapping without a text. */
static struct track_descriptor track_layout = {.number = -1};
/* Of /proc/self/fd, whose name takes longer to find than its entries do to list. */
static struct track_descriptor track_folder = {.number = -1};

static atomic_bool track_heeds_filter;

void track_heed_filter(bool heeds)
{
	atomic_store(&track_heeds_filter, heeds);
}

/* A thread of the program may have set a filter up for all threads since this call began. */
static int track_control(const struct track_descriptor *descriptor, unsigned long request,
                         void *argument)
{
	if (atomic_load(&track_heeds_filter) && call_filter_is_on()) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_ioctl, descriptor->number, request, argument);
}

/*
 * Within the table that the process has: where several threads share it, the kernel takes some ten
 * milliseconds to make it larger (a grace period of RCU). noinline: as in track_guard.c.
 */
static __attribute__((noinline)) int track_find_lowest(void)
{
	static const char line[] = "\nFDSize:";
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read("", "/proc/self/", "status", text))
		return TRACK_LOWEST;
	const char *found = strstr(text, line);
	if (found == NULL)
		return TRACK_LOWEST;
	found += strlen(line);
	const uint64_t size = number_scan_count(found + strspn(found, " \t"), NULL);
	return size > TRACK_SPARE && size < TRACK_LOWEST + TRACK_SPARE ? (int)size - TRACK_SPARE
	                                                               : TRACK_LOWEST;
}

/* Takes the descriptor over, and lifts it. */
static bool track_hold(struct track_descriptor *descriptor, int number)
{
	struct stat status;
	const int lifted = fcntl(number, F_DUPFD_CLOEXEC, track_find_lowest());
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

static enum track_reason track_open_text(struct track_descriptor *descriptor, const char *path)
{
	struct stat status;
	const int file = input_file_open(path, &status);
	if (file < 0)
		return TRACK_REASON_NO_STATUS;
	return track_hold(descriptor, file) ? TRACK_REASON_NONE : TRACK_REASON_NO_RESOURCES;
}

enum { TRACK_FOLDER_FLAGS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
static const char track_folder_path[] = "/proc/self/fd";

static enum track_reason track_open_folder(void)
{
	const int folder = open(track_folder_path, TRACK_FOLDER_FLAGS);
	if (folder < 0)
		return errno == EMFILE || errno == ENFILE ? TRACK_REASON_NO_RESOURCES
		                                          : TRACK_REASON_NO_STATUS;
	return track_hold(&track_folder, folder) ? TRACK_REASON_NONE : TRACK_REASON_NO_RESOURCES;
}

enum track_reason track_open(void)
{
	enum track_reason reason = track_open_faults();
	if (reason == TRACK_REASON_NONE)
		reason = track_open_map();
	if (reason == TRACK_REASON_NONE)
		reason = track_open_text(&track_status, "/proc/self/status");
	if (reason == TRACK_REASON_NONE)
		reason = track_open_text(&track_layout, "/proc/self/maps");
	if (reason == TRACK_REASON_NONE)
		reason = track_open_folder();
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
	track_drop(&track_layout);
	track_drop(&track_folder);
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
	       descriptor == track_status.number || descriptor == track_layout.number ||
	       descriptor == track_folder.number;
}

/* Not by the one that is held: its position is shared with whoever has duplicated it. */
int track_open_descriptors(void)
{
	return track_is_same(&track_folder) ? openat(track_folder.number, ".", TRACK_FOLDER_FLAGS)
	                                    : open(track_folder_path, TRACK_FOLDER_FLAGS);
}

int track_control_faults(unsigned long request, void *argument)
{
	return track_control(&track_faults, request, argument);
}

int track_control_map(unsigned long request, void *argument)
{
	return track_control(&track_map, request, argument);
}

int track_control_layout(unsigned long request, void *argument)
{
	return track_is_same(&track_layout) ? track_control(&track_layout, request, argument) : -1;
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
