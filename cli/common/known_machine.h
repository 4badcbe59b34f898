/* known_machine.h - the machine that a call is weighed for, and what of it is only assumed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_KNOWN_MACHINE_H
#define GPUSHIM_CLI_COMMON_KNOWN_MACHINE_H

#include "cli/common/emit.h"
#include "policy/decide/decide.h"

enum { KNOWN_MACHINE_ASSUMED_BYTES = 160 };

/* profile: as it was read; complete: with its gaps filled by assumptions. */
struct known_machine {
	struct machine profile, complete;
	enum experience_source source;
	bool found;        /* there is a profile */
	bool is_reference; /* of a machine that is not this one */
};

/*
 * The profile that name stands for, a file or one of config/machines; where name is NULL the option
 * profile, then the one that calibrate stored, then assumptions alone. false after a sentence where
 * a named one cannot be used.
 */
bool known_machine_load(struct known_machine *machine, const char *name,
                        const struct options *options);

/*
 * Threads of the CPU library: of a reference machine all its cores, else the processors that this
 * process may use, or fewer where OPENBLAS_NUM_THREADS or OMP_NUM_THREADS says so.
 */
int known_machine_threads(const struct known_machine *machine);

/*
 * What predictions of such a call take from assumptions: "GPU rate, links"; empty where it is
 * nothing.
 */
void known_machine_list_assumed(const struct known_machine *machine, const struct call *call,
                                char text[KNOWN_MACHINE_ASSUMED_BYTES]);

/*
 * The object "machine" of a report: its name, whether it is measured and where, and the threads and
 * processes of the setting.
 */
void known_machine_emit(struct emit *emit, const struct known_machine *machine,
                        const struct cost_setting *setting);

#endif
