/* cli_place.h - where the shim and the machine profiles lie, seen from the tool's own file */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_CLI_PLACE_H
#define GPUSHIM_CLI_CLI_PLACE_H

/* The path of libgpushim.so, to be freed; NULL after a sentence where it is not found or cannot be preloaded. */
char *cli_place_find_shim(void);

/* The path of the audit library, which lies beside the shim; to be freed, NULL after a sentence where it does not. */
char *cli_place_find_audit(const char *shim);

/* The path of the profile NAME.conf, to be freed; NULL where there is none. */
char *cli_place_find_machine(const char *name);

#endif
