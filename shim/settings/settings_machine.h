/* settings_machine.h - which machine profile is used, and where it comes from */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SETTINGS_SETTINGS_MACHINE_H
#define GPUSHIM_SHIM_SETTINGS_SETTINGS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/machine/machine.h"
#include "policy/options/options.h"

/*
 * The profile to be used: the file that the option profile names, else the one that was measured
 * here (settings_machine_path), if there is one. False with machine zeroed where there is none, or
 * after one diag_warn where it cannot be used: it is not whole, not readable, or was measured on
 * another machine. Under the policy dry a named one may be of any machine. With raised privileges
 * (AT_SECURE) only a named one counts. As settings_load it never fails.
 */
bool settings_machine_find_machine(const struct options *options, struct machine *machine);

/* Reads a profile, of whatever machine. False after one diag_warn, with machine zeroed. */
bool settings_machine_load_machine(const char *path, struct machine *machine);

/*
 * Where the profile of this machine is kept: $XDG_CACHE_HOME/gpushim/machine-<host>.conf, else
 * ~/.cache/gpushim/machine-<host>.conf. False where the environment names neither folder, or size
 * is too small.
 */
bool settings_machine_path(char *path, size_t size);

/*
 * What profiles hold for here: host and cpu, as far as the system tells them; all else is zeroed.
 */
void settings_machine_describe_machine(struct machine *here);

#endif
