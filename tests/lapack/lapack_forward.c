/* lapack_forward.c - calls every name of LAPACK; what arrives is compared with what was passed */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: lapack_forward WAY, which is
 *   small    operands of a few elements
 *   large    operands of gigabytes, in memory that nobody may read
 *   huge     only names with 64-bit integers, with sizes that need them
 *   query    large, only names with lwork, which is -1
 *   illegal  large, one size negative: the provider reports it to xerbla_
 *   jump     large, and a call before each that is left by a jump
 *   gpu      small, of unit matrices; where the library is called, it is for its workspace
 *   absent   small, by dlsym; the program is not linked with a provider
 * stdout: a line `call SYMBOL SIZES LETTERS INFO` per call as the log is to have it; - is none.
 */
#include "lapack_forward.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define REPEATED 3
enum { OPERANDS = 10, ERRNO_BEFORE = 4711, ERRNO_AFTER = 1147, NO_LAPACK = -1000 };
static const uint64_t operand_bytes = UINT64_C(1) << 36;

enum way { SMALL, LARGE, HUGE_SIZES, QUERY, ILLEGAL, JUMP, ON_GPU, ABSENT, WAYS };
static const char *const way_names[WAYS] = {"small",   "large", "huge", "query",
                                            "illegal", "jump",  "gpu",  "absent"};
static enum way way;

/* -- names ------------------------------------------------------------------------------------ */

/* Of a library with 64-bit integers under all names. */
#ifdef FORWARD_WIDE
enum width { WIDE, NARROW = WIDE };
#else
enum width { WIDE, NARROW };
#endif
struct name {
	const char *symbol;
	enum width width;
	const char *arguments;
	forward_routine *routine;
};

#ifdef FORWARD_ALONE
#define NAME(symbol, width, arguments) {#symbol, width, arguments, NULL},
forward_server *forward_serve;
int forward_reports, forward_reported;
#else
#define NAME(symbol, width, arguments) forward_routine symbol;
#define LIST(routine, arguments) FORWARD_NAMES(NAME, routine, arguments)
#include "lapack_lists.def"
#undef NAME
#define NAME(symbol, width, arguments) {#symbol, width, arguments, symbol},
#endif
static const struct name names[] = {
#define LIST(routine, arguments) FORWARD_NAMES(NAME, routine, arguments)
#include "lapack_lists.def"
};
enum { NAMES = sizeof names / sizeof names[0] };

/* Each name that the shim has for LAPACK is called. */
static const char *const exported[] = {
#define LAPACK(symbol, family, element, shape, width) #symbol,
#include "shim/table/lapack_symbols.def"
};

/* -- faults ----------------------------------------------------------------------------------- */

static int faults;

__attribute__((format(printf, 2, 3))) static void fault(const char *symbol, const char *text, ...)
{
	va_list arguments;
	if (++faults > 20)
		return;
	printf("FAIL %s: ", symbol);
	va_start(arguments, text);
	vprintf(text, arguments);
	va_end(arguments);
	printf("\n");
}

/* -- what an argument is ---------------------------------------------------------------------- */

/*
 * kind: c is a letter, i an integer, l the length of a work array, w other memory that may be read,
 * o an array, which only the library may touch. letter: of an integer, which size it is.
 */
struct meaning {
	const char *word;
	char kind, letter;
	int small, large;
};
static const struct meaning meanings[] = {
	{"uplo", 'c', 'L', 0, 0},
	{"trans", 'c', 'N', 0, 0},
	{"diag", 'c', 'U', 0, 0},
	{"side", 'c', 'L', 0, 0},
	{"jobz", 'c', 'V', 0, 0},
	{"jobs", 'c', 'S', 0, 0},
	{"jobu", 'c', 'A', 0, 0},
	{"jobvt", 'c', 'S', 0, 0},
	{"jobvl", 'c', 'N', 0, 0},
	{"jobvr", 'c', 'V', 0, 0},
	{"range", 'c', 'A', 0, 0},
	{"itype", 'i', '2', 2, 2},
	{"m", 'i', 'm', 9, 23456},
	{"n", 'i', 'n', 7, 20001},
	{"k", 'i', 'k', 5, 15000},
	{"nrhs", 'i', 'r', 4, 6007},
	{"il", 'i', 0, 2, 2},
	{"iu", 'i', 0, 3, 3},
	{"lda", 'i', 0, 10, 23460},
	{"ldb", 'i', 0, 11, 23461},
	{"ldc", 'i', 0, 12, 23462},
	{"ldz", 'i', 0, 13, 23463},
	{"ldu", 'i', 0, 14, 23464},
	{"ldvt", 'i', 0, 15, 23465},
	{"ldleft", 'i', 0, 16, 23466},
	{"ldright", 'i', 0, 17, 23467},
	{"lwork", 'l', 0, 2147483641, 2147483641},
	{"lrwork", 'l', 0, 2147483642, 2147483642},
	{"liwork", 'l', 0, 2147483643, 2147483643},
	{"lower", 'w', 0, 0, 0},
	{"upper", 'w', 0, 0, 0},
	{"abstol", 'w', 0, 0, 0},
	{"found", 'w', 0, 0, 0},
	{"info", 'w', 'i', 0, 0},
	{NULL, 'o', 0, 0, 0},
};

