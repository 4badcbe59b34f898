/* gpu_check_lapack.c - problems of LAPACK in memory, run on the GPU */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_lapack.h"

#include <stdlib.h>
#include <string.h>

#include "gpu_check_system.h"
#include "shim/execute/gpu/lapack/gpu_lapack.h"
#include "shim/execute/gpu/lapack/lapack_recipe.h"
#include "shim/execute/gpu/lapack/lapack_steps.h"
#include "tests/driver/fewer.h"

enum { CANARY = 0x5b, BESIDE_BYTES = 128 };

/* -- families ---------------------------------------------------------------------------------- */

bool system_is_cholesky(enum family family)
{
	return family == FAMILY_POTRF || family == FAMILY_POTRS || family == FAMILY_POSV ||
	       family == FAMILY_POTRI;
}

bool system_is_factored(enum family family)
{
	return family == FAMILY_GETRS || family == FAMILY_POTRS || family == FAMILY_GETRI ||
	       family == FAMILY_POTRI;
}

bool system_has_right_sides(enum family family)
{
	return family == FAMILY_GETRS || family == FAMILY_GESV || family == FAMILY_POTRS ||
	       family == FAMILY_POSV;
}

bool system_is_inverse(enum family family)
{
	return family == FAMILY_GETRI || family == FAMILY_POTRI || family == FAMILY_TRTRI;
}

bool system_is_spectrum(enum family family)
{
	return family >= FAMILY_SYEV && family <= FAMILY_HEGVX;
}

bool system_is_pencil(enum family family)
{
	return family >= FAMILY_SYGV && family <= FAMILY_HEGVX;
}

bool system_is_orthogonal(enum family family)
{
	return family >= FAMILY_GEQRF && family <= FAMILY_UNMQR;
}

bool system_has_reflectors(enum family family)
{
	return family >= FAMILY_ORGQR && family <= FAMILY_UNMQR;
}

bool system_is_singular(enum family family)
{
	return family == FAMILY_GESDD || family == FAMILY_GESVD;
}

bool system_is_general(enum family family)
{
	return family == FAMILY_GEEV;
}

bool system_is_least(enum family family)
{
	return family == FAMILY_GELS;
}

bool system_has_z(enum family family)
{
	return (family >= FAMILY_SYEVR && family <= FAMILY_HEEVX) || family == FAMILY_SYGVX ||
	       family == FAMILY_HEGVX;
}

bool system_is_stored(const struct system *system, int64_t i, int64_t j)
{
	const enum family family = system->wanted->family;
	if (family == FAMILY_TRTRI && system->wanted->diag == DIAG_UNIT && i == j)
		return false;
	if (!system_is_cholesky(family) && family != FAMILY_TRTRI && !system_is_spectrum(family))
		return true;
	return system->wanted->uplo == UPLO_UPPER ? i <= j : i >= j;
}

/* -- memory ------------------------------------------------------------------------------------ */

static struct array array_make(struct system *system, int64_t rows, int64_t columns,
                               size_t element_bytes, enum part written)
{
	const struct array array = {system->size_bytes,
	                            rows,
	                            columns,
	                            columns > 1 ? rows + system->wanted->gap : rows,
	                            element_bytes,
	                            written};
	system->size_bytes += (size_t)(array.ld * columns) * element_bytes + BESIDE_BYTES;
	return array;
}

static void system_list_spectrum(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const size_t size = element_size_bytes(wanted->element), integer = wanted->wide ? 8 : 4,
		     real = element_is_complex(wanted->element) ? size / 2 : size;
	const int64_t n = wanted->n, found = wanted->range == 'I' ? wanted->iu - wanted->il + 1 : n;
	const bool vectors = wanted->job == 'V', apart = system_has_z(wanted->family),
		   syevr = wanted->family == FAMILY_SYEVR || wanted->family == FAMILY_HEEVR;
	system->array[ARRAY_A] =
		array_make(system, n, n, size, vectors && !apart ? PART_WHOLE : PART_NONE);
	system->array[ARRAY_W] = array_make(system, found, 1, real, PART_WHOLE);
	if (system_is_pencil(wanted->family))
		system->array[ARRAY_B] = array_make(
			system, n, n, size, wanted->uplo == UPLO_UPPER ? PART_UPPER : PART_LOWER);
	if (!apart)
		return;
	if (vectors) {
		system->array[ARRAY_Z] = array_make(system, n, found, size, PART_WHOLE);
		system->array[ARRAY_SUPPORT] =
			array_make(system, syevr ? 2 * found : found, 1, integer, PART_WHOLE);
	}
	system->array[ARRAY_FOUND] = array_make(system, 1, 1, integer, PART_WHOLE);
}

