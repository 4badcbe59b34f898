/* routine.c - the rows behind routine.h */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/table/routine.h"

#include <string.h>

/* The words of blas_symbols.def. */
#define ABI_f77 ABI_F77
#define ABI_cblas ABI_CBLAS
#define ABI_bare ABI_BARE

/* The role of each argument list of fftw.def. */
#define ROLE_plan_1d ROLE_PLAN
#define ROLE_plan_2d ROLE_PLAN
#define ROLE_plan_3d ROLE_PLAN
#define ROLE_plan_nd ROLE_PLAN
#define ROLE_plan_many ROLE_PLAN
#define ROLE_plan_real_1d ROLE_PLAN
#define ROLE_plan_real_2d ROLE_PLAN
#define ROLE_plan_real_3d ROLE_PLAN
#define ROLE_plan_real_nd ROLE_PLAN
#define ROLE_plan_real_many ROLE_PLAN
#define ROLE_plan_guru ROLE_PLAN
#define ROLE_plan_guru64 ROLE_PLAN
#define ROLE_plan_real_guru ROLE_PLAN
#define ROLE_plan_real_guru64 ROLE_PLAN
#define ROLE_execute ROLE_COMPUTE
#define ROLE_execute_new ROLE_COMPUTE
#define ROLE_destroy ROLE_RELEASE
#define ROLE_cleanup ROLE_RELEASE

const struct symbol_row symbol_table[SYMBOL_COUNT] = {
#define BLAS(symbol, family, element, shape, abi, width)                                                               \
	{#symbol, LIBRARY_BLAS, ROLE_COMPUTE, ABI_##abi, FAMILY_##family, ELEMENT_##element, WIDTH_##width},
#include "shim/table/blas_symbols.def"
#define FFTW(symbol, family, element, shape)                                                                           \
	{#symbol, LIBRARY_FFTW, ROLE_##shape, ABI_FFTW, FAMILY_##family, ELEMENT_##element, WIDTH_PROBE},
#include "shim/table/fftw.def"
};

int symbol_find(const char *name)
{
	for (int symbol = 0; symbol < SYMBOL_COUNT; symbol++)
		if (strcmp(symbol_table[symbol].name, name) == 0)
			return symbol;
	return -1;
}

static const char *family_name(enum family family)
{
	static const char *const name[FAMILY_COUNT] = {
#define FAMILY(id, name, ...) name,
#include "policy/family.def"
	};
	return name[family];
}

static size_t append(char *out, size_t size, size_t used, const char *text)
{
	while (*text != '\0' && used + 1 < size)
		out[used++] = *text++;
	out[used] = '\0';
	return used;
}

void routine_name(enum family family, enum element element, char *out, size_t size)
{
	const char letter[2] = {"sdcz"[element], '\0'};
	const char *prefix = letter;
	if (size == 0)
		return;
	if (family_is_fft(family))
		prefix = element == ELEMENT_C ? "fftwf_" : "fftw_";
	append(out, size, append(out, size, 0, prefix), family_name(family));
}
