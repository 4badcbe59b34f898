/* explain_request.c - reads the call that the command line describes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain.h"

#include <string.h>

#include "cli/common/arguments.h"
#include "cli/common/say.h"
#include "cli/explain/explain_kept.h"
#include "cli/routines/routine_lookup.h"
#include "policy/call/argument.h"
#include "policy/text/number.h"

/* The sizes as text: "512x512" is two. */
struct request_sizes {
	const char *text[CALL_RANK + 1];
	int count;
};

/*
 * Sets the flags that were given. taken: the letters that the routine takes, as call_problem_flags
 * has them. Returns the name of a flag that it does not take, or NULL.
 */
static const char *explain_request_set_flags(struct blas_call *blas,
                                             const struct explain_arguments *arguments,
                                             const char *taken)
{
	const struct {
		const char *name;
		char letter;
		int value;
	} flags[] = {{"side", 's', arguments->side},     {"uplo", 'u', arguments->uplo},
	             {"trans", 'a', arguments->trans},   {"transa", 'a', arguments->transa},
	             {"transb", 'b', arguments->transb}, {"diag", 'd', arguments->diag}};
	const char *wrong = NULL;
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		if (flags[i].value < 0)
			continue;
		switch (flags[i].letter) {
		case 's': blas->side = (enum side)flags[i].value; break;
		case 'u': blas->uplo = (enum uplo)flags[i].value; break;
		case 'a': blas->transa = (enum transpose)flags[i].value; break;
		case 'b': blas->transb = (enum transpose)flags[i].value; break;
		default: blas->diag = (enum diag)flags[i].value; break;
		}
		const bool is_trans = strcmp(flags[i].name, "trans") == 0;
		if (strchr(taken, flags[i].letter) == NULL &&
		    (!is_trans || strchr(taken, 't') == NULL))
			wrong = flags[i].name;
	}
	return wrong;
}

/*
 * A word that does not begin with a digit stays whole, for the message that refuses it. *vectors:
 * the word "vectors" or "values" among them; NULL where there is neither.
 */
static void explain_request_split_sizes(char *const *words, struct request_sizes *sizes,
                                        const char **vectors)
{
	for (; *words != NULL; words++) {
		char *part = *words;
		if (strcmp(part, "vectors") == 0 || strcmp(part, "values") == 0) {
			*vectors = part;
			continue;
		}
		while (part != NULL) {
			char *next = part + strspn(part, "0123456789");
			const bool cut = next != part && (*next == 'x' || *next == 'X');
			if (cut)
				*next++ = '\0';
			if (sizes->count <= CALL_RANK)
				sizes->text[sizes->count++] = part;
			part = cut ? next : NULL;
		}
	}
}

static bool explain_request_read_size(const char *name, const char *text, int64_t *size)
{
	uint64_t number = 0;
	const bool fine = number_parse_count(text, strlen(text), &number) == NUMBER_FINE &&
	                  number >= 1 && number <= INT64_MAX;
	if (fine)
		*size = (int64_t)number;
	else
		say("%s cannot be '%s'; allowed: a whole number, 1 to %lld", name, text,
		    (long long)INT64_MAX);
	return fine;
}

static bool explain_request_read_sizes(struct explain_request *request,
                                       const struct request_sizes *sizes)
{
	struct call_problem *problem = &request->problem;
	const char *letters = call_problem_sizes(problem->family);
	const int want = (int)strlen(letters);
	char name[] = "the size ?";
	if (want > 0 && sizes->count != want && sizes->count != 1) {
		say("%s takes %d sizes (%s), or one for a square problem%s, and %d are given",
		    request->routine, want, letters,
		    strchr(letters, 'r') != NULL ? " with one right-hand side" : "", sizes->count);
		return false;
	}
	if (sizes->count < 1) {
		say("%s takes the lengths of one to three dimensions, for instance 512x512x512",
		    request->routine);
		return false;
	}
	if (sizes->count > CALL_RANK)
		request->defect = REASON_UNSUPPORTED_RANK;
	problem->sizes = want > 0 ? want : sizes->count;
	for (int i = 0; i < problem->sizes; i++) {
		name[strlen(name) - 1] = want > 0 ? letters[i] : (char)('1' + i);
		int64_t beyond;
		if (sizes->count == 1 && want > 0 && letters[i] == 'r') {
			problem->size[i] = 1;
			continue;
		}
		if (!explain_request_read_size(name, sizes->text[sizes->count == 1 ? 0 : i],
		                               i < CALL_RANK ? &problem->size[i] : &beyond))
			return false;
	}
	return true;
}