static const struct meaning *meaning_find(const char *word, size_t length)
{
	const struct meaning *at = meanings;
	while (at->word != NULL &&
	       (strlen(at->word) != length || strncmp(at->word, word, length) != 0))
		at++;
	return at;
}

/* -- a call ----------------------------------------------------------------------------------- */

union cell {
	int64_t wide;
	int32_t narrow;
	double real;
	char letter, bytes[64];
};

static struct call {
	const struct name *name;
	int count,
		letters; /* arguments; how many of them are letters, which have a hidden length */
	int operands, number;
	unsigned lengths; /* which arguments are lengths of work arrays */
	uint64_t words[FORWARD_WORDS];
	union cell cells[FORWARD_WORDS], before[FORWARD_WORDS];
	union cell *info;
	char sizes[80], jobs[8];
	int served;
} call;

static char *operand_memory;

static int64_t size_find(const struct meaning *meaning)
{
	const bool leading = meaning->word[0] == 'l';
	if (way == HUGE_SIZES && strchr("mnkr", meaning->letter) != NULL && meaning->letter != 0)
		return (INT64_C(1) << 31) + meaning->small;
	if (way == HUGE_SIZES && leading)
		return (INT64_C(1) << 31) + 100 + meaning->small;
	if (way == ILLEGAL && meaning->letter == 'n')
		return -5;
	return way == SMALL || way == ON_GPU || way == ABSENT ? meaning->small : meaning->large;
}

/* Of 32 bits the others are nonsense, which reads as a huge number. */
static void integer_put(union cell *cell, int64_t value)
{
	cell->wide = value;
	if (call.name->width != WIDE)
		cell->wide = (int64_t)((uint64_t)(uint32_t)value | UINT64_C(0x7eadbeef00000000));
}

static void size_note(const struct meaning *meaning, int64_t value)
{
	const size_t used = strlen(call.sizes);
	if (meaning->letter == '2')
		strcat(call.jobs, "2");
	else if (meaning->letter != 0)
		snprintf(call.sizes + used, sizeof call.sizes - used, "%s\"%s\":%lld",
		         used > 1 ? "," : "", meaning->word, (long long)value);
}

/* Ones on the diagonal; in a vector of integers row numbers, in one of other numbers zeros. */
static void operand_fill(void *operand, const char *word, int ld)
{
	const char *symbol = call.name->symbol;
	const char letter = symbol[strncmp(symbol, "scipy_", 6) == 0 ? 6 : 0];
	const bool square = strchr("abc", word[0]) != NULL && word[1] == ' ';
	float *singles = operand;
	double *doubles = operand;
	memset(operand, 0, 1 << 14);
	for (int i = 0; i < 9; i++) {
		const int place = i * (ld + 1) * (letter == 'c' || letter == 'z' ? 2 : 1);
		if (square && (letter == 's' || letter == 'c'))
			singles[place] = 1;
		else if (square)
			doubles[place] = 1;
		else if (strncmp(word, "ipiv", 4) == 0 && call.name->width == WIDE)
			((int64_t *)operand)[i] = i + 1;
		else if (strncmp(word, "ipiv", 4) == 0)
			((int32_t *)operand)[i] = i + 1;
	}
}

/* The leading dimension follows its matrix. */
static int operand_find_ld(const char *word)
{
	const char *next = word + strcspn(word, " ") + 1;
	const struct meaning *meaning = meaning_find(next, strcspn(next, " "));
	return word[strcspn(word, " ")] == ' ' && meaning->kind == 'i' ? meaning->small : 0;
}

