/* doctor.c - `gpushim doctor`: whether the GPU can be used, by a program and as the options say */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/doctor/doctor.h"

#include <stdlib.h>
#include <string.h>

#include "cli/common/command.h"
#include "cli/common/install_paths.h"
#include "cli/common/say.h"
#include "cli/doctor/doctor_messages.h"
#include "cli/doctor/doctor_source.h"
#include "shim/settings/settings.h"

static void doctor_examine_shim(struct doctor *doctor)
{
	const char *remedy = NULL;
	doctor->shim = install_paths_find_shim();
	char *why = install_paths_refuse_shim(doctor->shim, &remedy);
	doctor_report_begin(&doctor->report, "shim");
	doctor_report_add(&doctor->report, "version %s", GPUSHIM_VERSION);
	doctor_report_add(&doctor->report, "library: %s",
	                  doctor->shim != NULL ? doctor->shim : "not found");
	if (why != NULL)
		doctor_report_find(&doctor->report, DOCTOR_FAILURE, "shim", why, remedy, NULL);
}

/* The machine profile that the options choose, or that calibrate stored. */
static void doctor_examine_profile(struct doctor *doctor)
{
	static struct machine machine;
	doctor_messages_begin();
	const bool found = settings_machine_find_machine(&doctor->options, &machine);
	const bool named = doctor->options.profile[0] != '\0';
	char *command = named ? doctor_source_fix(OPTION_profile, NULL)
	                      : say_need(strdup("gpushim calibrate"));
	doctor_messages_end_profile(&doctor->report, command);
	doctor_report_begin(&doctor->report, "options");
	doctor_report_add(&doctor->report, "machine profile: %s",
	                  found ? machine.name : "none; gpushim calibrate measures one");
}

/* The line on options where nothing is wrong with them. */
static void doctor_pass_options(struct doctor *doctor)
{
	if (doctor_report_has(&doctor->report, "options"))
		return;
	if (doctor->changed_options == 0)
		doctor_report_pass(&doctor->report, "options", "all at their defaults");
	else
		doctor_report_pass(&doctor->report, "options", "%d set, and nothing against them",
		                   doctor->changed_options);
}

static void doctor_examine_options(struct doctor *doctor)
{
	doctor_messages_end(&doctor->report);
	doctor_variables_examine(doctor);
	doctor_values_examine(doctor);
	doctor_files_examine(doctor);
	doctor_examine_profile(doctor);
}

static void doctor_examine_program(struct doctor *doctor)
{
	doctor_report_begin(&doctor->report, "program");
	if (!doctor_launch_examine(doctor))
		return;
	doctor_program_examine(doctor);
	if (doctor->program.error == 0 && doctor->program.sentence[0] == '\0')
		doctor_names_examine(doctor);
}

/* The options are read first, because the others depend on them. */
int doctor_serve(struct doctor_arguments *arguments)
{
	static struct doctor doctor;
	char **words = arguments->words.operands;
	doctor.words = words[0] != NULL ? words : NULL;
	if (doctor.words != NULL) {
		doctor.front = front_words_find(words);
		doctor.name = doctor.front.program != NULL ? *doctor.front.program : NULL;
	}
	doctor_messages_begin();
	settings_load(&doctor.options);
	doctor_examine_shim(&doctor);
	doctor_driver_examine(&doctor);
	doctor_gpu_examine(&doctor);
	doctor_options_examine(&doctor);
	doctor_examine_options(&doctor);
	doctor_residency_examine(&doctor);
	doctor_preload_examine(&doctor);
	if (doctor.words != NULL)
		doctor_examine_program(&doctor);
	doctor_pass_options(&doctor);
	doctor_report_sort(&doctor.report);
	const int status = doctor_print(&doctor, arguments->json);
	doctor_report_free(&doctor.report);
	doctor_source_free();
	free(doctor.driver.file);
	free(doctor.shim);
	return status;
}