/*
 * The operand of this name: A, B, C, or in and out of a transform. OPERAND_COUNT where the call has
 * no such operand.
 */
static int explain_request_find_operand(const struct call_problem *problem, struct words word)
{
	struct matrix matrix;
	int operand = OPERAND_COUNT;
	if (family_is_fft(problem->family))
		return words_equal(word, words_of("in"))    ? OPERAND_A
		       : words_equal(word, words_of("out")) ? OPERAND_C
		                                            : OPERAND_COUNT;
	if (word.length == 1 && argument_read_letter(word.text, "ABC") != ARGUMENT_ILLEGAL)
		operand = argument_read_letter(word.text, "ABC");
	if (family_is_lapack(problem->family))
		return operand;
	/*
	 * The operand that trmm and trsm overwrite is C in struct blas_call and B in their
	 * arguments.
	 */
	if (family_is_in_place(problem->family))
		return operand == OPERAND_B   ? OPERAND_C
		       : operand == OPERAND_A ? OPERAND_A
		                              : OPERAND_COUNT;
	if (operand == OPERAND_COUNT ||
	    !operand_find(problem->family, &problem->flags, (enum operand)operand, &matrix))
		return OPERAND_COUNT;
	return operand;
}

/* The operands that are named, each as a bit. false after a message. */
static bool explain_request_read_operands(const struct explain_request *request, const char *option,
                                          const char *named, unsigned allowed, unsigned *operands)
{
	struct words rest = words_of(named);
	const bool fft = family_is_fft(request->problem.family);
	*operands = 0;
	while (rest.text != NULL) {
		const struct words word = words_trim(words_next(&rest, ','));
		*operands |= 1U << explain_request_find_operand(&request->problem, word);
	}
	if ((*operands & ~allowed) == 0)
		return true;
	const char *letters = fft ? "in, out, or both with a comma between them"
	                          : "the letters of its matrices, with commas between them";
	if (strcmp(option, "unchanged") == 0)
		letters = fft ? "in"
		              : "the letters of matrices that it does not write, with "
		                "commas between them";
	say("--%s cannot be '%s' for %s; allowed: %s", option, named, request->routine, letters);
	return false;
}

static bool explain_request_place(struct explain_request *request,
                                  const struct explain_arguments *arguments)
{
	const char *named = arguments->on_device;
	const bool in_place = family_is_fft(request->problem.family) && request->problem.in_place;
	unsigned operands = 0;
	if (named != NULL && family_is_lapack(request->problem.family)) {
		say("%s has no --on-device: LAPACK's operands are copied through the host",
		    request->routine);
		return false;
	}
	if (named != NULL && !explain_request_read_operands(request, "on-device", named,
	                                                    (1U << OPERAND_COUNT) - 1, &operands))
		return false;
	if (in_place && operands != 0)
		operands = 1U << OPERAND_A | 1U << OPERAND_C;
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		request->setting.place[name] = (operands >> name & 1) != 0 ? COST_DEVICE
		                               : arguments->pinned         ? COST_PINNED
		                                                           : COST_PAGEABLE;
	return true;
}

/* Whether --on-device has put one of the operands there. */
static bool explain_request_has_placed(const struct explain_request *request, unsigned operands)
{
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		if ((operands >> name & 1) != 0 && request->setting.place[name] == COST_DEVICE)
			return true;
	return false;
}

