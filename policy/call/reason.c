/* reason.c - the table behind reason.h */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/reason.h"

/* Arrays, not pointers: the table needs no relocation when the library is loaded. */
static const struct {
	char name[24];
	char sentence[80];
	enum outcome outcome;
} reason_table[REASON_COUNT] = {
#define REASON(id, name, outcome, sentence) {name, sentence, OUTCOME_##outcome},
#include "policy/call/reason.def"
};

/* Without room for the end of a text, C leaves the end away. */
#define REASON(id, name, outcome, sentence)                                                        \
	_Static_assert(sizeof(name) <= 24 && sizeof(sentence) <= 80, "longer than its array");
#include "policy/call/reason.def"

const char *reason_name(enum reason reason)
{
	return reason_table[reason].name;
}

enum outcome reason_outcome(enum reason reason)
{
	return reason_table[reason].outcome;
}

const char *reason_sentence(enum reason reason)
{
	return reason_table[reason].sentence;
}

bool reason_is_absence(enum reason reason)
{
	switch (reason) {
	case REASON_NO_CUDA:
	case REASON_NO_DRIVER:
	case REASON_DRIVER_TOO_OLD:
	case REASON_NO_DEVICE:
	case REASON_DEVICE_UNSUPPORTED:
	case REASON_SYMBOL_MISSING:
	case REASON_CUDA_START_FAILED:
	case REASON_MATH_NOT_NATIVE: return true;
	default: return false;
	}
}
