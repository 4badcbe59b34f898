/* environment.h - the environment of a program that is to be started */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_ENVIRONMENT_H
#define GPUSHIM_CLI_COMMON_ENVIRONMENT_H

#include <stddef.h>

/* entries end with NULL; all of them are owned. */
struct environment {
	char **entries;
	size_t count;
};

/* A copy of the tool's own. */
void environment_copy(struct environment *environment, char *const *entries);
void environment_free(struct environment *environment);

/* The value, or NULL. */
const char *environment_get(const struct environment *environment, const char *name);
void environment_set(struct environment *environment, const char *name, const char *value);
void environment_remove(struct environment *environment, const char *name);

/* Sets EPOCHLY_GPU_<KEY>. */
void environment_set_option(struct environment *environment, const char *key, const char *value);

/*
 * LD_PRELOAD without any libgpushim.so, and where shim is not NULL with this one in front of what
 * else was there.
 */
void environment_preload(struct environment *environment, const char *shim);

/* The same for LD_AUDIT and the audit library. */
void environment_audit(struct environment *environment, const char *audit);

#endif
