/* gpu_check_flags.c - every family of level 3 with every element and all flags that it takes */
/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_check_blas.h"

/* Which elements each family has, and which flags it uses. */
static const struct {
	enum family family;
	bool has_real, has_complex, sided, transposed, has_diagonal;
} families[] = {
	{FAMILY_GEMM, true, true, false, true, false},
	{FAMILY_GEMM3M, false, true, false, true, false},
	{FAMILY_GEMMT, true, true, false, true, false},
	{FAMILY_SYMM, true, true, true, false, false},
	{FAMILY_HEMM, false, true, true, false, false},
	{FAMILY_SYRK, true, true, false, true, false},
	{FAMILY_HERK, false, true, false, true, false},
	{FAMILY_SYR2K, true, true, false, true, false},
	{FAMILY_HER2K, false, true, false, true, false},
	{FAMILY_TRMM, true, true, true, true, true},
	{FAMILY_TRSM, true, true, true, true, true},
};

enum { FAMILIES = sizeof families / sizeof families[0], FLAGS = 3 * 2 * 2 * 2 };

static bool may_transpose(enum family family, enum element element, enum transpose trans)
{
	if (trans == TRANSPOSE_N)
		return true;
	if (family == FAMILY_HERK || family == FAMILY_HER2K)
		return trans == TRANSPOSE_C;
	return (family != FAMILY_SYRK && family != FAMILY_SYR2K) || trans == TRANSPOSE_T ||
	       !element_is_complex(element);
}

/* The second transposition is varied together with the other flags, not in all combinations. */
static void visit_flags(size_t f, enum element element, gpu_check_visit *visit, int device)
{
	static int calls;
	for (int flags = 0; flags < FLAGS; flags++) {
		struct gpu_check_blas wanted = {.family = families[f].family,
		                                .element = element,
		                                .transa = (enum transpose)(flags % 3),
		                                .transb = (enum transpose)(calls % 3),
		                                .uplo = (enum uplo)(flags / 3 % 2),
		                                .side = (enum side)(flags / 6 % 2),
		                                .diag = (enum diag)(flags / 12)};
		const bool idle = (wanted.side != SIDE_LEFT && !families[f].sided) ||
		                  (wanted.diag != DIAG_NON_UNIT && !families[f].has_diagonal) ||
		                  (wanted.transa != TRANSPOSE_N && !families[f].transposed);
		if (idle || !may_transpose(wanted.family, element, wanted.transa))
			continue;
		visit(&wanted, device);
		calls++;
	}
}

void gpu_check_each_blas(gpu_check_visit *visit, int device)
{
	for (size_t f = 0; f < FAMILIES; f++)
		for (enum element element = ELEMENT_S; element < ELEMENT_BLAS_COUNT; element++)
			if (element_is_complex(element) ? families[f].has_complex
			                                : families[f].has_real)
				visit_flags(f, element, visit, device);
}
