/* known_machine.h - the machine that predictions are for, and what of it is assumed */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMMON_KNOWN_MACHINE_H
#define GPUSHIM_CLI_COMMON_KNOWN_MACHINE_H

#include "cli/common/emit.h"
#include "policy/decide/decide.h"
#include "policy/machine/machine_phrase.h"

enum { KNOWN_MACHINE_ASSUMED_BYTES = 160 };

/*
 * profile: as it was read. complete: the same with its gaps filled by assumptions. found: there is
 * a profile. is_reference: the profile is of another machine. is_named: the user named it;
 * is_asked: by the command, not by an option of the shim. here: as machine_phrase needs it.
 */
struct known_machine {
	struct machine profile, complete;
	enum experience_source source;
	bool found;
	bool is_reference;
	bool is_named, is_asked;
	struct machine_here here;
};

/*
 * The path of the profile that name stands for, a file or one of config/machines; to be freed. NULL
 * after a message with the names that there are.
 */
char *known_machine_find(const char *name);

/*
 * Loads the profile that name stands for: a file, or one of config/machines. Where name is NULL:
 * the one of the option profile, else the one that calibrate stored; else, and where that knows no
 * GPU, the reference machine h200 if the kernel shows no GPU; else assumptions alone. A dry run
 * finds the same. false after a message where a named profile cannot be used.
 */
bool known_machine_load(struct known_machine *machine, const char *name,
                        const struct options *options);

/*
 * The same for the reference machine with this name, as logs have it. false, with *machine as it
 * was, where none has it.
 */
bool known_machine_load_called(struct known_machine *machine, struct words name);

/*
 * Threads of the CPU library. Reference machine that the user named: all its cores. Otherwise the
 * processors that this process may use, or fewer where OPENBLAS_NUM_THREADS or OMP_NUM_THREADS says
 * so.
 */
int known_machine_threads(const struct known_machine *machine);

/*
 * Lists the figures that predictions of this call take from assumptions: "GPU rate, links". Empty
 * where there are none.
 */
void known_machine_list_assumed(const struct known_machine *machine, const struct call *call,
                                char text[KNOWN_MACHINE_ASSUMED_BYTES]);

/*
 * Writes the object "machine" of a report: name, whether and where it was measured, and the threads
 * and processes of the setting.
 */
void known_machine_emit(struct emit *emit, const struct known_machine *machine,
                        const struct cost_setting *setting);

#endif
