/* explain_request.c - reads the words: a routine, its sizes, and options anywhere between them */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain/explain_request.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/arguments.h"
#include "cli/common/routine_lookup.h"
#include "cli/common/say.h"
#include "policy/call/argument.h"
#include "policy/text/number.h"
#include "shim/settings/settings.h"

static const char request_own[] =
	"--profile, --threads, --sharers, --on-device, --pinned, --batch, --json, --break-even, "
	"the flags of the routine";

/* What is read before it is known what it belongs to. */
struct request_words {
	struct arguments arguments;
	struct environment environment;
	struct routine_transform fft;
	const char *size[CALL_RANK + 1], *on_device;
	int sizes;
	bool pinned, break_even;
	char flags[8]; /* letters of those that were given, as call_problem_flags has them */
};

static bool explain_request_count(const char *option, const char *value, int64_t most,
                                  int64_t *count)
{
	uint64_t number = 0;
	if (value == NULL)
		return false;
	if (number_parse_count(value, strlen(value), &number) == NUMBER_FINE && number >= 1 &&
	    number <= (uint64_t)most) {
		*count = (int64_t)number;
		return true;
	}
	say("%s cannot be '%s'; allowed: a whole number, 1 to %lld", option, value,
	    (long long)most);
	return false;
}

static bool explain_request_small(const char *option, const char *value, int *count)
{
	int64_t number = 0;
	if (!explain_request_count(option, value, EXPLAIN_THREADS_MAX, &number))
		return false;
	*count = (int)number;
	return true;
}

/* BLAS's flags, by their Fortran letters. */
static const struct request_flag {
	const char *name, *letters;
	char letter;
} request_flags[] = {{"side", "LR", 's'},    {"uplo", "UL", 'u'},   {"transa", "NTC", 'a'},
                     {"transb", "NTC", 'b'}, {"trans", "NTC", 'a'}, {"diag", "NU", 'd'}};
enum { REQUEST_FLAGS = sizeof request_flags / sizeof request_flags[0] };

static void explain_request_put_flag(struct blas_call *blas, char letter, int value)
{
	switch (letter) {
	case 's': blas->side = (enum side)value; break;
	case 'u': blas->uplo = (enum uplo)value; break;
	case 'a': blas->transa = (enum transpose)value; break;
	case 'b': blas->transb = (enum transpose)value; break;
	default: blas->diag = (enum diag)value; break;
	}
}

static bool explain_request_set_flag(struct explain_request *request, struct request_words *words,
                                     const struct request_flag *flag)
{
	const char *value = arguments_take_value(&words->arguments);
	if (value == NULL)
		return false;
	const int index =
		value[0] != '\0' ? argument_read_letter(value, flag->letters) : ARGUMENT_ILLEGAL;
	if (index == ARGUMENT_ILLEGAL || value[1] != '\0') {
		say("--%s cannot be '%s'; allowed: one letter of %s", flag->name, value,
		    flag->letters);
		return false;
	}
	explain_request_put_flag(&request->problem.flags, flag->letter, index);
	if (strchr(words->flags, flag->letter) == NULL)
		words->flags[strlen(words->flags)] = flag->letter;
	return true;
}

/* Options that stand alone. -1 where it is none of them, else whether it could be taken. */
static int explain_request_set_switch(struct explain_request *request, struct request_words *words)
{
	const struct {
		const char *name;
		bool *field;
	} switches[] = {
		{"pinned", &words->pinned},         {"json", &request->json},
		{"break-even", &words->break_even}, {"real", &words->fft.real},
		{"inverse", &words->fft.inverse},   {"in-place", &request->problem.in_place}};
	for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
		if (!arguments_is(&words->arguments, switches[i].name))
			continue;
		*switches[i].field = true;
		return arguments_check_flag(&words->arguments);
	}
	return -1;
}

static bool explain_request_set_option(struct explain_request *request, struct request_words *words)
{
	struct arguments *arguments = &words->arguments;
	const int taken = explain_request_set_switch(request, words);
	if (taken >= 0)
		return taken;
	for (size_t i = 0; i < REQUEST_FLAGS; i++)
		if (arguments_is(arguments, request_flags[i].name))
			return explain_request_set_flag(request, words, &request_flags[i]);
	if (arguments_is(arguments, "profile"))
		return (request->profile = arguments_take_value(arguments)) != NULL;
	if (arguments_is(arguments, "on-device"))
		return (words->on_device = arguments_take_value(arguments)) != NULL;
	if (arguments_is(arguments, "precision"))
		return (words->fft.precision = arguments_take_value(arguments)) != NULL;
	if (arguments_is(arguments, "threads"))
		return explain_request_small("--threads", arguments_take_value(arguments),
		                             &request->setting.cpu_threads);
	if (arguments_is(arguments, "sharers"))
		return explain_request_small("--sharers", arguments_take_value(arguments),
		                             &request->setting.gpu_sharers);
	if (arguments_is(arguments, "batch"))
		return explain_request_count("--batch", arguments_take_value(arguments), INT_MAX,
		                             &request->problem.count);
	return arguments_set_option(arguments, &words->environment, request_own);
}

/* A number with a minus in front is a size that is wrong, and no option. */
static bool explain_request_is_option(const char *word)
{
	return word[0] == '-' && word[1] != '\0' && (word[1] < '0' || word[1] > '9');
}