/* The operands that stay on the device, and are not sent if the program has not written them. */
static bool explain_request_hold(struct explain_request *request,
                                 const struct explain_arguments *arguments)
{
	unsigned operands = 0;
	struct built_call built;
	if (arguments->unchanged == NULL || !call_problem_build(&request->problem, &built))
		return true;
	const unsigned allowed = explain_kept_find(&built.call);
	if (allowed == 0) {
		say("%s has no --unchanged: it sends all of its operands each time",
		    request->routine);
		return false;
	}
	if (!explain_kept_is_on(&request->options)) {
		say("%s sends all of its operands each time, since residency = %s; --unchanged "
		    "takes another residency",
		    request->routine,
		    request->options.residency == RESIDENCY_OFF ? "off" : "migrate");
		return false;
	}
	if (!explain_request_read_operands(request, "unchanged", arguments->unchanged, allowed,
	                                   &operands))
		return false;
	if (explain_request_has_placed(request, operands)) {
		say("--unchanged and --on-device name the same operand, '%s': what the program "
		    "keeps in the GPU's memory is never sent; name it in one of them",
		    arguments->unchanged);
		return false;
	}
	explain_kept_set(&request->setting, operands);
	return true;
}

/* Refuses flags and options that the routine does not have. */
static bool explain_request_check(const struct explain_request *request, const char *wrong_flag,
                                  const struct routine_transform *fft)
{
	const enum family family = request->problem.family;
	const char *wrong = wrong_flag;
	if (!family_is_fft(family) && (fft->real || fft->inverse || fft->precision != NULL))
		wrong = fft->precision != NULL ? "precision" : fft->real ? "real" : "inverse";
	if (!family_is_fft(family) && request->problem.in_place)
		wrong = "in-place";
	if (!family_is_fft(family) && request->problem.estimate)
		wrong = "estimate";
	if (!family_is_fft(family) && !family_is_batch(family) && request->problem.count > 1)
		wrong = "batch";
	if (wrong != NULL)
		say("%s has no --%s", request->routine, wrong);
	return wrong == NULL;
}

/* word: "vectors", "values", or NULL for what most programs ask for, vectors. */
static bool explain_request_set_vectors(struct explain_request *request, const char *word)
{
	struct call_problem *problem = &request->problem;
	const bool has_jobs = family_is_lapack(problem->family) &&
	                      strchr(family_letters(problem->family), 'j') != NULL;
	if (word != NULL && !has_jobs) {
		say("%s has no choice of vectors or values", request->routine);
		return false;
	}
	if (has_jobs)
		call_problem_set_vectors(problem, word == NULL || strcmp(word, "vectors") == 0);
	return true;
}

static bool explain_request_describe_call(struct explain_request *request,
                                          const struct explain_arguments *arguments)
{
	const struct routine_transform fft = {arguments->precision, arguments->real,
	                                      arguments->inverse};
	struct call_problem *problem = &request->problem;
	struct request_sizes sizes = {.count = 0};
	const char *vectors = NULL;
	problem->count = arguments->batch > 0 ? (int64_t)arguments->batch : 1;
	problem->in_place = arguments->in_place;
	problem->estimate = arguments->estimate;
	explain_request_split_sizes(arguments->words.operands + 1, &sizes, &vectors);
	if (!routine_lookup_find(request->routine, &fft, problem, &request->defect))
		return false;
	if (request->defect != REASON_NONE)
		return true;
	const char *wrong = explain_request_set_flags(&problem->flags, arguments,
	                                              call_problem_flags(problem->family));
	return explain_request_check(request, wrong, &fft) &&
	       explain_request_set_vectors(request, vectors) &&
	       explain_request_read_sizes(request, &sizes) &&
	       explain_request_place(request, arguments) &&
	       explain_request_hold(request, arguments);
}

bool explain_request_read(struct explain_request *request, struct explain_arguments *arguments)
{
	request->routine = arguments->words.operands[0];
	request->json = arguments->json;
	request->calls = arguments->calls;
	request->setting.cpu_threads = (int)arguments->threads;
	request->setting.gpu_sharers = (int)arguments->sharers;
	arguments_load_options(&arguments->words, &request->options);
	request->setting.memory_bytes = (double)options_find_memory(&request->options);
	if (arguments->break_even && request->routine != NULL)
		say("--break-even is for all routines, and '%s' is one word too many",
		    request->routine);
	else if (!arguments->break_even && request->routine == NULL)
		say("explain which routine? for instance: gpushim explain dgemm 4096 4096 4096, "
		    "or gpushim explain --break-even");
	else
		return arguments->break_even || explain_request_describe_call(request, arguments);
	return false;
}
