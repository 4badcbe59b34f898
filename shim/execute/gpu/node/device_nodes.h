/* device_nodes.h - whether the kernel shows a GPU, told without opening CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_NODE_DEVICE_NODES_H
#define GPUSHIM_SHIM_EXECUTE_GPU_NODE_DEVICE_NODES_H

#include <stdbool.h>

/*
 * Whether there is a file of one of NVIDIA's drivers (server and desktop, Tegra, Windows's
 * subsystem) under root, which is "" but in tests. A hint: where there is none, starting CUDA fails
 * soon, and costs next to nothing.
 */
bool device_nodes_exist(const char *root);

/*
 * Whether CUDA need not even be looked for: there is no such file, no driver library, no runtime in
 * the process, and no variable that says where one could be. Looking through the libraries of a
 * toolkit takes milliseconds.
 */
bool device_nodes_rule_out(void);

#endif
