/* status_list.c - counts runs by their exit status */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/status_list.h"

#include <stdlib.h>

#include "cli/common/say.h"

enum { STATUS_LIST_SIGNALS = 128, STATUS_LIST_SHOWN = 4 };

void status_list_add(struct status_list *list, int status)
{
	list->runs[status & (STATUS_LIST_LENGTH - 1)]++;
}

size_t status_list_count(const struct status_list *list)
{
	return list->runs[0] + status_list_count_failed(list);
}

size_t status_list_count_failed(const struct status_list *list)
{
	size_t runs = 0;
	for (int status = 1; status < STATUS_LIST_LENGTH; status++)
		runs += list->runs[status];
	return runs;
}

size_t status_list_count_kinds(const struct status_list *list)
{
	size_t kinds = 0;
	for (int status = 0; status < STATUS_LIST_LENGTH; status++)
		kinds += list->runs[status] > 0;
	return kinds;
}

bool status_list_differs(const struct status_list *with, const struct status_list *without)
{
	const int first = status_list_count_kinds(without) > 1 ? STATUS_LIST_SIGNALS + 1 : 0;
	for (int status = first; status < STATUS_LIST_LENGTH; status++)
		if (with->runs[status] > 0 && without->runs[status] == 0)
			return true;
	return false;
}

/* Appends to text, which is freed. */
static char *status_list_append(char *text, const char *more)
{
	char *longer = say_text("%s%s%s", text, text[0] != '\0' ? ", " : "", more);
	free(text);
	return longer;
}

char *status_list_describe(const struct status_list *list)
{
	const bool only = status_list_count_kinds(list) <= 1;
	char *text = say_text("%s", "");
	int shown = 0;
	for (int status = 0; status < STATUS_LIST_LENGTH; status++) {
		const size_t runs = list->runs[status];
		if (runs == 0 || shown > STATUS_LIST_SHOWN)
			continue;
		char *item =
			shown++ == STATUS_LIST_SHOWN ? say_text("...")
			: only                       ? say_text("%d", status)
			       : say_text("%d (%zu run%s)", status, runs, runs == 1 ? "" : "s");
		text = status_list_append(text, item);
		free(item);
	}
	return text;
}
