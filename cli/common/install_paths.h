/* install_paths.h - finds the shim, the audit library and machine profiles */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_INSTALL_PATHS_H
#define GPUSHIM_CLI_COMMON_INSTALL_PATHS_H

/* The path of libgpushim.so, to be freed; NULL where it is not found. */
char *install_paths_find_shim(void);

/*
 * Why the shim of this path cannot be preloaded, to be freed, and what to do then; NULL where it
 * can be. The path is NULL where there is no shim.
 */
char *install_paths_refuse_shim(const char *path, const char **remedy);

/* As install_paths_find_shim; NULL after a message also where it cannot be preloaded. */
char *install_paths_need_shim(void);

/*
 * The path of the audit library, which lies beside the shim; to be freed. NULL after a message
 * where it is missing.
 */
char *install_paths_find_audit(const char *shim);

/* The path of the profile NAME.conf, to be freed; NULL where there is none. */
char *install_paths_find_machine(const char *name);

/*
 * The names of the profiles, in alphabetical order; NULL ends the list. It lives as long as the
 * tool.
 */
char **install_paths_list_machines(void);

#endif
