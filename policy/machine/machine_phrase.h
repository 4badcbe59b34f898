/* machine_phrase.h - how a sentence names the machine of a prediction, and its source; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_MACHINE_PHRASE_H
#define GPUSHIM_POLICY_MACHINE_MACHINE_PHRASE_H

#include "policy/machine/machine.h"

enum { MACHINE_PHRASE_BYTES = 192 };

/* What the running machine has. absence: "no driver", "no GPU"; NULL where there is a GPU. */
struct machine_here {
	const char *absence;
	bool is_it; /* the profile is this machine's */
};

/*
 * Writes "here: CPU (no driver). On an H200 (assumed, not measured)", without a colon or a full
 * stop. machine: the profile as it was read, with no name, host and GPU where there is none.
 */
void machine_phrase(const struct machine *machine, const struct machine_here *here,
                    char text[MACHINE_PHRASE_BYTES]);

/* "measured", "assumed": where the figures of the GPU come from. */
const char *machine_phrase_source(const struct machine *machine);

#endif
