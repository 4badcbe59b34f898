/* peers_child.h - a contestant of bench/peers as a child process: started, asked, and buried if it does not answer */
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
	const char *arguments[PEERS_ARGUMENTS]; /* behind the program's name, NULL-terminated */
	char setting[PEERS_SETTINGS]
		    [2 * PEERS_PATH_BYTES]; /* NAME=value beside the present environment */
	char errors[PEERS_PATH_BYTES];      /* the file where its stderr goes */
	pid_t pid;                          /* 0: does not run */
	int to, from;                       /* pipes */
};

/* Starts it. false with a sentence where that cannot be done. */
bool peers_child_start(struct peers_child *child, char sentence[PEERS_SENTENCE_BYTES]);

/*
 * Sends command and reads the line of its answer into answer, without the "ok" in front. false with
 * a sentence where the child says no (it goes on running), ends, or says nothing for so many
 * seconds (it is killed: pid is 0 then).
 */
bool peers_child_ask(struct peers_child *child, const char *command, double seconds, char *answer,
                     size_t answer_bytes, char sentence[PEERS_SENTENCE_BYTES]);

/* Ends it: its stdin is closed, and a few seconds later it is killed. */
void peers_child_stop(struct peers_child *child);

#endif
