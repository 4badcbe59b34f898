/* peers_figures.h - the figures of all cases as lines of a file, for the table of run.sh */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_FIGURES_H
#define GPUSHIM_BENCH_PEERS_PEERS_FIGURES_H

#include "bench/peers/peers_clock.h"
#include "bench/peers/peers_score.h"

/*
 * Appends a line for each contestant that takes part in the case, with these fields and commas
 * between them: case, contestant, median, least and most seconds, turns, GB/s, Gflop/s, bound in
 * seconds, seconds of the first run, result, least and most MHz of the card, most watts. result is
 * alike (as the CPU's), as plain CUDA, WRONG, not compared, or why it did not run, with semicolons
 * for commas. Seconds are 0
 * where it did not run. path NULL: does nothing. The program ends where the file cannot be written.
 */
void peers_figures_append(const char *path, const struct peers_case *run,
                          const struct machine *machine,
                          const struct peers_contestant list[PEERS_COUNT],
                          const struct peers_score scores[PEERS_COUNT],
                          const struct peers_clock_figures *clock);

/* The tile size of the tuned NVBLAS in that file; 0: not yet known. */
int peers_figures_read_tile(const char *path);
void peers_figures_append_tile(const char *path, int tile_size);

#endif
