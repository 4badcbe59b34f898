/* cards.h - which of several GPUs a process works on, and with how many others; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_DECIDE_CARDS_H
#define GPUSHIM_POLICY_DECIDE_CARDS_H

#include <stdbool.h>

#include "policy/decide/launch.h"

enum { CARDS_MAX = 32 };

/* The GPUs that a process sees, numbered from 0 in CUDA's order. */
struct cards {
	int count; /* 1 to CARDS_MAX */
	struct launch launch;
	/*
	 * Other processes that work on each, as far as they are known; of them those that have done
	 * so lately. Others of the launch that see the same GPUs, and that see others.
	 */
	int live[CARDS_MAX], users[CARDS_MAX];
	int same_view, other_views;
};

/*
 * Whether the launcher says which GPU is whose: it has started several processes on this node, and
 * this one knows its number among them. They are taken to see the same GPUs.
 */
bool cards_are_dealt(const struct cards *cards);

/*
 * Whether the launcher's processes on this node do not share these GPUs: the batch system counts as
 * many for the node as all processes see together, and none is known that sees the same; or all
 * processes are known, and some of them see others.
 */
bool cards_are_private(const struct cards *cards);

/*
 * All GPUs in the order in which the process tries them. Dealt ones: from that of its number among
 * the node's processes on, in a circle. Others: that with the fewest processes first, of equals
 * that with fewer of them at work lately, then the first. So a process that sees one GPU takes
 * that, whatever its number.
 */
void cards_order(const struct cards *cards, int order[CARDS_MAX]);

/*
 * Whether a process whose GPU is home may also use card: no other process works there. Dealt GPUs
 * beyond the number of processes are dealt on, in turn, unless they are private.
 */
bool cards_is_free(const struct cards *cards, int home, int card);

/*
 * Processes that work on the GPU, the own one included: those that are known, or those that the
 * launcher leads there if they are more.
 */
int cards_count_sharers(const struct cards *cards, int card);

#endif
