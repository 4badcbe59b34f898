/* track_guard.h - what in the process may write its memory without being tracked */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_GUARD_H
#define GPUSHIM_SHIM_EXECUTE_GPU_RESIDENT_TRACK_GUARD_H

#include "policy/resident/track_reason.h"

/* Each returns TRACK_REASON_NONE, or the reason to track nothing. One caller at a time. */

/* Pages that are pinned for devices, as far as the kernel counts them: 10 us. */
enum track_reason track_guard_pins(void);
/* A filter of system calls: its answer to an unknown one may be a signal that ends the program. */
enum track_reason track_guard_filter(void);
/* Loaded libraries for RDMA. */
enum track_reason track_guard_libraries(void);
/* Open descriptors of devices and sockets that write memory, and of userfaultfd. */
enum track_reason track_guard_descriptors(void);

/* The reason that a library of this path, or a descriptor of this target, gives. */
enum track_reason track_guard_judge_library(const char *path);
enum track_reason track_guard_judge_target(const char *target);

#endif
