/* peers_child.h - a contestant of bench/peers as a child process that answers commands */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_BENCH_PEERS_PEERS_CHILD_H
#define GPUSHIM_BENCH_PEERS_PEERS_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	PEERS_SENTENCE_BYTES = 600,
	PEERS_SETTINGS = 8,
	PEERS_ARGUMENTS = 4,
	PEERS_PATH_BYTES = 1024
};

struct peers_child {
	char program[PEERS_PATH_BYTES];
	const char *arguments[PEERS_ARGUMENTS]; /* after the program's name, NULL-terminated */
	/* NAME=value, added to the present environment */
	char setting[PEERS_SETTINGS][2 * PEERS_PATH_BYTES];
	char errors[PEERS_PATH_BYTES]; /* the file that gets its stderr */
	pid_t pid;                     /* 0 while it does not run */
	int to, from;                  /* pipes */
};

/* Starts the child. false with a sentence where that fails. */
bool peers_child_start(struct peers_child *child, char sentence[PEERS_SENTENCE_BYTES]);

/*
 * Sends command and copies the line of its answer to answer, without the "ok" in front. false with
 * a sentence where the child says no (it goes on running), ends, or does not answer for this many
 * seconds (it is killed; pid is 0 then).
 */
bool peers_child_ask(struct peers_child *child, const char *command, double seconds, char *answer,
                     size_t answer_bytes, char sentence[PEERS_SENTENCE_BYTES]);

/* Ends the child: closes its stdin, and kills it a few seconds later. */
void peers_child_stop(struct peers_child *child);

#endif
