/* migration_reason.h - why no operands are moved to a device's memory; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_MIGRATION_REASON_H
#define GPUSHIM_POLICY_RESIDENT_MIGRATION_REASON_H

enum migration_reason {
#define MIGRATION_REASON(id, sentence) MIGRATION_REASON_##id,
#include "policy/resident/migration_reason.def"
	MIGRATION_REASONS
};

/* A clause without a full stop. */
const char *migration_reason_sentence(enum migration_reason reason);

#endif
