/* migration_reason.c - the table behind migration_reason.h */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/migration_reason.h"

/* Arrays, not pointers: the table needs no relocation when the library is loaded. */
static const char migration_reason_table[MIGRATION_REASONS][80] = {
#define MIGRATION_REASON(id, sentence) sentence,
#include "policy/resident/migration_reason.def"
};

const char *migration_reason_sentence(enum migration_reason reason)
{
	return migration_reason_table[reason];
}

enum migration_reason migration_reason_judge(bool reads_host, int memory_node)
{
	if (!reads_host)
		return MIGRATION_REASON_NOT_COHERENT;
	return memory_node < 0 ? MIGRATION_REASON_NO_NODE : MIGRATION_REASON_NONE;
}
