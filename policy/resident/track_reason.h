/* track_reason.h - the reasons why writes are not tracked; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_RESIDENT_TRACK_REASON_H
#define GPUSHIM_POLICY_RESIDENT_TRACK_REASON_H

#include <stdbool.h>

enum track_reason {
#define TRACK_REASON(id, name, sentence, remedy) TRACK_REASON_##id,
#include "policy/resident/track_reason.def"
#undef TRACK_REASON
	TRACK_REASON_COUNT
};

/* Static strings: a word for logs, and a sentence. */
const char *track_reason_name(enum track_reason reason);
const char *track_reason_sentence(enum track_reason reason);

/* Whether nothing is tracked any more in this process; other reasons may end. */
bool track_reason_is_final(enum track_reason reason);

#endif
