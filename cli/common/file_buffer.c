/* file_buffer.c - collects output in memory, and stores it as a file at once */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/file_buffer.h"

#include <errno.h>
#include <stdlib.h>

#include "cli/common/say.h"
#include "page/whole_file.h"

void file_buffer_begin(struct file_buffer *store)
{
	store->file = say_need(open_memstream(&store->text, &store->size_bytes));
}

int file_buffer_end(struct file_buffer *store, const char *path, bool replaces)
{
	const bool printed = ferror(store->file) == 0;
	const bool whole = fclose(store->file) == 0 && printed;
	const int error = whole ? whole_file_store(path, store->text, replaces) : ENOMEM;
	free(store->text);
	return error;
}
