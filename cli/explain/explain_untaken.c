/* explain_untaken.c - explains routines that the shim does not take */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/wrap.h"
#include "cli/explain/explain.h"
#include "cli/routines/routine_lookup.h"
#include "cli/routines/untaken.h"

enum { UNTAKEN_INDENT = 11, UNTAKEN_LIBRARY = 18 };

static void explain_untaken_say(struct emit *emit, const char *sentence)
{
	if (!emit->is_json)
		wrap_print(emit->json.file, UNTAKEN_INDENT, "%*s%s", UNTAKEN_INDENT, "", sentence);
	emit_text(emit, "sentence", NULL, sentence);
}

/* The head of the report, and why the routine stays on the CPU. */
static void explain_untaken_decide(struct emit *emit, const char *routine, const char *reason,
                                   const char *sentence)
{
	emit_open(emit, "call");
	emit_label(emit, "call");
	emit_text(emit, "routine", "%s\n", routine);
	emit_close(emit);
	emit_label(emit, "decision");
	emit_colour(emit, EMIT_YELLOW);
	emit_print(emit, "CPU");
	emit_colour(emit, EMIT_PLAIN);
	emit_text(emit, "target", NULL, "cpu");
	emit_text(emit, "reason", ": %s\n", reason);
	explain_untaken_say(emit, sentence);
}

static void explain_untaken_print_library(struct emit *emit, const char *library, int row)
{
	const char *sentence = untaken_sentence((enum untaken)row);
	emit_open(emit, NULL);
	if (!emit->is_json)
		wrap_print(emit->json.file, UNTAKEN_LIBRARY + 2, "  %-*s%s", UNTAKEN_LIBRARY,
		           library, sentence);
	emit_text(emit, "library", NULL, library);
	emit_text(emit, "reason", NULL, untaken_name((enum untaken)row));
	emit_text(emit, "sentence", NULL, sentence);
	emit_close(emit);
}

/* The same routine of LAPACK as the libraries do it that programs have. */
static void explain_untaken_print_libraries(struct emit *emit, const char *routine)
{
	emit_open_list(emit, "libraries");
	emit_print(emit, "\nwhat becomes of its work\n");
	explain_untaken_print_library(emit, "reference LAPACK",
	                              untaken_find(routine, COUNT_MAKER_UNKNOWN));
	explain_untaken_print_library(emit, "OpenBLAS",
	                              untaken_find(routine, COUNT_MAKER_OPENBLAS));
	explain_untaken_print_library(emit, "MKL", untaken_find(routine, COUNT_MAKER_MKL));
	emit_close_list(emit);
	if (!emit->is_json)
		wrap_print(emit->json.file, 0,
		           "`gpushim coverage -- PROGRAM` tells which of them a program has, and "
		           "whether its BLAS calls can be seen: OpenBLAS in Python's wheels keeps "
		           "them inside");
}

bool explain_untaken_print(const struct explain_request *request)
{
	const char *routine = request->routine;
	const enum reason defect = request->defect;
	const int row = routine != NULL && !routine_lookup_is_solved(routine)
	                        ? untaken_find(routine, COUNT_MAKER_UNKNOWN)
	                        : UNTAKEN_NONE;
	struct emit emit;
	if (row == UNTAKEN_NONE && defect == REASON_NONE)
		return false;
	emit_begin(&emit, stdout, request->json);
	if (defect != REASON_NONE)
		explain_untaken_decide(&emit, routine, reason_name(defect),
		                       reason_sentence(defect));
	else if (!untaken_is_lapack(row))
		explain_untaken_decide(&emit, routine, untaken_name((enum untaken)row),
		                       untaken_sentence((enum untaken)row));
	else
		explain_untaken_decide(&emit, routine, untaken_name((enum untaken)row),
		                       "a routine of LAPACK, which the shim does not take itself");
	if (defect == REASON_NONE && untaken_is_lapack(row))
		explain_untaken_print_libraries(&emit, routine);
	emit_end(&emit);
	return true;
}
