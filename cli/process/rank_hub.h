/* rank_hub.h - the tools of a node's ranks find each other: one has the counters and prints */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_PROCESS_RANK_HUB_H
#define GPUSHIM_CLI_PROCESS_RANK_HUB_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "policy/decide/launch.h"

/*
 * ALONE: the tool is no rank, or finds no other. FIRST: it has the store and prints. MEMBER: its
 * program counts in the first one's store.
 */
enum rank_hub_role { RANK_HUB_ALONE, RANK_HUB_FIRST, RANK_HUB_MEMBER };

/*
 * The tools of a launch on one node, of one user, meet at a socket that has a name and no file, so
 * that nothing is left however they end. The kernel closes a connection when its tool ends or is
 * killed: nobody waits for one that is gone.
 *
 * store: a member's name of the store, owned. lead: of the first, whether the launch's rank 0 is on
 * this node.
 */
struct rank_hub {
	enum rank_hub_role role;
	struct launch_world world;
	int processes;
	char *store;
	int socket, stop[2];
	bool lead, serves;
	pthread_t thread;
};

/* Joins the hub, or becomes its first, if it shall. Waits at most for a few seconds. */
void rank_hub_enter(struct rank_hub *hub, bool shall);

/* The first: hands the name of its store to those who come; NULL: nobody is served. */
void rank_hub_serve(struct rank_hub *hub, const char *store);

/*
 * The first: waits until the programs of all members have ended. For members that have not come yet
 * it waits a second, or not at all when hurried.
 */
void rank_hub_wait(struct rank_hub *hub, bool hurried);

/* A member: whether the first is gone, and with it the summary. */
bool rank_hub_is_orphan(const struct rank_hub *hub);

/* Tells the first that this rank has ended, and frees what the hub has. */
void rank_hub_leave(struct rank_hub *hub);

#endif
