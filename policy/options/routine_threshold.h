/* routine_threshold.h - thresholds of single routines: the keys workload_threshold_<routine>; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_OPTIONS_ROUTINE_THRESHOLD_H
#define GPUSHIM_POLICY_OPTIONS_ROUTINE_THRESHOLD_H

#include "policy/call/call.h"
#include "policy/text/sentence.h"

/*
 * Bytes; ROUTINE_THRESHOLD_NONE where none is set. That of a routine goes before that of its
 * family.
 */
struct routine_thresholds {
	uint64_t family[FAMILY_COUNT];
	uint64_t routine[FAMILY_COUNT][ELEMENT_COUNT];
};

#define ROUTINE_THRESHOLD_NONE UINT64_MAX

/*
 * The routine that a name is of: "dgemm", "fftw_c2c", "fftwf_c2c". False, with nothing written,
 * where there is none; the name of a family alone is none.
 */
bool routine_threshold_find_name(struct words name, enum family *family, enum element *element);

/*
 * Adds that name to a sentence; ELEMENT_COUNT for the family's alone. Nothing where the family has
 * no such routine.
 */
void routine_threshold_add_name(struct sentence *sentence, enum family family,
                                enum element element);

/*
 * What a key of an option means that begins with prefix: the routine's family and element behind
 * it, or a family alone and ELEMENT_COUNT. False, with nothing written, where it is neither.
 */
bool routine_threshold_find_key(struct words key, const char *prefix, enum family *family,
                                enum element *element);

/*
 * The key nearest to one that begins with prefix and names no routine behind it: prefix and a
 * routine or family, of size bytes, always terminated. False, with nothing written, where none is
 * near.
 */
bool routine_threshold_find_nearest(struct words key, const char *prefix, char *nearest,
                                    size_t size);

void routine_threshold_clear(struct routine_thresholds *thresholds);

/*
 * The field that a key names: "workload_threshold_" and a family ("gemm", "c2c") or a routine
 * ("dgemm", "fftw_c2c", "fftwf_c2c"). NULL where the key is none of these.
 */
uint64_t *routine_threshold_find(struct routine_thresholds *thresholds, struct words key);

/* What holds for a routine, where general holds for all others. */
uint64_t routine_threshold_get(const struct routine_thresholds *thresholds, enum family family,
                               enum element element, uint64_t general);

/*
 * The thresholds that are set, one after the other: writes the next one's key (of size bytes,
 * always terminated) and bytes. *position starts at 0. False after the last.
 */
bool routine_threshold_next(const struct routine_thresholds *thresholds, int *position, char *key,
                            size_t size, uint64_t *bytes);

#endif
