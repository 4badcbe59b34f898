/* show.c - `gpushim show`: the tables that the shim is built from */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/common/command.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "policy/call/reason.h"
#include "policy/options/options.h"
#include "shim/table/symbol.h"

static void show_print_options(void)
{
	static const char *const kind[] = {[OPTION_SWITCH] = "true|false", [OPTION_TEXT] = "text"};
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_table[i];
		const char *range = row->range[0] != '\0' ? row->range : kind[row->kind];
		printf("%s = %s   (%s)\n    %s\n", row->key,
		       row->initial[0] != '\0' ? row->initial : "\"\"", range, row->help);
	}
	printf("\nA config file has these keys; in the environment they are EPOCHLY_GPU_<KEY>, for "
	       "`gpushim run` --<key>.\n");
}

static void show_print_reasons(void)
{
	static const char *const outcome[] = {"cpu", "gpu", "back"};
	printf("%-21s %-5s %s\n", "reason", "where", "sentence");
	for (int i = REASON_NONE + 1; i < REASON_COUNT; i++)
		printf("%-21s %-5s %s\n", reason_name((enum reason)i),
		       outcome[reason_outcome((enum reason)i)], reason_sentence((enum reason)i));
	printf("\nback: the GPU was tried, and the CPU finished the call.\n");
}

static const char *show_describe_target(int symbol)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const enum reason defect = symbol_find_defect(symbol);
	if (defect != REASON_NONE)
		return reason_name(defect);
	if (row->role == ROLE_PLAN)
		return "cpu (plans; executions may go to the GPU)";
	if (row->role != ROLE_COMPUTE)
		return "cpu";
	return row->abi == ABI_BARE ? "gpu, where its library is known to pass by reference"
	                            : "gpu";
}

static const char *show_describe_width(const struct symbol_row *row)
{
	if (row->library == LIBRARY_FFTW)
		return "int";
	return row->width == WIDTH_ILP64 ? "64" : "probed";
}

static void show_print_routines(void)
{
	static const char *const convention[] = {"fortran", "cblas", "bare", "fftw"};
	char routine[64];
	printf("%-34s %-10s %-10s %-8s %s\n", "symbol", "routine", "convention", "integers",
	       "runs on");
	for (int i = 0; i < SYMBOL_COUNT; i++) {
		const struct symbol_row *row = &symbol_table[i];
		symbol_name_routine(row->family, row->element, routine, sizeof routine);
		printf("%-34s %-10s %-10s %-8s %s\n", row->name,
		       row->role == ROLE_COMPUTE ? routine : "-", convention[row->abi],
		       show_describe_width(row), show_describe_target(i));
	}
	printf("\nAlways on the CPU: routines with a reason in the last column (gpushim show "
	       "reasons); calls with illegal\narguments, with nothing to multiply (a size or "
	       "alpha is zero), or with a result that overlaps an input;\nexecutions of plans "
	       "that were not made by the planners above, that have more than three "
	       "dimensions or more\nthan eight loops, or that transform nothing (every length "
	       "is one, or a loop is empty).\n");
}

int show_serve(struct show_arguments *arguments)
{
	const char *name = arguments->words.operands[0];
	static const struct {
		const char *name;
		void (*print)(void);
	} tables[] = {{"options", show_print_options},
	              {"reasons", show_print_reasons},
	              {"routines", show_print_routines}};
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		if (strcmp(name, tables[i].name) == 0) {
			tables[i].print();
			return TOOL_FINE;
		}
	}
	return say_refusal("cannot show '%s'; allowed: options, reasons, routines", name);
}
