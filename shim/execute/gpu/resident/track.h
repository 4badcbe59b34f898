/* track.h - the kernel's tracking of writes: pages are armed, a scan tells which are clean */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_H

#include <stddef.h>

#include "policy/resident/track_reason.h"
#include "shim/execute/gpu/pages/pages.h"

/*
 * Whether the kernel is asked nothing by a thread under a filter of system calls, which may end the
 * program for that. Such requests fail.
 */
void track_heed_filter(bool heeds);
/*
 * Opens the descriptors: TRACK_REASON_NONE, or why it cannot, with all closed. One caller at a time
 * for each function here.
 */
enum track_reason track_open(void);
void track_close(void);

/* Whether the descriptor is one of those of track_open. */
bool track_owns(int descriptor);
/* A new descriptor of the folder of all of them, which the caller closes; -1. */
int track_open_descriptors(void);
/*
 * The text of /proc/self/status, NUL-terminated, by the descriptor that is kept open for it. False
 * where that is not ours any more, or there is no text.
 */
bool track_read_status(char *text, size_t bytes);
/* Whether those for tracking are still ours. Nothing below may be called otherwise. */
bool track_is_ours(void);

/* Each returns 0 or the error. Spans are whole pages; a registered one is a whole mapping. */
int track_register(struct pages_span span);
int track_unregister(struct pages_span span);
/* Armed: the next write to a page of the span is noted. Stops at memory that is not registered. */
int track_arm(struct pages_span span);
/* By one of the requests that arm; the other one takes over where a scan fails. */
enum track_arm_way { TRACK_ARM_BY_SCAN, TRACK_ARM_AT_ONCE };
int track_arm_as(struct pages_span span, enum track_arm_way way);
/* Pages of the span are not noted any more, and count as written. */
int track_disarm(struct pages_span span);
/* The last edge of large pages that is not above the address. */
uintptr_t track_find_edge(uintptr_t address);

/*
 * Adds to the set the pages of span that are proven unchanged since they were armed: armed still,
 * and with contents. What the kernel does not name is not clean.
 */
void track_scan(struct pages_span span, struct pages_set *clean);
/*
 * Whether the kernel reports all pages of a span as written, which lost their contents or never had
 * any. Where it does for each way to lose them, a scan may trust it: that takes half of the time.
 */
bool track_scan_names_all(struct pages_span span);
void track_scan_trust(bool names_losses);
/*
 * Whether no other userfaultfd than the shim's holds a mapping of the span: it may protect pages
 * that were written. True also where the kernel cannot be asked for mappings (before Linux 6.11).
 */
bool track_scan_is_own(struct pages_span span);
/*
 * Whether the memory that was registered is there still, by its first page and its last one. For
 * accounts: what is clean, a scan tells.
 */
bool track_scan_is_there(struct pages_span span);
/* How many pages of the span are mapped in large ones. */
uint64_t track_count_large(struct pages_span span);

#endif
