/* processor.h - the processor's vector instructions, and rights of a thread to memory */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_PROCESSOR_H
#define GPUSHIM_SHIM_BASE_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the processor has AVX2 and FMA and the kernel saves their registers; false on others than
 * x86-64. The first call asks, later ones remember; from any thread. The compiler's
 * __builtin_cpu_supports has a constructor that asks in every process, also where nothing is
 * copied: 60 us in a virtual machine, which exits to its host for each cpuid.
 */
bool processor_has_avx2_fma(void);

/*
 * What the calling thread may access by memory protection keys (pkey_alloc); 0 where there are
 * none. A new thread has the rights of its creator, and neither sees what the other changes later.
 */
uint32_t processor_read_rights(void);

#endif
