/* kernel_text.h - small files of /proc and /sys, and the control groups of this process */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_KERNEL_TEXT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_KERNEL_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { KERNEL_TEXT_BYTES = 4096 };

/*
 * Reads the beginning of the file root + folder + name, NUL-terminated; false where it cannot.
 * root: "", or a test's folder in its place.
 */
bool kernel_text_read(const char *root, const char *folder, const char *name,
                      char text[KERNEL_TEXT_BYTES]);

/*
 * The smallest value of measure over the folders (below root) of the process's version-2 control
 * group and all groups above it. The root of all groups is always measured: in a container the path
 * may not exist.
 */
typedef uint64_t kernel_text_measure(const char *root, const char *folder);
uint64_t kernel_text_find_least(const char *root, kernel_text_measure *measure);

#endif
