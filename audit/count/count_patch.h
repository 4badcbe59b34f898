/* count_patch.h - addresses that the loader writes and tells nobody of: function pointers first of all */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_COUNT_COUNT_PATCH_H
#define GPUSHIM_AUDIT_COUNT_COUNT_PATCH_H

#include "audit/count/count_bind.h"

/*
 * Puts stubs in place of the addresses that the loader has written by now; nothing is pending once
 * it has written all. Cheap while nothing has changed. One call at a time. parties: where the
 * routines may be.
 */
void count_patch_object(struct count_party *object, const struct count_party *parties, int count);

#endif
