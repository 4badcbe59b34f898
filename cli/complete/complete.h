/* complete.h - `gpushim --complete`: what a shell offers behind the words of a command line */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPLETE_COMPLETE_H
#define GPUSHIM_CLI_COMPLETE_COMPLETE_H

/*
 * words: those behind the tool's name up to the one that is being typed, which may be empty; NULL
 * ends them. Prints a line for each candidate: the whole word, a tab, a description or nothing.
 * Lines that begin with a colon ask the shell for more:
 *   :files PREFIX     names of files, behind PREFIX
 *   :folders PREFIX   names of folders, behind PREFIX
 *   :program N        the command line that begins with word N (0 is the first of words)
 *   :open             the candidates may go on: no blank follows them
 * Returns TOOL_FINE.
 */
int complete_serve(char **words);

#endif
