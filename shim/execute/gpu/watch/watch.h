/* watch.h - a thread that looks at what was kept on the device on a guess */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_WATCH_WATCH_H
#define GPUSHIM_SHIM_EXECUTE_GPU_WATCH_WATCH_H

#include <stdbool.h>

/*
 * Has resident_watch called until it returns 0, on a thread that ends then. From any thread, also
 * where it is called already. false: no thread can be made.
 */
bool watch_begin(void);

#endif
