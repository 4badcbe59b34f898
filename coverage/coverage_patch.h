/* coverage_patch.h - addresses that the loader writes and tells nobody of: function pointers first of all */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_COVERAGE_COVERAGE_PATCH_H
#define GPUSHIM_COVERAGE_COVERAGE_PATCH_H

#include "coverage/coverage_bind.h"

/*
 * Puts stubs in place of the addresses that the loader has written by now; nothing is pending once it has written all.
 * Cheap while nothing has changed. One call at a time. parties: where the routines may be.
 */
void coverage_patch_object(struct coverage_party *object, const struct coverage_party *parties, int count);

#endif
