/* launcher.h - what a launcher of parallel programs hands to its ranks; how many it starts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_LAUNCHER_H
#define GPUSHIM_CLI_PROCESS_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/common/environment.h"
#include "cli/process/front_words.h"

/* The file name of the launcher; there must be one. */
const char *launcher_name(const struct front_words *front);

/* Whether a command only queues a job, which runs later without the tool: sbatch, qsub, bsub. */
bool launcher_queues(const char *word);

/*
 * The words with which a launcher gives its ranks the shim, its settings and its libraries, as they
 * are in the environment: Open MPI hands over the variables that are named to it only. Either the
 * environment names them, beside those of the user, or options that are added to the words do,
 * because Open MPI refuses both at once. Other MPIs ignore the variable. To be freed by
 * launcher_free_words.
 */
char **launcher_forward(const struct front_words *front, char *const *words,
                        struct environment *environment);
void launcher_free_words(char **words);

/*
 * The option or variable of the user's that keeps LD_PRELOAD from the ranks, to be freed; NULL
 * where there is none. slurm_export: the value of SLURM_EXPORT_ENV, or NULL.
 */
char *launcher_find_obstacle(const struct front_words *front, const char *slurm_export);

/* The ranks that the command line asks for; 0 where it does not tell. */
uint64_t launcher_count_ranks(const struct front_words *front);

#endif
