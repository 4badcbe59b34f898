/* sim_first.c - the first launch of a function's kernel on a device loads its code */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "sim_engine.h"
#include "sim_profile.h"

/* Held while code is loaded: launches by other threads wait, as for the driver's lock. */
static pthread_mutex_t first_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool first_used[SIM_CALL_COUNT][SIM_MAX_DEVICES];

static void first_sleep(double milliseconds)
{
	const long nanoseconds = (long)(milliseconds * 1e6);
	struct timespec left = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

double sim_first_load_ns(int call)
{
	const double milliseconds = sim_config()->first_ms;
	const int device = simcuda_device();
	double virtual_ns = 0;
	if (!(milliseconds > 0) || device < 0 || device >= SIM_MAX_DEVICES)
		return 0;
	pthread_mutex_lock(&first_mutex);
	if (!first_used[call][device]) {
		first_used[call][device] = true;
		if (sim_clock_is_on())
			virtual_ns = milliseconds * 1e6;
		else
			first_sleep(milliseconds);
	}
	pthread_mutex_unlock(&first_mutex);
	return virtual_ns;
}
