/* cli_unseen.h - why a symbol that looks like BLAS, LAPACK or FFTW is not intercepted */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_UNSEEN_H
#define GPUSHIM_CLI_CLI_UNSEEN_H

/* The rows of cli_unseen.def; the number of the row that the symbol belongs to, or -1. */
int cli_unseen_find(const char *symbol);

/* How many rows there are, and a row's sentence; rows of one sentence stand together. Static strings. */
int cli_unseen_count(void);
const char *cli_unseen_sentence(int row);

#endif
