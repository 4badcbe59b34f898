/* cli_store.c - prints into memory, from where a file is stored at once */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_store.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/cli_say.h"
#include "page/whole_file.h"

void cli_store_begin(struct cli_store *store)
{
	store->file = cli_say_need(open_memstream(&store->text, &store->size_bytes));
}

int cli_store_end(struct cli_store *store, const char *path, bool replaces)
{
	const bool printed = ferror(store->file) == 0;
	const bool whole = fclose(store->file) == 0 && printed;
	const int error = whole ? whole_file_store(path, store->text, replaces) : ENOMEM;
	free(store->text);
	return error;
}
