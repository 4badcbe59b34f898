/* cpu_share.h - how much of a call the CPU computes beside the devices, and what both took */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_SHARE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_BLAS_CPU_SHARE_H

#include <stdint.h>

/*
 * wanted: the part of the work, less than 1; 0: none. threads: of the CPU library for this call.
 * The rest is told by the call: done, the part that the CPU had, 0 where the call was not divided;
 * the time of the CPU's slices, and from the begin of the devices' part to its end.
 */
struct cpu_share {
	double wanted;
	int threads;
	double done;
	int64_t cpu_ns, device_ns;
};

#endif
