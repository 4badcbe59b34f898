/* processor.h - which vectors this processor has */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_PROCESSOR_H
#define GPUSHIM_SHIM_BASE_PROCESSOR_H

#include <stdbool.h>

/*
 * Whether AVX2 and FMA are there and the kernel keeps their registers; false on other processors
 * than x86-64. The first call asks, all others know. From any thread. The compiler's own question
 * comes with a constructor that asks in every process, of those too that never copy: in a virtual
 * machine, which leaves its guest for each answer, 60 us.
 */
bool processor_has_avx2_fma(void);

#endif
