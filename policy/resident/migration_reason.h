/* migration_reason.h - why no operands are moved to a device's memory; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_MIGRATION_REASON_H
#define GPUSHIM_POLICY_RESIDENT_MIGRATION_REASON_H

#include <stdbool.h>

enum migration_reason {
#define MIGRATION_REASON(id, sentence) MIGRATION_REASON_##id,
#include "policy/resident/migration_reason.def"
	MIGRATION_REASONS
};

/* Whether operands can be moved to a card's memory: NONE or NOT_COHERENT, NO_NODE. */
enum migration_reason migration_reason_judge(bool reads_host, int memory_node);

/* A clause without a full stop. */
const char *migration_reason_sentence(enum migration_reason reason);

#endif
