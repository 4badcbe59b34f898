/* doctor_remedy.c - tells cards that are missing from cards that are hidden or lack a driver */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor_remedy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor_shell.h"
#include "policy/text/words.h"
#include "shim/execute/gpu/node/kernel_text.h"

/* How distributions install the driver, by the word ID of /etc/os-release. */
static const struct remedy_system {
	const char *id, *driver, *library;
} remedy_systems[] = {
	{"debian", "sudo apt install nvidia-driver firmware-misc-nonfree",
         "sudo apt install libcuda1"},
	{"ubuntu", "sudo ubuntu-drivers install", "sudo ubuntu-drivers install"},
	{"arch", "sudo pacman -S nvidia", "sudo pacman -S nvidia-utils"},
};

static const struct remedy_system *doctor_remedy_find_system(void)
{
	char text[KERNEL_TEXT_BYTES];
	if (!kernel_text_read(cuda_devices_find_root(), "/etc", "/os-release", text))
		return NULL;
	struct words rest = words_of(text);
	while (rest.text != NULL) {
		struct words line = words_next(&rest, '\n');
		if (!words_skip(&line, "ID="))
			continue;
		for (size_t i = 0; i < sizeof remedy_systems / sizeof remedy_systems[0]; i++)
			if (words_equal(line, words_of(remedy_systems[i].id)))
				return &remedy_systems[i];
	}
	return NULL;
}

/* The command runs outside of the container, whose image may be known there. */
static struct doctor_remedy doctor_remedy_open_container(const struct doctor *doctor)
{
	const char *image = getenv("APPTAINER_CONTAINER");
	char *program = doctor->words != NULL ? doctor_shell_join(doctor->words)
	                                      : say_need(strdup("PROGRAM"));
	struct doctor_remedy remedy = {
		.advice = "The machine has an NVIDIA card, and this container is not given it. "
			  "Start the container anew, with the card:"};
	if (image == NULL)
		image = getenv("SINGULARITY_CONTAINER");
	if (image != NULL) {
		char *file = doctor_shell_quote(image);
		remedy.command = say_text("apptainer exec --nv %s %s", file, program);
		free(file);
	} else {
		remedy.command = say_text("docker run --gpus all IMAGE %s", program);
	}
	free(program);
	return remedy;
}

static bool doctor_remedy_has_slurm(void)
{
	static struct program_file srun;
	program_file_inspect(&srun, "srun");
	return srun.error == 0;
}

static struct doctor_remedy doctor_remedy_do_without(const struct doctor *doctor)
{
	struct doctor_remedy remedy = {
		.advice = "This machine has no NVIDIA card. To see what a card would gain:"};
	if (doctor_remedy_has_slurm()) {
		char *call = doctor_shell_call("doctor", doctor->words);
		remedy.advice = "This node has no NVIDIA card. Ask the batch system for one "
				"that has:";
		remedy.command = say_text("srun --gpus=1 %s", call);
		free(call);
	} else {
		remedy.command = doctor_shell_call("compare", doctor->words);
	}
	return remedy;
}

struct doctor_remedy doctor_remedy_find_driver(const struct doctor *doctor)
{
	const struct doctor_driver *driver = &doctor->driver;
	const struct remedy_system *system = doctor_remedy_find_system();
	struct doctor_remedy remedy = {
		.advice = "Install NVIDIA's driver (https://www.nvidia.com/drivers)."};
	if (!driver->has_card)
		return doctor_remedy_do_without(doctor);
	if (driver->is_contained)
		return doctor_remedy_open_container(doctor);
	if (system == NULL)
		return remedy;
	remedy.advice = driver->has_module ? "Install the driver's library:"
	                                   : "Install NVIDIA's driver, and start the machine anew:";
	remedy.command = say_need(strdup(driver->has_module ? system->library : system->driver));
	return remedy;
}

char *doctor_remedy_install(int major)
{
	return say_text("python3 -m pip install --target ~/cuda nvidia-cuda-runtime-cu%d \\\n"
	                "  nvidia-cublas-cu%d nvidia-cufft-cu%d nvidia-cusolver-cu%d\n"
	                "export EPOCHLY_GPU_CUDA_PATH=~/cuda/nvidia/cuda_runtime",
	                major, major, major, major);
}
