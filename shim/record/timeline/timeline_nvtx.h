/* timeline_nvtx.h - ranges of NVIDIA's tools extension, for a profiler in the process */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_NVTX_H
#define GPUSHIM_SHIM_RECORD_TIMELINE_TIMELINE_NVTX_H

#include <stdbool.h>

/*
 * Finds who takes ranges: the library that NVTX_INJECTION64_PATH names, as a profiler sets it, else
 * libnvToolsExt.so.1 if the process has loaded it. Returns false if there is none. Once, before the
 * others.
 */
bool timeline_nvtx_open(void);

/* Whether somebody takes ranges. */
bool timeline_nvtx_works(void);

/* A range of the calling thread; ranges nest. Nothing happens if nobody takes them. */
void timeline_nvtx_push(const char *name);
void timeline_nvtx_pop(void);

#endif
