/* track_reason.c - the table behind track_reason.h */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resident/track_reason.h"

/* Arrays, not pointers: the table needs no relocation when the library is loaded. */
static const struct {
	char name[20];
	char sentence[80];
} track_reason_table[TRACK_REASON_COUNT] = {
#define TRACK_REASON(id, name, sentence, remedy) {name, sentence},
#include "policy/resident/track_reason.def"
};

const char *track_reason_name(enum track_reason reason)
{
	return track_reason_table[reason].name;
}

const char *track_reason_sentence(enum track_reason reason)
{
	return track_reason_table[reason].sentence;
}

bool track_reason_is_final(enum track_reason reason)
{
	return reason == TRACK_REASON_LOST || reason == TRACK_REASON_CUDA ||
	       reason == TRACK_REASON_WRONG || reason == TRACK_REASON_FILTERED;
}
