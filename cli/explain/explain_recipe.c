/* explain_recipe.c - tells how a LAPACK call would be computed on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_recipe.h"

#include <stdio.h>
#include <string.h>

#include "policy/decide/rehearse.h"
#include "policy/text/words.h"
#include "shim/execute/gpu/lapack/lapack_recipe.h"
#include "shim/execute/gpu/lapack/lapack_steps.h"

enum { RECIPE_NAME_BYTES = 64 };

/* The functions of the CUDA libraries by the names of their fields. */
static const struct {
	const char *field, *name;
} recipe_functions[] = {
#define SOLVER(field, name, parameters) {#field, #name},
#include "shim/execute/gpu/cuda/cuda_solver.def"
#define CUDA(library, field, name, need, result, parameters) {#field, #name},
#include "shim/execute/gpu/cuda/cuda_api.def"
};

/*
 * Steps that do not have the name of a function of cuSOLVER. typed: the letter of the element
 * stands in front of the field.
 */
static const struct {
	const char *step, *field;
	bool typed;
} recipe_steps[] = {
	{"copy", "memcpy_async", false},
	{"make_unit", "memset_2d_async", false},
	{"clear_rest", "memset_2d_async", false},
	{"turn", "geam", true},
	{"trsm", "trsm", true},
	{"gemm", "gemm", true},
	{"syrk", "syrk", true},
	{"herk", "herk", true},
};

enum reason explain_recipe_judge(const struct call *call)
{
	return family_is_lapack(call->family) ? lapack_recipe_judge(call) : REASON_NONE;
}

/* The name, of a function of CUDA without its version; false: there is no such field. */
static bool explain_recipe_look(const char *field, char name[RECIPE_NAME_BYTES])
{
	for (size_t i = 0; i < sizeof recipe_functions / sizeof recipe_functions[0]; i++) {
		if (strcmp(recipe_functions[i].field, field) != 0)
			continue;
		snprintf(name, RECIPE_NAME_BYTES, "%s", recipe_functions[i].name);
		char *version = strstr(name, "_v2");
		if (version != NULL)
			*version = '\0';
		return true;
	}
	return false;
}

/* The function of a step: that of cuSOLVER for all elements, or for this one, or another. */
static bool explain_recipe_find(struct words step, char letter, char name[RECIPE_NAME_BYTES])
{
	char field[RECIPE_NAME_BYTES];
	for (size_t i = 0; i < sizeof recipe_steps / sizeof recipe_steps[0]; i++) {
		if (!words_equal(step, words_of(recipe_steps[i].step)))
			continue;
		snprintf(field, sizeof field, "%.*s%s", recipe_steps[i].typed, &letter,
		         recipe_steps[i].field);
		return explain_recipe_look(field, name);
	}
	snprintf(field, sizeof field, "%.*s", (int)step.length, step.text);
	if (explain_recipe_look(field, name))
		return true;
	snprintf(field, sizeof field, "%.*s_%c", (int)step.length, step.text, letter);
	return explain_recipe_look(field, name);
}

/* The steps of panels whose copies overlap the work. */
static const char *explain_recipe_list_panels(const struct call *call)
{
	if (call->family == FAMILY_GETRF || call->family == FAMILY_GESV)
		return "getrf laswp trsm gemm";
	return element_is_complex(call->element) ? "potrf trsm herk gemm" : "potrf trsm syrk gemm";
}

static void explain_recipe_print_functions(struct emit *emit, const struct call *call,
                                           const char *steps)
{
	const char letter = family_prefix(call->family, call->element)[0];
	struct words rest = words_of(steps);
	char name[RECIPE_NAME_BYTES];
	bool first = true;
	emit_open_list(emit, "functions");
	while (rest.text != NULL) {
		if (!explain_recipe_find(words_next(&rest, ' '), letter, name))
			continue;
		emit_text(emit, NULL, first ? ": %s" : ", %s", name);
		first = false;
	}
	emit_close_list(emit);
	emit_print(emit, "\n");
}

static void explain_recipe_print_memory(struct emit *emit, const struct lapack_steps *steps,
                                        bool overlaps, bool streams)
{
	const uint64_t own_bytes = overlaps ? 0 : steps->own_bytes;
	emit_label(emit, "memory");
	emit_size(emit, "operand_bytes", streams ? "%s of operands, in parts" : "%s of operands",
	          steps->operand_bytes);
	emit_size(emit, "own_bytes", own_bytes > 0 ? " and %s more" : NULL, own_bytes);
	emit_print(emit, " on the GPU, beside cuSOLVER's workspace");
	emit_size(emit, "host_bytes",
	          steps->shadow_bytes > 0 ? "; %s on the host, to undo a failure" : NULL,
	          steps->shadow_bytes);
	emit_print(emit, "\n");
}

void explain_recipe_print(struct emit *emit, const struct explain_facts *facts)
{
	const struct call *call = facts->call;
	struct lapack_steps steps;
	if (!family_is_lapack(call->family))
		return;
	const bool streams = rehearse_streams(call, facts->view.setting->memory_bytes),
		   overlaps = streams || rehearse_overlaps(&facts->view.machine->complete, call);
	lapack_steps_list(call, &steps);
	emit_open(emit, "recipe");
	emit_label(emit, "recipe");
	emit_text(emit, "steps", "%s", streams ? "streamed" : overlaps ? "panels" : steps.text);
	explain_recipe_print_functions(emit, call,
	                               overlaps ? explain_recipe_list_panels(call) : steps.text);
	emit_flag(emit, "overlaps", overlaps);
	emit_label(emit, "");
	emit_print(emit, overlaps ? "copies in both directions overlap the work\n"
	                          : "copied in, solved and copied out, one after the other\n");
	explain_recipe_print_memory(emit, &steps, overlaps, streams);
	emit_close(emit);
}
