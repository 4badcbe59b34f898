/* kernel_text.h - small files in which the kernel tells of itself, and the control groups that the process is in */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_KERNEL_TEXT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_KERNEL_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { KERNEL_TEXT_BYTES = 4096 };

/*
 * The beginning of the file root + folder + name, with a 0 behind it; false where there is none.
 * root: "", or a folder of a test's that stands for it.
 */
bool kernel_text_read(const char *root, const char *folder, const char *name,
                      char text[KERNEL_TEXT_BYTES]);

/*
 * The least of what measure finds in the folders (below root) of the process's control group and
 * all those around it, version 2. In a container the path may lead nowhere: the root of all groups
 * is measured in any case.
 */
typedef uint64_t kernel_text_measure(const char *root, const char *folder);
uint64_t kernel_text_find_least(const char *root, kernel_text_measure *measure);

#endif
