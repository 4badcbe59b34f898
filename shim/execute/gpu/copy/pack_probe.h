/* pack_probe.h - whether memory of the program can be copied without a signal */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_PROBE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_PACK_PROBE_H

#include "shim/base/processor.h"
#include "shim/execute/gpu/copy/pack.h"

/*
 * Whether the program handles SIGSEGV or SIGBUS, as lazy paging, write barriers of garbage
 * collectors, and readers of files that others may cut off do. Its handler expects the thread that
 * made the call.
 */
bool pack_probe_is_needed(void);

/* Whether this kernel can be asked (Linux 5.14). */
bool pack_probe_is_able(void);

/*
 * Whether the area, by the rule, which may be NULL, can be read (writes: written) now. No signal
 * is raised. false also where the kernel does not say.
 */
bool pack_probe(const struct pack_area *area, const struct pack_rule *rule, bool writes);

/*
 * Whether the 64 bytes behind the area can be read; true also where the kernel does not say.
 * Kernels of CPU libraries read beyond the end of C: BLIS 0.9.0's sgemm of small products does, by
 * up to 8 bytes. A part of a call meets a kernel that the whole call would not.
 */
bool pack_probe_behind(const struct pack_area *area);

#endif
