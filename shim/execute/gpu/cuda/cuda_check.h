/* cuda_check.h - whether a set of CUDA libraries fits the driver and the devices; shared by cuda.c's attempts */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_CHECK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_CHECK_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/* The libraries that belong together, newest first. */
struct cuda_major {
	int major;
	int least_capability;
	const char *soname[CUDA_LIBRARY_COUNT];
};

enum { CUDA_TRIED = 32 };

/* One attempt: a major in a place. */
struct cuda_attempt {
	const struct cuda_major *major;
	const char *devices;
	int device;     /* that a refusal is about, -1: the whole set */
	bool by_loader; /* cudart came from the loader, not from a folder */
	const struct cuda_guard *guard;
	struct cuda_search *search;
	struct cuda_set *set;
	const void *tried
		[CUDA_TRIED]; /* cudarts that were refused: a later place may show them again */
	int tried_count;
};

/* Remembers why the set is not taken and returns reason. */
__attribute__((format(printf, 4, 5))) enum reason cuda_check_refuse(struct cuda_attempt *attempt,
                                                                    enum reason reason,
                                                                    bool expected,
                                                                    const char *format, ...);

/*
 * Each asks the opened cudart one thing, in this order, and fills its part of the set: the
 * versions, the number of devices, and (cuda_devices.c) those of the option devices that the major
 * supports. Not REASON_NONE: refused and remembered. Devices that are not taken beside others are
 * remembered too.
 */
enum reason cuda_check_driver(struct cuda_attempt *attempt);
enum reason cuda_check_count(struct cuda_attempt *attempt);
enum reason cuda_devices_check(struct cuda_attempt *attempt);

/*
 * Fills search->place in the order of the search; each folder exists and stands there once. Reads
 * the environment and the list of loaded objects (takes the loader's lock).
 */
void cuda_places_list(const char *cuda_path, struct cuda_search *search);

#endif
