/* machine_file.h - reads a machine profile that bench/link wrote */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_COMMON_MACHINE_FILE_H
#define GPUSHIM_BENCH_COMMON_MACHINE_FILE_H

#include "policy/machine/machine.h"

/*
 * Reads the file into machine, which must be zero before. A line that is not understood is reported
 * on stderr and left out. false, with a message on stderr, where the file cannot be read or has no
 * link.
 */
bool machine_file_read(const char *path, struct machine *machine);

#endif
