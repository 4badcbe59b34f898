/* settings.h - the options from files and the environment */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_SETTINGS_SETTINGS_H
#define GPUSHIM_SHIM_SETTINGS_SETTINGS_H

#include <stdbool.h>

#include "policy/options/options.h"
#include "shim/settings/settings_machine.h"

/*
 * Fills options from these sources, each overriding those before it: built-in defaults,
 * /etc/gpushim.conf, the user's $XDG_CONFIG_HOME/gpushim/gpushim.conf (else
 * ~/.config/gpushim/gpushim.conf), the file that EPOCHLY_GPU_CONFIG names, EPOCHLY_GPU_<KEY> in the
 * environment. Never fails: what cannot be used is reported by diag_warn and ignored. In a program
 * with raised rights (privilege.h) only the defaults count. Allocates
 * nothing and closes all files. The variables are those of variables.h.
 */
void settings_load(struct options *options);

/*
 * Whether the options only and except exclude this program: by the name of its file
 * (/proc/self/exe) or the name it was started by; a script's is its interpreter's.
 */
bool settings_program_excluded(const struct options *options);

#endif
