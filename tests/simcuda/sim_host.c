/* sim_host.c - work of host threads in virtual time: alarms, and a thread that computes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "sim_engine.h"

enum { HOST_ALARMS = 64 };

/* What a host thread has under way. The lock guards it. */
static struct host_alarm {
	double at_ns;
	void (*call)(void *data);
	void *data;
} alarms[HOST_ALARMS];
static int alarm_count;

int simcuda_host_alarm(unsigned long long delay_ns, void (*call)(void *data), void *data)
{
	sim_lock();
	bool room = alarm_count < HOST_ALARMS;
	if (room)
		alarms[alarm_count++] =
			(struct host_alarm){(double)sim_clock_now() + (double)delay_ns, call, data};
	sim_unlock();
	return room;
}

/* The earliest; of several of one moment that which was set first. -1: none. */
static int host_first(void)
{
	int first = alarm_count > 0 ? 0 : -1;
	for (int i = 1; i < alarm_count; i++)
		if (alarms[i].at_ns < alarms[first].at_ns)
			first = i;
	return first;
}

double sim_host_due(double now_ns)
{
	int first = host_first();
	return first < 0 ? INFINITY : fmax(alarms[first].at_ns - now_ns, 0);
}

bool sim_host_ring(double now_ns)
{
	int first = host_first();
	if (first < 0 || alarms[first].at_ns > now_ns)
		return false;
	struct host_alarm due = alarms[first];
	alarm_count--;
	for (int i = first; i < alarm_count; i++)
		alarms[i] = alarms[i + 1];
	sim_unlock();
	due.call(due.data);
	sim_lock();
	return true;
}

void simcuda_host_work(unsigned long long work_ns)
{
	sim_lock();
	if (sim_clock_is_on())
		sim_clock_work((double)work_ns);
	sim_unlock();
}
