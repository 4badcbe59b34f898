/* sim_reflect.h - Householder reflectors for the arithmetic of cuSOLVER */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_REFLECT_H
#define SIMCUDA_SIM_REFLECT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The first `known` columns of an m-row matrix are orthonormal. Writes the following ones up to
 * `wanted`, so that all are. False: no scratch memory.
 */
bool sim_reflect_complete(char element, void *matrix, int64_t ld, int64_t rows, int64_t known,
                          int64_t wanted);

#endif
