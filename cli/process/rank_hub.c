/* rank_hub.c - a socket of the abstract name space, and a thread that serves it */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process/rank_hub.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/process/rank_family.h"
#include "shim/base/clock.h"

/*
 * HUB_FIRST_MS: how long other ranks leave it to the node's rank 0 to be the first. HUB_LATE_MS:
 * how long the first waits for ranks that have not come. HUB_HURRY_MS: for those that have, once a
 * signal ended the program. HUB_ANSWER_SECONDS: for an answer of the first.
 */
enum { HUB_FIRST_MS = 200, HUB_STEP_MS = 5, HUB_LATE_MS = 1000, HUB_HURRY_MS = 2000 };
enum { HUB_ANSWER_SECONDS = 5, HUB_NAME_BYTES = 4096 };

static const char *rank_hub_find_value(const char *name)
{
	return getenv(name);
}

/* The name has a zero byte in front, and no file. */
static socklen_t rank_hub_name(const struct rank_hub *hub, struct sockaddr_un *address)
{
	char name[sizeof address->sun_path];
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	const int length =
		snprintf(name, sizeof name, "gpushim-%lu-%016llx", (unsigned long)geteuid(),
	                 (unsigned long long)rank_family_find(&hub->world));
	memcpy(address->sun_path + 1, name, (size_t)length);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static bool rank_hub_is_own(int socket)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       peer.uid == geteuid();
}

static int rank_hub_listen(const struct sockaddr_un *address, socklen_t length)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && bind(fd, (const struct sockaddr *)address, length) == 0 &&
	    listen(fd, SOMAXCONN) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int rank_hub_connect(const struct sockaddr_un *address, socklen_t length)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)address, length) == 0 &&
	    rank_hub_is_own(fd))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The first sends the name of its store and a zero byte. false: it does not serve. */
static bool rank_hub_hear(struct rank_hub *hub, int fd)
{
	const struct timeval patience = {.tv_sec = HUB_ANSWER_SECONDS};
	const int32_t rank = hub->world.rank;
	char name[HUB_NAME_BYTES];
	size_t got = 0;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	if (send(fd, &rank, sizeof rank, MSG_NOSIGNAL) != (ssize_t)sizeof rank)
		return false;
	while (got < sizeof name) {
		const ssize_t more = recv(fd, name + got, sizeof name - got, 0);
		if (more < 0 && errno == EINTR)
			continue;
		if (more <= 0)
			return false;
		got += (size_t)more;
		if (name[got - 1] != '\0')
			continue;
		hub->store = say_text("%s", name);
		return true;
	}
	return false;
}

static bool rank_hub_try(struct rank_hub *hub, const struct sockaddr_un *address, socklen_t length)
{
	const int fd = rank_hub_connect(address, length);
	if (fd < 0)
		return false;
	if (rank_hub_hear(hub, fd)) {
		hub->role = RANK_HUB_MEMBER;
		hub->socket = fd;
		return true;
	}
	close(fd);
	return false;
}

void rank_hub_enter(struct rank_hub *hub, bool shall)
{
	const struct launch node = launch_describe(rank_hub_find_value);
	struct sockaddr_un address;
	*hub = (struct rank_hub){.role = RANK_HUB_ALONE,
	                         .world = launch_describe_world(rank_hub_find_value),
	                         .processes = node.processes,
	                         .socket = -1,
	                         .stop = {-1, -1}};
	if (!shall || hub->world.rank < 0 || hub->world.size <= 1)
		return;
	const socklen_t length = rank_hub_name(hub, &address);
	for (int waited = 0; node.rank != 0 && waited < HUB_FIRST_MS; waited += HUB_STEP_MS) {
		if (rank_hub_try(hub, &address, length))
			return;
		usleep(HUB_STEP_MS * 1000);
	}
	hub->socket = rank_hub_listen(&address, length);
	if (hub->socket >= 0)
		hub->role = RANK_HUB_FIRST;
	else
		rank_hub_try(hub, &address, length);
}

/* -- the first --------------------------------------------------------------------------------- */

/* polled: the listening socket, the pipe that ends the wait, then the members that are there. */
struct hub_table {
	struct rank_hub *hub;
	const char *store;
	struct pollfd *polled;
	size_t count;
	int arrived;
	bool ending;
	int64_t limit_ns, late_ns;
};

enum { HUB_LISTENER, HUB_STOP, HUB_MEMBERS };

static void rank_hub_admit(struct hub_table *table)
{
	const int fd = accept4(table->hub->socket, NULL, NULL, SOCK_CLOEXEC);
	const size_t size = (table->count + 1) * sizeof *table->polled;
	if (fd < 0)
		return;
	if (!rank_hub_is_own(fd) ||
	    send(fd, table->store, strlen(table->store) + 1, MSG_NOSIGNAL) < 0) {
		close(fd);
		return;
	}
	table->polled = say_need(realloc(table->polled, size));
	table->polled[table->count++] = (struct pollfd){.fd = fd, .events = POLLIN};
	table->arrived++;
}

