/* route_dry.h - a dry run: what policy auto would do with the calls that stay on the CPU */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_ROUTE_ROUTE_DRY_H
#define GPUSHIM_SHIM_ROUTE_ROUTE_DRY_H

#include "policy/options/options.h"
#include "shim/route/visit.h"
#include "shim/shield/shield.h"

/*
 * Begins where the policy of any routine is dry, and the program is not excluded. After
 * route_machine_open and counters_open; once.
 */
void route_dry_open(const struct options *options, bool program_excluded);

/* Whether there is a dry run. */
bool route_dry_is_open(void);

/*
 * Around the record of a call: the decision becomes that of the prediction, with the CPU as its
 * target. Records are written in the order of the prediction, so that whoever replays the log finds
 * the same. No other call of the process is recorded in between. begin returns the name of the
 * machine that the expected times are for.
 */
const char *route_dry_begin(struct visit *visit, int64_t elapsed_ns, struct shield *shield);
void route_dry_end(const struct shield *shield);

/* Around fork. A child begins its own prediction. */
void route_dry_before_fork(void);
void route_dry_after_fork_parent(void);
void route_dry_after_fork_child(void);

/* In a child that ran no handler of fork: frees the lock. */
void route_dry_renew(void);

#endif
