/* machine.h - what a machine can do, as far as predictions need it; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_MACHINE_H
#define GPUSHIM_POLICY_MACHINE_H

#include <stdbool.h>

#include "policy/call.h"

enum { MACHINE_NAME_BYTES = 128, MACHINE_MESSAGE_BYTES = 256 };

/*
 * A profile. Rates are in units per second: flops for arithmetic, bytes for links; costs in nanoseconds. A rate of 0
 * means unknown, and whatever would need it is not predicted; link_duplex, operation_ns and gpu_multiprocessors are
 * then assumed.
 */
struct machine {
	char name[MACHINE_NAME_BYTES];
	double cpu_gemm_flops[ELEMENT_COUNT], gpu_gemm_flops[ELEMENT_COUNT]; /* large square multiplications */
	double cpu_fft_flops[ELEMENT_COUNT], gpu_fft_flops[ELEMENT_COUNT];   /* 5 N log2 N counting; C and Z only */
	double link_up_bytes, link_down_bytes; /* host to device, device to host, as the shim moves operands */
	double link_duplex;                    /* the part of its rate that each link keeps while both move, 0 to 1 */
	double operation_ns;                   /* of one copy or kernel beside its bytes or flops */
	double gpu_multiprocessors;
	double call_fixed_ns; /* launch, synchronisation and bookkeeping of one offloaded call */
};

/*
 * Reads one line of a profile, "key = value" or "# comment" or blank, into machine (start from a zeroed struct).
 * Returns false with one sentence in message on an unknown key, a negative, infinite or unreadable number.
 * Rates are written as plain or scientific numbers in the units above.
 */
bool machine_parse_line(struct machine *machine, const char *line, char message[MACHINE_MESSAGE_BYTES]);

/* Whether the profile holds what any prediction needs: both links. false with one sentence in message otherwise. */
bool machine_is_usable(const struct machine *machine, char message[MACHINE_MESSAGE_BYTES]);

#endif
