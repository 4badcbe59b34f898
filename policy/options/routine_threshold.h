/* routine_threshold.h - thresholds of single routines, keys workload_threshold_<routine>; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_OPTIONS_ROUTINE_THRESHOLD_H
#define GPUSHIM_POLICY_OPTIONS_ROUTINE_THRESHOLD_H

#include "policy/call/call.h"
#include "policy/text/sentence.h"

/*
 * Bytes for each family and routine; ROUTINE_THRESHOLD_NONE where none is set. A value of a routine
 * overrides that of its family.
 */
struct routine_thresholds {
	uint64_t family[FAMILY_COUNT];
	uint64_t routine[FAMILY_COUNT][ELEMENT_COUNT];
};

#define ROUTINE_THRESHOLD_NONE UINT64_MAX

/*
 * The family and element of a routine by its name: "dgemm", "fftw_c2c", "fftwf_c2c". false, with
 * nothing written, where there is no such routine; the name of a family alone is none.
 */
bool routine_threshold_find_name(struct words name, enum family *family, enum element *element);

/*
 * Adds the name of a routine to a sentence, or that of the family alone for ELEMENT_COUNT. Adds
 * nothing where the family has no such routine.
 */
void routine_threshold_add_name(struct sentence *sentence, enum family family,
                                enum element element);

/*
 * Reads a key made of prefix and a routine or family: its family and element, ELEMENT_COUNT for a
 * family alone. false, with nothing written, for any other key.
 */
bool routine_threshold_find_key(struct words key, const char *prefix, enum family *family,
                                enum element *element);

/*
 * Writes the key made of prefix and a routine or family that is nearest to key, which begins with
 * prefix (size bytes, always terminated). false, with nothing written, where none is near.
 */
bool routine_threshold_find_nearest(struct words key, const char *prefix, char *nearest,
                                    size_t size);

void routine_threshold_clear(struct routine_thresholds *thresholds);

/*
 * The field that a key "workload_threshold_<routine or family>" sets. NULL where the key is none.
 */
uint64_t *routine_threshold_find(struct routine_thresholds *thresholds, struct words key);

/* The threshold of a routine: its own, else that of its family, else general. */
uint64_t routine_threshold_get(const struct routine_thresholds *thresholds, enum family family,
                               enum element element, uint64_t general);

/*
 * Goes through the thresholds that are set: writes key (size bytes, always terminated) and bytes of
 * the next one. *position starts at 0. false after the last one.
 */
bool routine_threshold_next(const struct routine_thresholds *thresholds, int *position, char *key,
                            size_t size, uint64_t *bytes);

#endif
