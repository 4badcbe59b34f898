/* kernel_probe.h - whether this kernel can track writes, asked without the module */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_RESIDENT_KERNEL_PROBE_H
#define GPUSHIM_TESTS_RESIDENT_KERNEL_PROBE_H

/* NULL if it can, else a sentence. */
const char *kernel_probe_find_missing(void);

#endif