/* Of ormqr the order of Q is m or n, and it has k reflectors; A has as many columns. */
static void system_list_orthogonal(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const size_t size = element_size_bytes(wanted->element);
	const bool apply = wanted->family == FAMILY_ORMQR || wanted->family == FAMILY_UNMQR;
	const int64_t least = wanted->m < wanted->n ? wanted->m : wanted->n,
		      order = wanted->side == SIDE_LEFT ? wanted->m : wanted->n;
	system->array[ARRAY_A] =
		array_make(system, apply ? order : wanted->m, apply ? wanted->k : wanted->n, size,
	                   apply ? PART_NONE : PART_WHOLE);
	if (apply)
		system->array[ARRAY_B] = array_make(system, wanted->m, wanted->n, size, PART_WHOLE);
	system->array[ARRAY_TAU] =
		array_make(system, wanted->family == FAMILY_GEQRF ? least : wanted->k, 1, size,
	                   wanted->family == FAMILY_GEQRF ? PART_WHOLE : PART_NONE);
}

static int64_t system_count_vectors(char job, int64_t order, int64_t least)
{
	return job == 'A' ? order : job == 'S' ? least : 0;
}

static void system_list_singular(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const size_t size = element_size_bytes(wanted->element),
		     real = element_is_complex(wanted->element) ? size / 2 : size;
	const char second = wanted->family == FAMILY_GESDD ? wanted->job : wanted->other_job;
	const int64_t m = wanted->m, n = wanted->n, least = m < n ? m : n,
		      left = system_count_vectors(wanted->job, m, least),
		      right = system_count_vectors(second, n, least);
	system->array[ARRAY_A] = array_make(system, m, n, size, PART_NONE);
	if (left > 0)
		system->array[ARRAY_Z] = array_make(system, m, left, size, PART_WHOLE);
	if (right > 0)
		system->array[ARRAY_VT] = array_make(system, right, n, size, PART_WHOLE);
	system->array[ARRAY_W] = array_make(system, least, 1, real, PART_WHOLE);
}

static void system_list_general(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const size_t size = element_size_bytes(wanted->element);
	const int64_t n = wanted->n;
	system->array[ARRAY_A] = array_make(system, n, n, size, PART_NONE);
	if (wanted->other_job == 'V')
		system->array[ARRAY_VT] = array_make(system, n, n, size, PART_WHOLE);
	system->array[ARRAY_W] = array_make(system, n, 1, size, PART_WHOLE);
	if (!element_is_complex(wanted->element))
		system->array[ARRAY_WI] = array_make(system, n, 1, size, PART_WHOLE);
}

static void system_list_least(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const size_t size = element_size_bytes(wanted->element);
	system->array[ARRAY_A] = array_make(system, wanted->m, wanted->n, size, PART_WHOLE);
	system->array[ARRAY_B] = array_make(system, wanted->m, wanted->nrhs, size, PART_WHOLE);
}

static void system_list_solver(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const size_t size = element_size_bytes(wanted->element), integer = wanted->wide ? 8 : 4;
	const enum family family = wanted->family;
	const bool lu = !system_is_cholesky(family) && family != FAMILY_TRTRI,
		   given = system_is_factored(family);
	const enum part triangle = wanted->uplo == UPLO_UPPER ? PART_UPPER : PART_LOWER;
	const int64_t m = family == FAMILY_GETRF ? wanted->m : wanted->n;
	const int64_t least = m < wanted->n ? m : wanted->n;
	system->array[ARRAY_A] = array_make(system, m, wanted->n, size,
	                                    given && !system_is_inverse(family) ? PART_NONE
	                                    : lu                                ? PART_WHOLE
	                                                                        : triangle);
	if (system_has_right_sides(family))
		system->array[ARRAY_B] =
			array_make(system, wanted->n, wanted->nrhs, size, PART_WHOLE);
	if (lu)
		system->array[ARRAY_IPIV] =
			array_make(system, least, 1, integer, given ? PART_NONE : PART_WHOLE);
}

