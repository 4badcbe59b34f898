/* machine_file.h - a machine profile from a file, as link writes it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_COMMON_MACHINE_FILE_H
#define GPUSHIM_BENCH_COMMON_MACHINE_FILE_H

#include "policy/machine/machine.h"

/*
 * Reads the file into machine, which begins zeroed. A line that is not understood is said on stderr
 * and passed over. false, with a sentence on stderr, where the file cannot be read or lacks a link.
 */
bool machine_file_read(const char *path, struct machine *machine);

#endif
