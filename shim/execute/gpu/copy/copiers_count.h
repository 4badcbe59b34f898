/* copiers_count.h - how many threads copy */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPIERS_COUNT_H
#define GPUSHIM_SHIM_EXECUTE_GPU_COPY_COPIERS_COUNT_H

/* Both directions of a PCIe 5 link need 110 GB/s of copies; a thread copies 8 to 16 GB/s. */
enum { COPIERS_COUNT_MAX = 16 };

/* Three quarters of the processors, at least 1 and at most COPIERS_COUNT_MAX. */
int copiers_count_choose(int processors);

#endif
