/* front_words.h - the program that a launcher such as mpirun, or env, starts, by their words */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_FRONT_WORDS_H
#define GPUSHIM_CLI_PROCESS_FRONT_WORDS_H

#include "cli/process/program_file.h"

/* MPI: mpirun and its kin; SLURM: srun; PREFIX: commands such as env that become the program. */
enum front_kind { FRONT_NONE, FRONT_MPI, FRONT_SLURM, FRONT_PREFIX };

/*
 * All pointers lead into the words that were looked at. launcher: the place of the first launcher's
 * name, and its kind; NULL, FRONT_NONE: none is in front. program: the place of the program's name;
 * NULL where there is none. list: a file in which the programs stand instead, or NULL. several:
 * further programs stand behind a colon.
 */
struct front_words {
	enum front_kind kind;
	char *const *launcher, *const *program;
	const char *list;
	bool several;
};

/* Looks behind launchers, env and other commands of front.def. words is ended by NULL. */
struct front_words front_words_find(char *const *words);

/*
 * The next option of that name, without dashes, in front of the program: the place of its word, or
 * NULL. from: where to begin, the launcher's name or the option found last.
 */
char *const *front_words_next_option(const struct front_words *front, char *const *from,
                                     const char *name);

/*
 * The value of the option at this place: the part behind =, else the next word; "" where there is
 * none.
 */
const char *front_words_find_value(char *const *option);

/*
 * Inspects the file that words run: that of the launcher or command in front if that one cannot be
 * run or reached, or the program behind it cannot be found; else the program's.
 */
void front_words_inspect(struct program_file *program, char *const *words);

#endif