static void explain_request_take_word(struct explain_request *request, struct request_words *words)
{
	char *part = *words->arguments.rest++;
	if (request->routine == NULL) {
		request->routine = part;
		return;
	}
	/* 512x512 is two sizes; what begins with no digit is shown as it is. */
	while (part != NULL) {
		char *next = part + strspn(part, "0123456789");
		const bool cut = next != part && (*next == 'x' || *next == 'X');
		if (cut)
			*next++ = '\0';
		if (words->sizes <= CALL_RANK)
			words->size[words->sizes++] = part;
		part = cut ? next : NULL;
	}
}

static bool explain_request_read_sizes(struct explain_request *request,
                                       const struct request_words *words)
{
	struct call_problem *problem = &request->problem;
	const char *letters = call_problem_sizes(problem->family);
	const int want = (int)strlen(letters);
	char name[] = "the size ?";
	if (want > 0 && words->sizes != want && words->sizes != 1) {
		say("%s takes %d sizes (%s), or one for a square problem, and %d are given",
		    request->routine, want, letters, words->sizes);
		return false;
	}
	if (words->sizes < 1 || words->sizes > CALL_RANK) {
		say("%s takes the lengths of one to three dimensions, for instance 512x512x512",
		    request->routine);
		return false;
	}
	problem->sizes = want > 0 ? want : words->sizes;
	for (int i = 0; i < problem->sizes; i++) {
		name[strlen(name) - 1] = want > 0 ? letters[i] : (char)('1' + i);
		if (!explain_request_count(name, words->size[words->sizes == 1 ? 0 : i], INT64_MAX,
		                           &problem->size[i]))
			return false;
	}
	return true;
}

/*
 * What stands for an operand: BLAS's letters; of a transform in and out. OPERAND_COUNT where it has
 * none such.
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
	/* What trmm and trsm overwrite is C in struct blas_call, and B to their callers. */
	if (family_is_in_place(problem->family))
		return operand == OPERAND_B   ? OPERAND_C
		       : operand == OPERAND_A ? OPERAND_A
		                              : OPERAND_COUNT;
	if (operand == OPERAND_COUNT ||
	    !operand_find(problem->family, &problem->flags, (enum operand)operand, &matrix))
		return OPERAND_COUNT;
	return operand;
}

static bool explain_request_place(struct explain_request *request,
                                  const struct request_words *words)
{
	struct words rest = words_of(words->on_device != NULL ? words->on_device : "");
	for (int name = OPERAND_A; name < OPERAND_COUNT; name++)
		request->setting.place[name] = words->pinned ? COST_PINNED : COST_PAGEABLE;
	while (words->on_device != NULL && rest.text != NULL) {
		const struct words word = words_trim(words_next(&rest, ','));
		const int operand = explain_request_find_operand(&request->problem, word);
		if (operand == OPERAND_COUNT) {
			say("--on-device cannot be '%s' for %s; allowed: %s", words->on_device,
			    request->routine,
			    family_is_fft(request->problem.family)
			            ? "in, out, or both with a comma between them"
			            : "the letters of its matrices, with commas between them");
			return false;
		}
		request->setting.place[operand] = COST_DEVICE;
		if (family_is_fft(request->problem.family) && request->problem.in_place)
			request->setting.place[OPERAND_A] = request->setting.place[OPERAND_C] =
				COST_DEVICE;
	}
	return true;
}

/* What the routine has no place for is a mistake, and not silently left out. */
static bool explain_request_check(const struct explain_request *request,
                                  const struct request_words *words)
{
	const enum family family = request->problem.family;
	const char *taken = call_problem_flags(family), *wrong = NULL;
	for (size_t i = 0; i < REQUEST_FLAGS; i++)
		if (strchr(words->flags, request_flags[i].letter) != NULL &&
		    strchr(taken, request_flags[i].letter) == NULL)
			wrong = request_flags[i].name;
	if (!family_is_fft(family) &&
	    (words->fft.real || words->fft.inverse || words->fft.precision != NULL))
		wrong = words->fft.precision != NULL ? "precision"
		        : words->fft.real            ? "real"
		                                     : "inverse";
	if (!family_is_fft(family) && request->problem.in_place)
		wrong = "in-place";
	if (!family_is_fft(family) && !family_is_batch(family) && request->problem.count > 1)
		wrong = "batch";
	if (wrong != NULL)
		say("%s has no --%s", request->routine, wrong);
	return wrong == NULL;
}

static bool explain_request_end(struct explain_request *request, struct request_words *words)
{
	if (words->break_even && request->routine != NULL) {
		say("--break-even is for all routines, and '%s' is one word too many",
		    request->routine);
		return false;
	}
	if (words->break_even)
		return true;
	if (request->routine == NULL) {
		say("explain what? for instance: gpushim explain dgemm 4096 4096 4096, or gpushim explain --break-even");
		return false;
	}
	return routine_lookup_find(request->routine, &words->fft, &request->problem) &&
	       explain_request_check(request, words) &&
	       explain_request_read_sizes(request, words) && explain_request_place(request, words);
}

bool explain_request_read(struct explain_request *request, char **words)
{
	static struct request_words read;
	read.arguments.rest = words;
	request->problem.count = 1;
	environment_copy(&read.environment, environ);
	while (read.arguments.rest[0] != NULL) {
		const bool option = explain_request_is_option(read.arguments.rest[0]);
		if (option && !arguments_take(&read.arguments))
			continue; /* a "--" */
		if (!option)
			explain_request_take_word(request, &read);
		else if (!explain_request_set_option(request, &read))
			return false;
	}
	/* Options as they would be read: the command line stands in the environment. */
	environ = read.environment.entries;
	settings_load(&request->options);
	options_settle(&request->options);
	return explain_request_end(request, &read);
}