static void system_list(struct system *system)
{
	const size_t integer = system->wanted->wide ? 8 : 4;
	system->size_bytes = BESIDE_BYTES + (size_t)system->wanted->offset_bytes;
	if (system_is_spectrum(system->wanted->family))
		system_list_spectrum(system);
	else if (system_is_orthogonal(system->wanted->family))
		system_list_orthogonal(system);
	else if (system_is_singular(system->wanted->family))
		system_list_singular(system);
	else if (system_is_general(system->wanted->family))
		system_list_general(system);
	else if (system_is_least(system->wanted->family))
		system_list_least(system);
	else
		system_list_solver(system);
	system->array[ARRAY_INFO] = array_make(system, 1, 1, integer, PART_WHOLE);
}

char *system_at(const struct system *system, char *block, int name, int64_t i, int64_t j)
{
	const struct array *array = &system->array[name];
	return block + array->begin + (size_t)(i + j * array->ld) * array->element_bytes;
}

static bool array_has(const struct array *array, int64_t i, int64_t j)
{
	return array->written == PART_WHOLE || (array->written == PART_UPPER && i <= j) ||
	       (array->written == PART_LOWER && i >= j);
}

static void system_mark_writable(struct system *system)
{
	for (int name = 0; name < ARRAYS; name++) {
		const struct array *array = &system->array[name];
		for (int64_t j = 0; j < array->columns; j++)
			for (int64_t i = 0; i < array->rows; i++)
				if (array_has(array, i, j))
					memset(system_at(system, system->writable, name, i, j), 1,
					       array->element_bytes);
	}
}

void system_set(struct system *system, int name, int64_t i, int64_t j, long double complex value)
{
	gpu_check_store(system_at(system, system->memory, name, i, j), 0, system->wanted->element,
	                false, (double complex)value);
}

long double complex system_get(const struct system *system, int name, int64_t i, int64_t j)
{
	return gpu_check_load(system_at(system, system->memory, name, i, j), 0,
	                      system->wanted->element, false);
}

int64_t system_get_integer(const struct system *system, int name, int64_t i)
{
	const char *place = system_at(system, system->memory, name, i, 0);
	int64_t wide;
	int32_t narrow;
	memcpy(&wide, place, system->wanted->wide ? sizeof wide : 0);
	memcpy(&narrow, place, sizeof narrow);
	return system->wanted->wide ? wide : narrow;
}

void system_set_integer(struct system *system, int name, int64_t i, int64_t value)
{
	char *place = system_at(system, system->memory, name, i, 0);
	const int32_t narrow = (int32_t)value;
	if (system->wanted->wide)
		memcpy(place, &value, sizeof value);
	else
		memcpy(place, &narrow, sizeof narrow);
}

long double system_get_real(const struct system *system, int name, int64_t i)
{
	return creall(gpu_check_load(system_at(system, system->memory, name, i, 0), 0,
	                             system->wanted->element, true));
}

static void *system_address(const struct system *system, int name)
{
	return system->array[name].rows > 0 ? system_at(system, system->memory, name, 0, 0) : NULL;
}

