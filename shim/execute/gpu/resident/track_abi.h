/* track_abi.h - the kernel's definitions for tracking writes, which old headers lack; requests */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_ABI_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_ABI_H

#include <linux/ioctl.h>
#include <stdint.h>

/* linux/userfaultfd.h */
enum {
	TRACK_USER_MODE_ONLY = 1,
	TRACK_MODE_WRITES = 1 << 1, /* of a registration */
	TRACK_PROTECT = 1 << 0,     /* of TRACK_WRITEPROTECT; 0: the pages are writable again */
	TRACK_API_VERSION = 0xaa
};
#define TRACK_FEATURES                                                                             \
	((uint64_t)1 << 0 /* faults of writes */ | (uint64_t)1 << 13 /* untouched pages too */ |   \
	 (uint64_t)1 << 15 /* resolved by the kernel */)

struct track_api {
	uint64_t api, features, ioctls;
};

struct track_range {
	uint64_t start, bytes;
};

struct track_registration {
	struct track_range range;
	uint64_t mode, ioctls;
};

struct track_protection {
	struct track_range range;
	uint64_t mode;
};

#define TRACK_API _IOWR(0xaa, 0x3f, struct track_api)
#define TRACK_REGISTER _IOWR(0xaa, 0x00, struct track_registration)
#define TRACK_UNREGISTER _IOR(0xaa, 0x01, struct track_range)
#define TRACK_WRITEPROTECT _IOWR(0xaa, 0x06, struct track_protection)

/* linux/fs.h: PAGEMAP_SCAN */
enum {
	TRACK_PAGE_ALLOWED = 1 << 0, /* the mapping is registered, and its writes are resolved */
	TRACK_PAGE_WRITTEN = 1 << 1,
	TRACK_PAGE_PRESENT = 1 << 3,
	TRACK_PAGE_SWAPPED = 1 << 4,
	TRACK_PAGE_LARGE = 1 << 6 /* one of a large page that is mapped as a whole */
};

/* Flags of a scan: arm what is asked for; fail where some of the span is not registered. */
enum { TRACK_SCAN_PROTECTS = 1 << 0, TRACK_SCAN_REGISTERED = 1 << 1 };

struct track_region {
	uint64_t start, end, categories;
};

struct track_scan_argument {
	uint64_t size, flags, start, end, walk_end, regions, regions_max, pages_max;
	uint64_t inverted, all_of, any_of, wanted;
};

#define TRACK_SCAN _IOWR('f', 16, struct track_scan_argument)

/* linux/fs.h: PROCMAP_QUERY, since 6.11; the mapping at or (NEXT) above an address, or ENOENT */
enum { TRACK_MAPPING_SHARED = 1 << 3, TRACK_MAPPING_NEXT = 1 << 4 };

struct track_mapping {
	uint64_t size, question, address;
	uint64_t start, end, flags, page_bytes, offset, node;
	uint32_t device[2], name_bytes, build_bytes;
	uint64_t name, build;
};

#define TRACK_MAPPING _IOWR('f', 17, struct track_mapping)

/* -- requests -- */

/* Of the userfaultfd, and of /proc/self/pagemap: as ioctl returns it. */
int track_control_faults(unsigned long request, void *argument);
int track_control_map(unsigned long request, void *argument);
/* Of /proc/self/maps: -1 also where the descriptor is another file's by now. */
int track_control_layout(unsigned long request, void *argument);

#endif
