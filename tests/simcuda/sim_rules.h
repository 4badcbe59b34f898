/* sim_rules.h - what the rule and accuracy tests share: the libraries as a table, cases, checks */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_RULES_H
#define SIMCUDA_SIM_RULES_H

#include <stdbool.h>

#include "sim_cublas.h"
#include "sim_cudart.h"
#include "sim_cufft.h"
#include "sim_cusolver.h"

/* Every function of the tables, found by dlsym. NULL where the major does not have it. */
struct cuda_library {
#define SIM_FIELD_CUDART(name) __typeof__(name) *name;
#define SIM_FIELD_CUBLAS(name) __typeof__(name) *name;
#define SIM_FIELD_CUFFT(name) __typeof__(name) *name;
#define SIM_FIELD_CUSOLVER(name) __typeof__(name) *name;
#define SIM_FIELD_DEVICE(name)
#define SIM_FIELD_DRIVER(name)
#define SIM_CALL(name, library, error) SIM_FIELD_##library(name)
#include "sim_calls.def"
	__typeof__(simcuda_version) *simcuda_version; /* NULL: the real libraries */
	__typeof__(simcuda_count) *simcuda_count;
	__typeof__(simcuda_alive) *simcuda_alive;
	__typeof__(simcuda_memory_held) *simcuda_memory_held;
	__typeof__(simcuda_memory_high) *simcuda_memory_high;
	__typeof__(simcuda_memory_forget_high) *simcuda_memory_forget_high;
	__typeof__(simcuda_contexts) *simcuda_contexts;
	__typeof__(simcuda_host_policy) *simcuda_host_policy;
	__typeof__(simcuda_clock_ns) *simcuda_clock_ns;
	__typeof__(simcuda_host_alarm) *simcuda_host_alarm;
	__typeof__(simcuda_host_poll) *simcuda_host_poll;
	__typeof__(simcuda_host_work) *simcuda_host_work;
	__typeof__(simcuda_profile_value) *simcuda_profile_value;
	int major;
};
extern struct cuda_library cuda;

/*
 * A case runs in a process of its own, so that a sticky error or a crash does not affect other
 * cases.
 */
enum rule_kind {
	RULE_ANYWHERE,
	RULE_WITH_SOLVER, /* anywhere, but real libraries may have no cuSOLVER with them */
	RULE_SIM_ONLY
};
struct rule {
	const char *name;
	enum rule_kind kind;
	/*
	 * "NAME=value NAME=value", NULL for none. A rule with an environment runs on the stand-ins
	 * only.
	 */
	const char *environment;
	void (*run)(void);
};
extern const struct rule device_rules[], memory_rules[], copy_rules[], stream_rules[],
	cublas_rules[], level3_rules[], cufft_rules[], solver_rules[], decompose_rules[],
	geam_rules[], handle_rules[], fault_rules[], alive_rules[], clock_rules[], dry_rules[],
	hang_rules[], context_rules[], capture_rules[], float_rules[], node_rules[];

/* Reports a failed check and continues. */
#define CHECK(condition) rules_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_IS(actual, expected)                                                                 \
	rules_check_is((long)(actual), (long)(expected), __FILE__, __LINE__, #actual)
bool rules_check(bool passed, const char *file, int line, const char *text);
bool rules_check_is(long actual, long expected, const char *file, int line, const char *text);

/*
 * Opens the libraries of a major (0: the newest) from a folder, or from the first of several
 * with colons between them (NULL: where the loader looks). cuSOLVER may be missing.
 */
bool rules_open(const char *folder, int major);
/* Runs the lists, each ended by a rule without a name. Returns the exit status of main. */
int rules_run(const char *folder, int major, const struct rule *const lists[]);

/* Shorthands of the cases; a failure is a failed check. */
void *rules_device_memory(size_t size_bytes);
void *rules_device_copy(const void *from, size_t size_bytes);
void rules_read_back(void *to, const void *from, size_t size_bytes);
void *rules_stream(unsigned flags);
void *rules_event(void);
void *rules_handle(void);
bool rules_is_poison(double value);
void *rules_pinned(size_t size_bytes);
/*
 * Called before the first CUDA call. `text` is the profile for the variable SIMCUDA_CLOCK or
 * SIMCUDA_PROFILE.
 */
void rules_use_profile(const char *variable, const char *text);

#endif
