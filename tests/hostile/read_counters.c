/* read_counters.c - adds up a symbol's calls; usage: read_counters SYMBOL FILE... */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/record/counters.h"

#define BLAS(symbol, family, element, shape, abi, width) #symbol,
#define LAPACK(symbol, family, element, shape, width) #symbol,
#define FFTW(symbol, role, family, element, shape) #symbol,
static const char *const names[SYMBOL_COUNT] = {
#include "shim/table/blas_symbols.def"
/* In the order of enum symbol. */
#include "shim/table/lapack_symbols.def"
/* Transforms stand last. */
#include "shim/table/fftw_symbols.def"
};

static long count(const struct counters_file *file, int symbol)
{
	long sum = 0;
	for (int slot = 0; slot < COUNTERS_SLOTS; slot++)
		sum += (long)file->forwarded[slot][symbol];
	for (int reason = 0; reason < REASON_COUNT; reason++)
		sum += (long)counters_find_cell(file, symbol, reason)->calls;
	return sum;
}

int main(int argc, char **argv)
{
	struct counters_file *file = aligned_alloc(COUNTERS_LINE_BYTES, sizeof *file);
	long sum = 0;
	int symbol = 0;
	while (argc > 1 && symbol < SYMBOL_COUNT && strcmp(names[symbol], argv[1]) != 0)
		symbol++;
	if (argc < 3 || symbol == SYMBOL_COUNT)
		return 2;
	for (int i = 2; i < argc; i++) {
		FILE *stream = fopen(argv[i], "rb");
		if (stream == NULL || fread(file, sizeof *file, 1, stream) != 1 ||
		    memcmp(file->magic, "gpushim", 8) != 0)
			return 3;
		fclose(stream);
		sum += count(file, symbol);
	}
	printf("%ld\n", sum);
	free(file);
	return 0;
}
