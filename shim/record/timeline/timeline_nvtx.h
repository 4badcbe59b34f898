/* timeline_nvtx.h - ranges of NVIDIA's tools extension, for a profiler that is in the process */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_NVTX_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_NVTX_H

#include <stdbool.h>

/*
 * Finds who takes ranges: the library that NVTX_INJECTION64_PATH names, as a profiler does for the
 * programs it starts, else libnvToolsExt.so.1 where the process has loaded it. false: nobody. Once,
 * before the others.
 */
bool timeline_nvtx_open(void);

/* Whether anybody takes ranges. */
bool timeline_nvtx_works(void);

/* A range of the calling thread; they nest. Without a taker nothing happens. */
void timeline_nvtx_push(const char *name);
void timeline_nvtx_pop(void);

#endif
