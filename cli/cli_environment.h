/* cli_environment.h - the environment of a program that is to be started */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_ENVIRONMENT_H
#define GPUSHIM_CLI_CLI_ENVIRONMENT_H

#include <stddef.h>

/* entries end with NULL; all of them are owned. */
struct cli_environment {
	char **entries;
	size_t count;
};

/* A copy of the tool's own. */
void cli_environment_copy(struct cli_environment *environment, char *const *entries);
void cli_environment_free(struct cli_environment *environment);

/* The value, or NULL. */
const char *cli_environment_get(const struct cli_environment *environment, const char *name);
void cli_environment_set(struct cli_environment *environment, const char *name, const char *value);
void cli_environment_remove(struct cli_environment *environment, const char *name);

/* Sets EPOCHLY_GPU_<KEY>. */
void cli_environment_set_option(struct cli_environment *environment, const char *key, const char *value);

/*
 * LD_PRELOAD without any libgpushim.so, and where shim is not NULL with this one in front of what else was there.
 */
void cli_environment_preload(struct cli_environment *environment, const char *shim);

/* The same for LD_AUDIT and the audit library. */
void cli_environment_audit(struct cli_environment *environment, const char *audit);

#endif
