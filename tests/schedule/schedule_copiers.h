/* schedule_copiers.h - the engine's copy threads in virtual time: this program's copiers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_TESTS_SCHEDULE_SCHEDULE_COPIERS_H
#define GPUSHIM_TESTS_SCHEDULE_SCHEDULE_COPIERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The host that copies. threads: copying threads, the caller included; at most cores of them run at
 * a time, the caller on one of its own. copy_gbytes_s: of one thread; 0: copies take no time.
 * wake_us: a thread that had nothing to do for a while begins so much later.
 */
struct schedule_host {
	int threads, cores;
	double copy_gbytes_s, wake_us;
};

/* From now on copies take as long as on this host; before, they take no time. */
void schedule_copiers_start(const struct schedule_host *host);

/* The virtual time of the simulated CUDA in ns, for flow_set_clock. */
int64_t schedule_copiers_now_ns(void);

/* The same, and no time passes by that. */
int64_t schedule_copiers_see_ns(void);

/* Whether a copy thread asks the kernel a question, which takes real time: its own. */
bool schedule_copiers_is_asking(void);

/* Calls back after that time, in whichever thread moves the clock then. */
void schedule_copiers_ring(double delay_ns, void (*call)(void *data), void *data);

/* Virtual time passes in which the calling thread works. */
void schedule_copiers_work(double work_ns);

#endif
