/* sim_libcuda.c - libcuda.so.1: passes the driver API on to the engine, which lives in a cudart */
/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "sim_driver.h"

static const struct sim_driver *_Atomic engine;
static pthread_once_t engine_once = PTHREAD_ONCE_INIT;

void simcuda_driver_offer(const struct sim_driver *driver)
{
	const struct sim_driver *none = NULL;
	atomic_compare_exchange_strong(&engine, &none, driver);
}

/* For a program that uses the driver alone: the newest cudart beside this library. */
static void engine_find(void)
{
	static const char *const sonames[] = {"libcudart.so.13", "libcudart.so.12",
	                                      "libcudart.so.11.0"};
	for (size_t i = 0; i < sizeof sonames / sizeof sonames[0]; i++) {
		const struct sim_driver *(*table)(void) = NULL;
		void *library = dlopen(sonames[i], RTLD_NOW | RTLD_LOCAL);
		void *symbol = library ? dlsym(library, "simcuda_driver_table") : NULL;
		memcpy(&table, &symbol, sizeof symbol);
		if (!table)
			continue;
		simcuda_driver_offer(table());
		return;
	}
}

static const struct sim_driver *engine_get(void)
{
	const struct sim_driver *found = atomic_load(&engine);
	if (found)
		return found;
	pthread_once(&engine_once, engine_find);
	return atomic_load(&engine);
}

#define SIM_DRIVER_FORWARD(name, parameters, arguments)                                            \
	SIM_API int name parameters;                                                               \
	int name parameters                                                                        \
	{                                                                                          \
		const struct sim_driver *found = engine_get();                                     \
		return found ? found->name arguments : SIM_cudaErrorInitializationError;           \
	}
SIM_DRIVER_CALLS(SIM_DRIVER_FORWARD)