static void system_describe(struct system *system)
{
	const struct gpu_check_lapack *wanted = system->wanted;
	const bool apply = wanted->family == FAMILY_ORMQR || wanted->family == FAMILY_UNMQR;
	system->call =
		(struct call){.family = wanted->family,
	                      .element = wanted->element,
	                      .lapack = {.uplo = wanted->uplo,
	                                 .trans = wanted->trans,
	                                 .diag = wanted->diag,
	                                 .side = wanted->side,
	                                 .itype = wanted->itype,
	                                 .jobs = {wanted->job, wanted->other_job},
	                                 .range = wanted->range,
	                                 .wide = wanted->wide,
	                                 .m = apply ? wanted->m : system->array[ARRAY_A].rows,
	                                 .n = wanted->n,
	                                 .k = system_has_reflectors(wanted->family) ? wanted->k : 0,
	                                 .nrhs = system->array[ARRAY_B].columns,
	                                 .il = wanted->il,
	                                 .iu = wanted->iu,
	                                 .lda = system->array[ARRAY_A].ld,
	                                 .ldb = system->array[ARRAY_B].ld,
	                                 .ldu = system->array[ARRAY_Z].ld,
	                                 .ldvt = system->array[ARRAY_VT].ld,
	                                 .vt = system_address(system, ARRAY_VT),
	                                 .tau = system_address(system, ARRAY_TAU),
	                                 .a = system_address(system, ARRAY_A),
	                                 .b = system_address(system, ARRAY_B),
	                                 .u = system_address(system, ARRAY_Z),
	                                 .w = system_address(system, ARRAY_W),
	                                 .wi = system_address(system, ARRAY_WI),
	                                 .ipiv = system_address(system, ARRAY_IPIV),
	                                 .isuppz = system_address(system, ARRAY_SUPPORT),
	                                 .found = system_address(system, ARRAY_FOUND),
	                                 .info = system_address(system, ARRAY_INFO)}};
}

static char *copy_of(const struct system *system, const char *block)
{
	return memcpy(malloc(system->size_bytes), block, system->size_bytes);
}

static struct system system_make(const struct gpu_check_lapack *wanted)
{
	struct system system = {.wanted = wanted};
	system_list(&system);
	system.memory = malloc(system.size_bytes);
	memset(system.memory, CANARY, system.size_bytes);
	system.writable = calloc(1, system.size_bytes);
	system_mark_writable(&system);
	system_fill(&system);
	system_describe(&system);
	system.before = copy_of(&system, system.memory);
	return system;
}

static void system_free(struct system *system)
{
	dense_free(&system->a);
	dense_free(&system->b);
	free(system->memory);
	free(system->before);
	free(system->writable);
}

/* After a call that came back nothing is written. */
static void judge_bytes(const struct system *system, bool done)
{
	size_t wrong = 0;
	for (size_t i = 0; i < system->size_bytes; i++)
		wrong += system->memory[i] != system->before[i] &&
		         !(done && system->writable[i] != 0);
	EXPECT(wrong == 0, "%s, element %d: %zu bytes changed that must not",
	       family_name(system->wanted->family), (int)system->wanted->element, wrong);
}

static struct gpu_lapack_account account; /* of the last call */

const struct gpu_lapack_account *gpu_check_find_account(void)
{
	return &account;
}

/* Whether the recipe has this step. */
static bool account_has(const char *step)
{
	const size_t length = strlen(step);
	for (const char *at = account.recipe; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == length && strncmp(at, step, length) == 0)
			return true;
	return false;
}

/* A described call has the steps that it takes, unless numbers or memory change them. */
static void judge_steps(const struct call *call)
{
	struct lapack_steps steps;
	lapack_steps_list(call, &steps);
	if (account_has("panels") || account_has("streamed") || account_has("alg_1") ||
	    account_has("gesvd"))
		return;
	EXPECT(strcmp(steps.text, account.recipe) == 0, "'%s' is told, '%s' was done", steps.text,
	       account.recipe);
	EXPECT(steps.own_bytes <= account.work_bytes, "%s: %llu bytes of copies, and %llu in all",
	       steps.text, (unsigned long long)steps.own_bytes,
	       (unsigned long long)account.work_bytes);
	EXPECT(lapack_recipe_judge(call) == REASON_NONE, "%s ran", account.recipe);
}

enum reason gpu_check_run_lapack(const struct gpu_check_lapack *wanted, int device)
{
	struct system system = system_make(wanted);
	bool finished = true;
	account = (struct gpu_lapack_account){.recipe = ""};
	const enum reason reason = gpu_lapack_run(&system.call, device, &account, &finished);
	EXPECT((account.recipe[0] != '\0') == (reason == REASON_NONE), "the recipe is '%s'",
	       account.recipe);
	EXPECT(finished == (reason == REASON_NONE), "%s", reason_name(reason));
	judge_bytes(&system, reason == REASON_NONE);
	if (reason == REASON_NONE) {
		judge_steps(&system.call);
		system_judge(&system);
	}
	system_free(&system);
	return reason;
}

