/* cuda_check.h - whether a set of CUDA libraries fits driver and devices; internal to cuda*.c */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_CHECK_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_CHECK_H

#include "shim/execute/gpu/cuda/cuda_api.h"

/* Libraries that belong together. */
struct cuda_major {
	int major;
	int least_capability;
	char soname[CUDA_LIBRARY_COUNT][CUDA_SONAME_BYTES];
};

enum { CUDA_TRIED = 32 };

/*
 * Where the libraries that belong to a cudart are searched: in the folders of its installation;
 * also in those of LD_LIBRARY_PATH; by the loader, which knows other installations too.
 */
enum cuda_reach { CUDA_REACH_FOLDERS, CUDA_REACH_PATH, CUDA_REACH_LOADER };

/*
 * A refused cudart: a later folder may lead to it again. incomplete: a library that belongs to it
 * was not found within this reach.
 */
struct cuda_tried {
	const void *runtime;
	enum cuda_reach reach;
	bool incomplete;
};

/* One attempt: a CUDA major in one folder. */
struct cuda_attempt {
	const struct cuda_major *major;
	const char *devices;
	int device; /* that a refusal is about; -1: the whole set */
	enum cuda_reach reach;
	bool incomplete; /* there is no cuBLAS or cuFFT to go with cudart */
	bool last;       /* all folders were searched */
	const struct cuda_guard *guard;
	struct cuda_search *search;
	struct cuda_set *set;
	struct cuda_tried tried[CUDA_TRIED];
	int tried_count;
};

/* Records why the set is not taken; returns reason. */
__attribute__((format(printf, 4, 5))) enum reason cuda_check_refuse(struct cuda_attempt *attempt,
                                                                    enum reason reason,
                                                                    bool expected,
                                                                    const char *format, ...);

/*
 * Called in this order on an opened cudart. They fill the versions, the number of devices, and
 * (cuda_devices.c) the devices that the option devices names and the major supports. Not
 * REASON_NONE: refused and recorded. Devices that are left out beside usable ones are recorded too.
 */
enum reason cuda_check_driver(struct cuda_attempt *attempt);
enum reason cuda_check_count(struct cuda_attempt *attempt);
enum reason cuda_devices_check(struct cuda_attempt *attempt);

/*
 * Fills search->place in search order with existing folders, without duplicates. Reads the
 * environment and the list of loaded objects (takes the loader's lock).
 */
void cuda_places_list(const char *cuda_path, struct cuda_search *search);

#endif
