/* device_nodes.h - whether the kernel shows a GPU, without opening CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_DEVICE_NODES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_DEVICE_NODES_H

#include <stdbool.h>

/*
 * Whether a device file of an NVIDIA driver (server and desktop, Tegra, Windows Subsystem for
 * Linux) exists under root, which is "" but in tests. A hint: without such a file, starting CUDA
 * fails soon and costs next to nothing.
 */
bool device_nodes_exist(const char *root);

/* Why the kernel shows no GPU: "no driver", "no GPU" beside a driver; NULL where it shows one. */
const char *device_nodes_find_absence(const char *root);

/* Whether there is no device file, and no driver library on the loader's path. */
bool device_nodes_lack_driver(void);

/*
 * Whether looking for CUDA is pointless: no device file, no driver library, no runtime in the
 * process, and no environment variable that names a folder. Searching the libraries of a toolkit
 * takes milliseconds.
 */
bool device_nodes_rule_out(void);

#endif
