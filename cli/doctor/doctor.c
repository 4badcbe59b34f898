/* doctor.c - `gpushim doctor`: whether the GPU can be used, which calls of a program are seen */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor.h"

#include <stdlib.h>

#include "cli/common/command.h"
#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/common/tool.h"
#include "shim/settings/settings.h"

static const char *doctor_find_remedy(enum reason reason)
{
	switch (reason) {
	case REASON_NO_DRIVER:
		return "install NVIDIA's driver, or pass the GPU into this container";
	case REASON_NO_CUDA:
		return "install the CUDA libraries (cudart, cublas, cufft of one version), or name "
		       "their folder in EPOCHLY_GPU_CUDA_PATH";
	case REASON_DRIVER_TOO_OLD:
		return "update NVIDIA's driver, or install CUDA libraries of an older version "
		       "beside the present ones";
	case REASON_NO_DEVICE:
		return "let this process see a GPU: CUDA_VISIBLE_DEVICES, the container's or the "
		       "batch system's settings";
	case REASON_DEVICE_UNSUPPORTED:
		return "install CUDA libraries of an older version, which still know this GPU";
	default:
		return "look at the refusals above: the first CUDA libraries named there are "
		       "broken or incomplete";
	}
}

static void doctor_advise_program(const struct doctor *doctor)
{
	if (doctor->program_missing)
		say_fact("name a program that can be run");
	else if (doctor->program_unreachable)
		say_fact("use a dynamically linked 64-bit build of the program for glibc, without "
		         "raised privileges");
	else if (doctor->program_sees_calls || doctor->program_opens_libraries)
		say_fact("find out whether it pays: gpushim compare -- PROGRAM");
	else if (doctor->program_starts_others)
		say_fact("ask about the programs that it starts: gpushim doctor -- PROGRAM");
	else if (doctor->program_given)
		say_fact("nothing is gained with this program: it makes no call that the shim "
		         "takes");
}

static void doctor_advise(const struct doctor *doctor)
{
	say_section("what to do next");
	if (doctor->gpu != REASON_NONE)
		say_fact("%s", doctor_find_remedy(doctor->gpu));
	else if (!doctor->options.enabled || doctor->options.policy == POLICY_NEVER)
		say_fact("the GPU can be used, but the options keep every call on the CPU: see "
		         "above");
	else if (!doctor->program_given)
		say_fact("find out whether it pays: gpushim compare -- PROGRAM");
	doctor_advise_program(doctor);
}

static void doctor_print_shim(void)
{
	char *shim = install_paths_find_shim();
	say_section("shim");
	say_fact("version %s", GPUSHIM_VERSION);
	say_fact("library: %s", shim != NULL ? shim : "not found");
	free(shim);
}

int doctor_serve(struct doctor_arguments *arguments)
{
	static struct doctor doctor;
	const char *name = arguments->words.operands[0];
	settings_load(&doctor.options);
	doctor.program_given = name != NULL;
	doctor_print_shim();
	doctor_gpu_print(&doctor);
	doctor_options_print(&doctor);
	if (name != NULL)
		doctor_program_print(&doctor, name);
	doctor_advise(&doctor);
	return doctor.gpu == REASON_NONE ? TOOL_FINE : TOOL_DIFFERENT;
}
