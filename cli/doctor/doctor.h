/* doctor.h - the parts of `gpushim doctor`: each adds facts and lines of the verdict */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_DOCTOR_DOCTOR_H
#define GPUSHIM_CLI_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/doctor/doctor_report.h"
#include "cli/process/front_words.h"
#include "policy/call/reason.h"
#include "policy/options/options.h"
#include "shim/execute/gpu/cuda/cuda.h"

/* What the kernel says of NVIDIA's driver and cards, without CUDA. */
struct doctor_driver {
	char *file; /* the file of libcuda.so.1, owned; NULL where it cannot be loaded */
	bool has_module, has_card; /* the kernel module is loaded; a card is on the PCI bus */
	bool is_contained;         /* this is a container */
};

/*
 * options: as the shim reads them here. words: the words behind the doctor's own, ended by NULL;
 * NULL without a program. front: what stands in front of the program in them; name: the program's
 * name, NULL where there is none. gpu: why the GPU cannot be used, REASON_NONE if it can.
 * largest_bytes: memory of the largest card that is used, 0 where it is unknown. changed_options:
 * how many are not at their defaults. shim: the library's path, owned, NULL where it is not found.
 * program_unknown: only a run would show which routines the program calls; program_launches: it
 * computes nothing itself, but starts other programs.
 */
struct doctor {
	struct options options;
	struct doctor_report report;
	struct doctor_driver driver;
	char **words;
	struct front_words front;
	const char *name;
	enum reason gpu;
	struct cuda_set set;
	struct cuda_search search;
	uint64_t largest_bytes;
	int changed_options;
	char *shim;
	struct program_file program;
	bool program_unknown, program_launches;
};

/* Driver, cards and CUDA libraries. */
void doctor_driver_examine(struct doctor *doctor);
void doctor_gpu_examine(struct doctor *doctor);

/*
 * The place in the set of the GPU that the shim takes first, by the option devices, the launcher
 * and the other processes of this user on each. order: of all places as they are tried.
 */
void doctor_cards_order(const struct doctor *doctor, int order[CUDA_DEVICES]);

/* Why the GPU cannot be used, after the search: lines on driver, card and libraries. */
void doctor_refusal_judge(struct doctor *doctor);

/* Whether operands can stay on the GPU, after the search and as the options say. */
void doctor_residency_examine(struct doctor *doctor);

/* Config files, options that are not at their defaults, and where counters are kept. */
void doctor_options_examine(struct doctor *doctor);

/* Whether the options contradict the machine or each other, after doctor_gpu_examine. */
void doctor_values_examine(struct doctor *doctor);

/* Files that the options name and that could not be written. */
void doctor_files_examine(struct doctor *doctor);

/* Variables of the environment that the shim does not read, though they look as if it did. */
void doctor_variables_examine(struct doctor *doctor);

/* What LD_PRELOAD names beside the shim. */
void doctor_preload_examine(struct doctor *doctor);

/* The program: its file, its libraries, its calls. Does not run it. */
void doctor_program_examine(struct doctor *doctor);

/*
 * A launcher in front of the program: whether its ranks get the environment. Returns whether the
 * program is known; else a line says so.
 */
bool doctor_launch_examine(struct doctor *doctor);

/* Whether the options only and except leave the program out, after it was found. */
void doctor_names_examine(struct doctor *doctor);

/* Prints all of it, and returns the exit status. */
int doctor_print(const struct doctor *doctor, bool as_json);

#endif
