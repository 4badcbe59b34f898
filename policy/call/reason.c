/* reason.c - the table behind reason.h */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/call/reason.h"

/* Arrays, not pointers: the table needs no relocation when the library is loaded. */
static const struct {
	char name[24];
	char sentence[72];
	enum outcome outcome;
} reason_table[REASON_COUNT] = {
#define REASON(id, name, outcome, sentence) {name, sentence, OUTCOME_##outcome},
#include "policy/call/reason.def"
};

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
