/* top_alive.h - whether the process that made a file of counters still lives */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_TOP_TOP_ALIVE_H
#define GPUSHIM_CLI_TOP_TOP_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Where the process lives: true and when it started, in the kernel's ticks. A zombie does not live.
 */
bool top_alive_find(int64_t pid, uint64_t *ticks);

/*
 * Whether it can have made that file (CLOCK_REALTIME in its name): another process may have got the
 * number of a dead one. To be asked once; from then on the ticks must stay the same, which no
 * change of the clock touches.
 */
bool top_alive_made(int64_t pid, uint64_t ticks, int64_t file_start_ns);

#endif