/* A member sends its rank once, and nothing more until it ends. */
static void rank_hub_follow(struct hub_table *table, size_t i)
{
	int32_t rank = -1;
	const ssize_t got = recv(table->polled[i].fd, &rank, sizeof rank, MSG_DONTWAIT);
	if (got == (ssize_t)sizeof rank) {
		table->hub->lead = table->hub->lead || rank == 0;
		return;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(table->polled[i].fd);
	table->polled[i] = table->polled[--table->count];
}

/* 'h' hurries. */
static void rank_hub_begin_end(struct hub_table *table)
{
	char how = 'h';
	const int64_t now_ns = clock_monotonic_ns();
	if (read(table->hub->stop[0], &how, 1) < 0)
		how = 'h';
	table->ending = true;
	table->polled[HUB_STOP].fd = -1;
	table->late_ns = how == 'h' ? now_ns : now_ns + HUB_LATE_MS * INT64_C(1000000);
	table->limit_ns = how == 'h' ? now_ns + HUB_HURRY_MS * INT64_C(1000000) : INT64_MAX;
}

/* Milliseconds until the next moment at which there may be nothing to wait for; -1: none. */
static int rank_hub_find_patience(const struct hub_table *table)
{
	const bool late = table->arrived + 1 < table->hub->processes;
	int64_t until_ns = table->count > HUB_MEMBERS ? table->limit_ns : late ? table->late_ns : 0;
	if (!table->ending || until_ns == INT64_MAX)
		return -1;
	const int64_t left_ns = until_ns - clock_monotonic_ns();
	return left_ns <= 0 ? 0 : (int)(left_ns / 1000000 + 1);
}

static void *rank_hub_run(void *argument)
{
	struct hub_table *table = argument;
	for (int patience = -1; patience != 0; patience = rank_hub_find_patience(table)) {
		const int ready = poll(table->polled, table->count, patience);
		if (ready <= 0)
			continue;
		for (size_t i = table->count; i-- > HUB_MEMBERS;)
			if (table->polled[i].revents != 0)
				rank_hub_follow(table, i);
		if (table->polled[HUB_STOP].revents != 0)
			rank_hub_begin_end(table);
		if (table->polled[HUB_LISTENER].revents != 0)
			rank_hub_admit(table);
	}
	for (size_t i = HUB_MEMBERS; i < table->count; i++)
		close(table->polled[i].fd);
	free(table->polled);
	free(table);
	return NULL;
}

/* Signals are the main thread's, which forwards them to the program. */
static bool rank_hub_start(struct rank_hub *hub, struct hub_table *table)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	const bool started = pthread_create(&hub->thread, NULL, rank_hub_run, table) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

void rank_hub_serve(struct rank_hub *hub, const char *store)
{
	if (hub->role != RANK_HUB_FIRST || store == NULL || pipe2(hub->stop, O_CLOEXEC) != 0)
		return;
	struct hub_table *table = say_need(calloc(1, sizeof *table));
	*table = (struct hub_table){.hub = hub, .store = store, .count = HUB_MEMBERS};
	table->polled = say_need(calloc(HUB_MEMBERS, sizeof *table->polled));
	table->polled[HUB_LISTENER] = (struct pollfd){.fd = hub->socket, .events = POLLIN};
	table->polled[HUB_STOP] = (struct pollfd){.fd = hub->stop[0], .events = POLLIN};
	hub->lead = hub->world.rank == 0 || hub->processes >= hub->world.size;
	hub->serves = rank_hub_start(hub, table);
	if (hub->serves)
		return;
	free(table->polled);
	free(table);
}

void rank_hub_wait(struct rank_hub *hub, bool hurried)
{
	if (!hub->serves)
		return;
	if (write(hub->stop[1], hurried ? "h" : "w", 1) < 0) {
		close(hub->stop[1]);
		hub->stop[1] = -1;
	}
	pthread_join(hub->thread, NULL);
	hub->serves = false;
}

/* -- members ----------------------------------------------------------------------------------- */

bool rank_hub_is_orphan(const struct rank_hub *hub)
{
	char byte;
	return hub->role == RANK_HUB_MEMBER &&
	       recv(hub->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void rank_hub_leave(struct rank_hub *hub)
{
	rank_hub_wait(hub, true);
	const int fds[] = {hub->socket, hub->stop[0], hub->stop[1]};
	for (size_t i = 0; hub->role != RANK_HUB_ALONE && i < sizeof fds / sizeof fds[0]; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(hub->store);
	*hub = (struct rank_hub){.role = RANK_HUB_ALONE, .socket = -1, .stop = {-1, -1}};
}