static void argument_add(const struct meaning *meaning, const char *text)
{
	union cell *cell = &call.cells[call.count];
	uint64_t word = (uint64_t)(uintptr_t)cell;
	switch (meaning->kind) {
	case 'c':
		cell->letter = meaning->letter;
		strncat(call.jobs, &meaning->letter, 1);
		call.letters++;
		break;
	case 'i':
		integer_put(cell, size_find(meaning));
		size_note(meaning, size_find(meaning));
		break;
	case 'l': integer_put(cell, way == QUERY ? -1 : meaning->small); break;
	case 'o':
		word = (uint64_t)(uintptr_t)(operand_memory + operand_bytes * call.operands++);
		if (way == ON_GPU)
			operand_fill((void *)(uintptr_t)word, text, operand_find_ld(text));
		break;
	default: break;
	}
	if (meaning->letter == 'i' && meaning->kind == 'w')
		call.info = cell;
	if (meaning->kind == 'l')
		call.lengths |= 1u << call.count;
	call.words[call.count++] = word;
}

static void call_prepare(const struct name *name, int number)
{
	memset(&call, 0, sizeof call);
	memset(call.cells, 0x5a, sizeof call.cells);
	call.name = name;
	call.number = number;
	strcpy(call.sizes, "{");
	for (const char *word = name->arguments; *word != '\0';) {
		const size_t length = strcspn(word, " ");
		argument_add(meaning_find(word, length), word);
		word += length + (word[length] == ' ');
	}
	strcat(call.sizes, "}");
	for (int i = 0; i < call.letters; i++)
		call.words[call.count + i] = UINT64_C(0x1ab5ca1e00000001) * (uint64_t)(i + 1);
	memcpy(call.before, call.cells, sizeof call.cells);
}

/* -- the library's side ----------------------------------------------------------------------- */

static jmp_buf jump_place;
static bool jumps;

/* The flags of the floating-point unit that the program and then the library raised. */
static void state_check(const char *whose, int expected_errno, int flags)
{
	const int found_errno = errno, found = fetestexcept(FE_ALL_EXCEPT), mode = fegetround();
	if (found_errno != expected_errno)
		fault(call.name->symbol, "errno is %d %s", found_errno, whose);
	if (found != flags || mode != FE_UPWARD)
		fault(call.name->symbol, "flags %x, rounding %x %s", found, mode, whose);
}

static void info_put(int64_t value)
{
	if (call.name->width == WIDE)
		call.info->wide = value;
	else
		call.info->narrow = (int32_t)value;
}

/* After a call on the GPU the library is asked for its workspace, with the other arguments as is. */
static int serve_answer(const char *symbol, const uint64_t words[FORWARD_WORDS])
{
	call.served++;
	if (strcmp(symbol, call.name->symbol) != 0)
		fault(call.name->symbol, "%s was called", symbol);
	for (int i = 0; i < call.count + call.letters; i++) {
		const bool length = (call.lengths >> i & 1) != 0;
		if (length ? *(const int64_t *)(uintptr_t)words[i] != -1
		           : words[i] != call.words[i])
			fault(symbol, "word %d of %d and %d: %llx", i + 1, call.count, call.letters,
			      (unsigned long long)words[i]);
	}
	return 0;
}

static int serve(const char *symbol, const uint64_t words[FORWARD_WORDS])
{
	if (way == ON_GPU)
		return serve_answer(symbol, words);
	state_check("in the library", ERRNO_BEFORE, FE_DIVBYZERO);
	call.served++;
	if (strcmp(symbol, call.name->symbol) != 0)
		fault(call.name->symbol, "%s was called", symbol);
	for (int i = 0; i < call.count + call.letters; i++)
		if (words[i] != call.words[i])
			fault(symbol, "word %d of %d and %d: %llx, passed %llx", i + 1, call.count,
			      call.letters, (unsigned long long)words[i],
			      (unsigned long long)call.words[i]);
	if (memcmp(call.cells, call.before, sizeof call.cells) != 0)
		fault(symbol, "an argument's memory has changed before the library was called");
	if (jumps)
		longjmp(jump_place, 1);
	info_put(way == ILLEGAL ? -2 : call.number);
	memcpy(call.before, call.cells, sizeof call.cells);
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_INVALID);
	errno = ERRNO_AFTER;
	return way == ILLEGAL ? 2 : 0;
}

/* -- the program's side ----------------------------------------------------------------------- */

#define WORD(number) call.words[number]

static void call_run(forward_routine *routine)
{
	feclearexcept(FE_ALL_EXCEPT);
	feraiseexcept(FE_DIVBYZERO);
	errno = ERRNO_BEFORE;
	routine(FORWARD_EACH(WORD));
}