/* -- all of them ------------------------------------------------------------------------------- */

/* The letters of a family, counted through. false: there is no such number. */
static bool choose_letters(struct gpu_check_lapack *wanted, int number)
{
	const enum family family = wanted->family;
	const bool spectrum = system_is_spectrum(family);
	const int ranges = system_has_z(family) ? 2 : 1;
	wanted->uplo = number % 2 == 0 ? UPLO_LOWER : UPLO_UPPER;
	wanted->itype = system_is_pencil(family) ? 1 + number % 3 : 0;
	if (system_is_general(family)) {
		wanted->job = 'N';
		wanted->other_job = number == 0 ? 'V' : 'N';
		return number < 2;
	}
	if (system_is_singular(family)) {
		wanted->job = "ASN"[number % 3];
		wanted->other_job = family == FAMILY_GESVD ? "ASN"[number / 3 % 3] : '\0';
		return number < (family == FAMILY_GESVD ? 9 : 3);
	}
	if (family == FAMILY_ORMQR || family == FAMILY_UNMQR) {
		const bool two = element_is_complex(wanted->element);
		wanted->side = number % 2 == 0 ? SIDE_LEFT : SIDE_RIGHT;
		wanted->trans = number / 2 == 0 ? TRANSPOSE_N : two ? TRANSPOSE_C : TRANSPOSE_T;
		return number < 4;
	}
	if (family == FAMILY_GELS) {
		const bool two = element_is_complex(wanted->element);
		wanted->trans = number == 0 ? TRANSPOSE_N : two ? TRANSPOSE_C : TRANSPOSE_T;
		return number < 2;
	}
	if (family == FAMILY_GETRS) {
		wanted->trans = (enum transpose)number;
		return number < 3;
	}
	if (family == FAMILY_TRTRI)
		wanted->diag = number / 2 == 0 ? DIAG_NON_UNIT : DIAG_UNIT;
	if (spectrum) {
		wanted->job = number / 2 % 2 == 0 ? 'V' : 'N';
		wanted->range = number / 4 == 0 ? (ranges == 2 ? 'A' : 0) : 'I';
		return number < 4 * ranges;
	}
	if (family == FAMILY_TRTRI)
		return number < 4;
	return number < (system_is_cholesky(family) ? 2 : 1);
}

void gpu_check_each_lapack(gpu_check_visit_lapack *visit, int device)
{
	static const enum family families[] = {
		FAMILY_GETRF, FAMILY_GETRS, FAMILY_GESV,  FAMILY_POTRF, FAMILY_POTRS, FAMILY_POSV,
		FAMILY_GETRI, FAMILY_POTRI, FAMILY_TRTRI, FAMILY_SYEV,  FAMILY_HEEV,  FAMILY_SYEVD,
		FAMILY_HEEVD, FAMILY_SYEVR, FAMILY_HEEVR, FAMILY_SYEVX, FAMILY_HEEVX, FAMILY_SYGV,
		FAMILY_HEGV,  FAMILY_SYGVD, FAMILY_HEGVD, FAMILY_SYGVX, FAMILY_HEGVX, FAMILY_GEQRF,
		FAMILY_ORGQR, FAMILY_UNGQR, FAMILY_ORMQR, FAMILY_UNMQR, FAMILY_GELS,  FAMILY_GESDD,
		FAMILY_GESVD, FAMILY_GEEV};
	unsigned long turn = 0;
	for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
		for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++) {
			struct gpu_check_lapack wanted = {.family = families[f],
			                                  .element = element};
			if (family_prefix(families[f], element) == NULL)
				continue;
			for (int number = 0; choose_letters(&wanted, number); number++) {
				if (fewer_runs(turn++))
					visit(&wanted, device);
				wanted = (struct gpu_check_lapack){.family = families[f],
				                                   .element = element};
			}
		}
}
