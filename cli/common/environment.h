/* environment.h - the environment of a program that is to be started */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_ENVIRONMENT_H
#define GPUSHIM_CLI_COMMON_ENVIRONMENT_H

#include <stddef.h>

/* entries: NAME=VALUE, ended by NULL; owned. */
struct environment {
	char **entries;
	size_t count;
};

/* Copies a list of NAME=VALUE, ended by NULL. */
void environment_copy(struct environment *environment, char *const *entries);
void environment_free(struct environment *environment);

/* The value, or NULL. */
const char *environment_get(const struct environment *environment, const char *name);
void environment_set(struct environment *environment, const char *name, const char *value);
void environment_remove(struct environment *environment, const char *name);

/* Sets EPOCHLY_GPU_<KEY>. */
void environment_set_option(struct environment *environment, const char *key, const char *value);

/*
 * Removes every libgpushim.so from LD_PRELOAD and, if shim is not NULL, puts this one first. Other
 * libraries stay.
 */
void environment_preload(struct environment *environment, const char *shim);

/* The same in LD_AUDIT with libgpushim-audit.so, and with libgpushim-coverage.so. */
void environment_audit(struct environment *environment, const char *audit);
void environment_count(struct environment *environment, const char *coverage);

#endif