/* Deeper on the stack than a call by call_run was. */
__attribute__((noinline)) static void call_run_deeper(forward_routine *routine)
{
	volatile char room[16384];
	room[0] = 1;
	call_run(routine);
	if (room[0] != 1)
		fault(call.name->symbol, "the stack was overwritten");
}

static void call_leave(forward_routine *routine)
{
	jumps = true;
	if (setjmp(jump_place) == 0)
		call_run(routine);
	jumps = false;
	fesetround(FE_UPWARD);
	if (call.served != 1)
		fault(call.name->symbol, "the library was called %d times", call.served);
	call.served = 0;
}

static void call_tell(void)
{
	printf("call %s %s %s %d\n", call.name->symbol, call.sizes,
	       call.jobs[0] != '\0' ? call.jobs : "-", call.number);
}

static void call_check(void)
{
	const int reports = forward_reports;
	forward_reports = 0;
	state_check("after the call", ERRNO_AFTER, FE_INVALID);
	if (call.served != 1)
		fault(call.name->symbol, "the library was called %d times", call.served);
	if (memcmp(call.cells, call.before, sizeof call.cells) != 0)
		fault(call.name->symbol, "an argument's memory has changed after the call");
	if (reports != (way == ILLEGAL) || (reports != 0 && forward_reported != 2))
		fault(call.name->symbol, "%d reports to xerbla, position %d", reports,
		      forward_reported);
}

static bool name_is_wanted(const struct name *name)
{
	if (way == HUGE_SIZES)
		return name->width == WIDE;
	return way != QUERY || strstr(name->arguments, "lwork") != NULL;
}

static void name_run(const struct name *name, int number)
{
	call_prepare(name, number);
	if (way == JUMP)
		call_leave(name->routine);
	call_run_deeper(name->routine);
	call_tell();
	call_check();
}

/* On the CPU the library would have been called as well where it has no work array to tell of. */
static void name_run_gpu(const struct name *name)
{
	call_prepare(name, 0);
	call_run(name->routine);
	call_tell();
	if (errno != ERRNO_BEFORE)
		fault(name->symbol, "errno is %d", errno);
	if (call.served != (strstr(name->arguments, "work") != NULL))
		fault(name->symbol, "the library was called %d times", call.served);
	if ((name->width == WIDE ? call.info->wide : call.info->narrow) != 0)
		fault(name->symbol, "info is not 0");
}

/* Without the shim nobody has the name. */
static void name_run_absent(const struct name *name)
{
	forward_routine *routine = (forward_routine *)dlsym(RTLD_DEFAULT, name->symbol);
	if (routine == NULL)
		return;
	call_prepare(name, NO_LAPACK);
	call_run(routine);
	printf("call %s %lld\n", name->symbol,
	       name->width == WIDE ? (long long)call.info->wide : (long long)call.info->narrow);
	*call.info = call.before[call.info - call.cells];
	if (memcmp(call.cells, call.before, sizeof call.cells) != 0)
		fault(name->symbol, "an argument's memory has changed");
}

static void exported_check(void)
{
	for (size_t i = 0; i < sizeof exported / sizeof exported[0]; i++) {
		bool listed = false;
		for (int k = 0; k < NAMES && !listed; k++)
			listed = strcmp(exported[i], names[k].symbol) == 0;
		if (!listed)
			fault(exported[i], "the name is not in lapack_lists.def");
	}
	if (sizeof exported / sizeof exported[0] != NAMES)
		fault("lapack_lists.def", "%d names", NAMES);
}

int main(int argc, char **argv)
{
	for (way = SMALL; way < WAYS && (argc != 2 || strcmp(argv[1], way_names[way]) != 0);)
		way++;
	operand_memory = mmap(NULL, operand_bytes * OPERANDS,
	                      way == ON_GPU ? PROT_READ | PROT_WRITE : PROT_NONE,
	                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (way == WAYS || operand_memory == MAP_FAILED)
		return 2;
	exported_check();
	fesetround(way == ON_GPU ? FE_TONEAREST : FE_UPWARD);
	forward_serve = serve;
	for (int i = 0; i < NAMES * REPEATED; i++) {
		const struct name *name = &names[i / REPEATED];
		if (way == ABSENT)
			name_run_absent(name);
		else if (way == ON_GPU && i % REPEATED == 0)
			name_run_gpu(name);
		else if (way == ON_GPU)
			continue;
		else if (name_is_wanted(name))
			name_run(name, i + 1);
	}
	fprintf(stderr, "%d faults\n", faults);
	return faults != 0;
}
