/* settings_machine.h - finds the machine profile */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SETTINGS_SETTINGS_MACHINE_H
#define GPUSHIM_SHIM_SETTINGS_SETTINGS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/machine/machine.h"
#include "policy/options/options.h"

/*
 * Finds the profile: the file that the option profile names, else the one measured here
 * (settings_machine_path) if there is one. False, with machine zeroed, where there is none, or
 * after one diag_warn where it is incomplete, unreadable or measured on another machine. Under
 * policy dry a named one may be of any machine, and where none is named and the kernel shows no
 * GPU, the GPU is the reference machine's, h200. With raised rights (privilege.h) there is none. As
 * settings_load it never fails.
 */
bool settings_machine_find_machine(const struct options *options, struct machine *machine);

/* Reads a profile of any machine. False after one diag_warn, with machine zeroed. */
bool settings_machine_load_machine(const char *path, struct machine *machine);

/*
 * The path of this machine's profile: $XDG_CACHE_HOME/gpushim/machine-<host>.conf, else
 * ~/.cache/gpushim/machine-<host>.conf. False where the environment names neither folder, or size
 * is too small.
 */
bool settings_machine_path(char *path, size_t size);

/* Host and CPU of this machine, as far as the system tells them; the rest is zeroed. */
void settings_machine_describe_machine(struct machine *here);

#endif
