/* peers_child.c - a contestant of bench/peers as a child process that answers commands */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/peers_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/device.h"

static const double END_SECONDS = 5;

static void peers_child_become(const struct peers_child *child, const int to[2], const int from[2])
{
	const char *argv[PEERS_ARGUMENTS + 1] = {child->program};
	const int errors = open(child->errors, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	for (int i = 0; i < PEERS_ARGUMENTS - 1 && child->arguments[i] != NULL; i++)
		argv[i + 1] = child->arguments[i];
	dup2(to[0], 0);
	dup2(from[1], 1);
	if (errors >= 0)
		dup2(errors, 2);
	for (int i = 0; i < PEERS_SETTINGS; i++)
		if (child->setting[i][0] != '\0')
			putenv((char *)child->setting[i]);
	execv(child->program, (char **)argv);
	_exit(127);
}

bool peers_child_start(struct peers_child *child, char sentence[PEERS_SENTENCE_BYTES])
{
	int to[2] = {-1, -1}, from[2] = {-1, -1};
	child->pid = 0;
	if (pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0)
		child->pid = fork();
	if (child->pid == 0 && to[0] >= 0 && from[0] >= 0)
		peers_child_become(child, to, from);
	if (child->pid > 0) {
		close(to[0]);
		close(from[1]);
		child->to = to[1];
		child->from = from[0];
		return true;
	}
	snprintf(sentence, PEERS_SENTENCE_BYTES, "cannot start: %s", strerror(errno));
	for (int i = 0; i < 2; i++) {
		close(to[i]);
		close(from[i]);
	}
	child->pid = 0;
	return false;
}

/* Appends the last line that the child wrote to stderr, which often gives the reason. */
static void peers_child_quote(const struct peers_child *child, char sentence[PEERS_SENTENCE_BYTES])
{
	char line[256], last[256] = "";
	FILE *file = fopen(child->errors, "re");
	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		if (line[0] != '\n')
			strcpy(last, line);
	if (file != NULL)
		fclose(file);
	last[strcspn(last, "\n")] = '\0';
	const size_t used = strlen(sentence);
	if (last[0] != '\0')
		snprintf(sentence + used, PEERS_SENTENCE_BYTES - used, ": %s", last);
}

/* Waits for the child's end and describes it. */
static void peers_child_reap(struct peers_child *child, char sentence[PEERS_SENTENCE_BYTES])
{
	int status = 0;
	waitpid(child->pid, &status, 0);
	if (WIFSIGNALED(status))
		snprintf(sentence, PEERS_SENTENCE_BYTES, "died by signal %d", WTERMSIG(status));
	else
		snprintf(sentence, PEERS_SENTENCE_BYTES, "ended with status %d",
		         WEXITSTATUS(status));
	close(child->to);
	close(child->from);
	child->pid = 0;
}

/*
 * Waits until something can be read or the other end is closed. false where the time is up first.
 */
static bool peers_child_listen(int fd, double until)
{
	struct pollfd waiting = {.fd = fd, .events = POLLIN};
	for (;;) {
		const double left = until - device_seconds();
		const int found = poll(&waiting, 1, left > 0 ? (int)(left * 1e3) + 1 : 0);
		if (found > 0)
			return true;
		if (found == 0 && left <= 0)
			return false;
	}
}

/* Reads a line into answer. 1: a line, 0: the child closed its end, -1: no answer in time. */
static int peers_child_read(const struct peers_child *child, double seconds, char *answer,
                            size_t answer_bytes)
{
	const double until = device_seconds() + seconds;
	size_t used = 0;
	while (used + 1 < answer_bytes) {
		if (!peers_child_listen(child->from, until))
			return -1;
		if (read(child->from, answer + used, 1) != 1)
			return 0;
		if (answer[used] == '\n')
			break;
		used++;
	}
	answer[used] = '\0';
	return 1;
}

bool peers_child_ask(struct peers_child *child, const char *command, double seconds, char *answer,
                     size_t answer_bytes, char sentence[PEERS_SENTENCE_BYTES])
{
	char line[1024] = "";
	if (child->pid == 0) {
		snprintf(sentence, PEERS_SENTENCE_BYTES, "does not run any more");
		return false;
	}
	/* A failed write to an ended child shows when the answer is read. */
	const ssize_t written = write(child->to, command, strlen(command));
	const int heard = written < 0 ? 0 : peers_child_read(child, seconds, line, sizeof line);
	if (heard > 0 && strncmp(line, "ok", 2) == 0) {
		snprintf(answer, answer_bytes, "%s", line + 2);
		return true;
	}
	if (heard > 0) {
		snprintf(sentence, PEERS_SENTENCE_BYTES, "%.500s",
		         strncmp(line, "no ", 3) == 0 ? line + 3 : line);
		return false;
	}
	if (heard < 0)
		kill(child->pid, SIGKILL);
	peers_child_reap(child, sentence);
	if (heard < 0)
		snprintf(sentence, PEERS_SENTENCE_BYTES, "killed: no answer in %.0f s", seconds);
	peers_child_quote(child, sentence);
	return false;
}

void peers_child_stop(struct peers_child *child)
{
	char sentence[PEERS_SENTENCE_BYTES], rest;
	if (child->pid == 0)
		return;
	close(child->to);
	child->to = -1;
	if (!peers_child_listen(child->from, device_seconds() + END_SECONDS) ||
	    read(child->from, &rest, 1) != 0)
		kill(child->pid, SIGKILL);
	peers_child_reap(child, sentence);
}
