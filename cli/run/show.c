/* show.c - `gpushim show`: the tables that the shim is built from */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/common/command.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "cli/common/wrap.h"
#include "policy/call/reason.h"
#include "policy/options/options.h"
#include "shim/table/symbol.h"

enum {
	SHOW_INDENT = 4,
	SHOW_REASON = 21,
	SHOW_WHERE = 5,
	SHOW_SYMBOL = 32,
	SHOW_ROUTINE = 11,
	SHOW_INTERFACE = 10
};

static void show_print_options(void)
{
	static const char *const kind[] = {[OPTION_SWITCH] = "true|false", [OPTION_TEXT] = "text"};
	for (int i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_table[i];
		const char *range = row->range[0] != '\0' ? row->range : kind[row->kind];
		const char *unit = unit_describe(row->unit);
		wrap_print(stdout, SHOW_INDENT, "%s = %s   (%s%.*s)\n%s", row->key,
		           row->initial[0] != '\0' ? row->initial : "\"\"", range,
		           (int)strcspn(unit, ","), unit, option_help[i]);
	}
	putchar('\n');
	wrap_print(stdout, 0,
	           "A config file has these keys; in the environment they are "
	           "EPOCHLY_GPU_<KEY>, for `gpushim run` --<key>. A number may have a unit, as the "
	           "tool prints it: 10MB, 8 GB, 2Gflop, 5min, 1%%.");
}

static void show_print_reasons(void)
{
	static const char *const outcome[] = {"cpu", "gpu", "back"};
	printf("%-*s %-*s %s\n", SHOW_REASON, "reason", SHOW_WHERE, "where", "sentence");
	for (int i = REASON_NONE + 1; i < REASON_COUNT; i++)
		wrap_print(stdout, SHOW_REASON + SHOW_WHERE + 2, "%-*s %-*s %s", SHOW_REASON,
		           reason_name((enum reason)i), SHOW_WHERE,
		           outcome[reason_outcome((enum reason)i)],
		           reason_sentence((enum reason)i));
	putchar('\n');
	wrap_print(stdout, 0, "back: the GPU was tried, and the CPU finished the call.");
}

static const char *show_describe_target(int symbol)
{
	const struct symbol_row *row = &symbol_table[symbol];
	const enum reason defect = symbol_find_defect(symbol);
	if (defect != REASON_NONE)
		return reason_name(defect);
	if (row->role == ROLE_PLAN)
		return "cpu (plan)";
	if (row->role != ROLE_COMPUTE)
		return "cpu";
	return row->abi == ABI_BARE ? "gpu if known" : "gpu";
}

static const char *show_describe_interface(const struct symbol_row *row)
{
	static const char *const convention[] = {"fortran", "cblas", "bare", "fftw"};
	static const char *const wide[] = {"fortran 64", "cblas 64", "bare 64", "fftw"};
	return row->width == WIDTH_ILP64 ? wide[row->abi] : convention[row->abi];
}

/* A name that is wider than its column moves the others to the right. */
static void show_print_routine(const char *symbol, const char *routine, const char *interface,
                               const char *target)
{
	printf("%-*s  %-*s  %-*s  %s\n", SHOW_SYMBOL, symbol, SHOW_ROUTINE, routine, SHOW_INTERFACE,
	       interface, target);
}

static void show_print_routines(void)
{
	char routine[64];
	show_print_routine("symbol", "routine", "interface", "runs on");
	for (int i = 0; i < SYMBOL_COUNT; i++) {
		const struct symbol_row *row = &symbol_table[i];
		symbol_name_routine(row->family, row->element, routine, sizeof routine);
		show_print_routine(row->name, row->role == ROLE_COMPUTE ? routine : "-",
		                   show_describe_interface(row), show_describe_target(i));
	}
	putchar('\n');
	wrap_print(stdout, 0,
	           "64: with integers of 64 bits. Without 64 their width is found out at the "
	           "library, but for fftw, where they are int.\n"
	           "if known: where the name's library is known to take arguments by reference.\n"
	           "plan: its executions may go to the GPU.");
	putchar('\n');
	wrap_print(stdout, 0,
	           "Always on the CPU: routines with a reason in the last column (gpushim show "
	           "reasons); calls with illegal arguments, with nothing to compute (a size or "
	           "alpha is zero), or with a result that overlaps an input; executions of plans "
	           "that were not made by the planners above, that have more than three "
	           "dimensions or more than eight loops, or that transform nothing (every length "
	           "is one, or a loop is empty).");
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
