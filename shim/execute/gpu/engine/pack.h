/* pack.h - copies between the program's matrices and tight staging, by the processor */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_PACK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_ENGINE_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/call/call.h"

/*
 * count runs of run_bytes each in the program's memory, pitch_bytes apart; tight in staging. The
 * gap is not ours.
 */
struct pack_area {
	char *host;
	uint64_t run_bytes, count, pitch_bytes;
};

enum pack_part { PACK_WHOLE, PACK_UPPER, PACK_LOWER };

/*
 * How a result enters the program's memory: C := z + beta C, and with beta = 0 C := z without
 * reading C. Of a triangle only its elements: the area's first element is element (row, column) of
 * the matrix. hermitian: the imaginary parts of the diagonal become 0.
 */
struct pack_rule {
	enum element element;
	double beta[2];
	enum pack_part part;
	bool hermitian;
	int64_t row, column;
};

/* Reads the area and writes it to staging, with ordinary stores: it is read again at once. */
void pack_gather(void *staging, const struct pack_area *area);

/* Writes staging to the area; with streaming stores where runs are long. rule NULL: plain bytes. */
void pack_scatter(const struct pack_area *area, const void *staging, const struct pack_rule *rule);

/*
 * Has the pages that lie wholly in the area backed by memory, if they are not yet: their first
 * store would be slow.
 */
void pack_populate(const struct pack_area *area);

#endif
