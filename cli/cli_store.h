/* cli_store.h - a file of the tool's, written in memory first and stored whole or not at all */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_STORE_H
#define GPUSHIM_CLI_CLI_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* file: what is to be stored is printed into it. */
struct cli_store {
	FILE *file;
	char *text;
	size_t size_bytes;
};

void cli_store_begin(struct cli_store *store);

/* Stores what was printed as whole_file_store does, and releases it in any case. 0, or the errno of what failed. */
int cli_store_end(struct cli_store *store, const char *path, bool replaces);

#endif
