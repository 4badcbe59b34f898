/* compare_export.c - --export, --export-json and --export-csv: the files and their formats */
/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/common/file_buffer.h"
#include "cli/common/say.h"
#include "cli/compare/compare_parts.h"
#include "page/whole_file.h"

enum { EXPORT_FILES = 3 };

/* path: NULL where the option was not given. */
struct compare_export {
	const char *path;
	bool csv;
};

static void compare_export_list(const struct compare *compare,
                                struct compare_export list[EXPORT_FILES])
{
	const struct compare_arguments *arguments = compare->arguments;
	const char *ending = arguments->export != NULL ? strrchr(arguments->export, '.') : NULL;
	list[0] = (struct compare_export){arguments->export,
	                                  ending != NULL && strcasecmp(ending, ".csv") == 0};
	list[1] = (struct compare_export){arguments->export_json, false};
	list[2] = (struct compare_export){arguments->export_csv, true};
}

bool compare_export_check(const struct compare *compare)
{
	struct compare_export list[EXPORT_FILES];
	compare_export_list(compare, list);
	for (int i = 0; i < EXPORT_FILES; i++) {
		const int error = list[i].path != NULL ? whole_file_check(list[i].path) : 0;
		if (error == 0)
			continue;
		say("cannot write '%s': %s", list[i].path, say_error(error));
		return false;
	}
	return true;
}

static bool compare_export_write_file(const struct compare *compare,
                                      const struct compare_export *file)
{
	struct file_buffer store;
	file_buffer_begin(&store);
	if (file->csv)
		compare_csv_print(&compare->trial, store.file);
	else
		compare_json_print(compare, store.file);
	const int error = file_buffer_end(&store, file->path, true);
	if (error != 0)
		say("cannot write '%s': %s; the report above is all there is", file->path,
		    say_error(error));
	return error == 0;
}

bool compare_export_write(const struct compare *compare)
{
	struct compare_export list[EXPORT_FILES];
	bool written = true;
	compare_export_list(compare, list);
	for (int i = 0; i < EXPORT_FILES; i++)
		if (list[i].path != NULL)
			written = compare_export_write_file(compare, &list[i]) && written;
	return written;
}
