/* doctor_refusal.c - why the GPU cannot be used: whether driver, card or libraries are at fault */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_remedy.h"
#include "cli/doctor/doctor_source.h"

/* The majors of CUDA libraries that pip installs with the folders that the shim searches. */
enum { DOCTOR_CUDA_FIRST = 11, DOCTOR_CUDA_USUAL = 12 };

static char *doctor_refusal_quote(const struct doctor *doctor, const char *otherwise)
{
	const struct cuda_refusal *refusal = cuda_find_refusal(&doctor->search);
	return say_text("%s", refusal != NULL ? refusal->sentence : otherwise);
}

/* A major below all that were refused for this reason; 0 where none can be installed. */
static int doctor_refusal_find_older(const struct doctor *doctor)
{
	int major = DOCTOR_CUDA_USUAL + 1;
	for (int i = 0; i < doctor->search.refusal_count; i++)
		if (doctor->search.refusal[i].reason == doctor->gpu &&
		    doctor->search.refusal[i].major < major)
			major = doctor->search.refusal[i].major;
	return major > DOCTOR_CUDA_FIRST ? major - 1 : 0;
}

static char *doctor_refusal_install_older(const struct doctor *doctor)
{
	const int major = doctor_refusal_find_older(doctor);
	return major > 0 ? doctor_remedy_install(major) : say_need(strdup("nvidia-smi"));
}

/* A set that showed a card had a driver. */
static bool doctor_refusal_lacks_driver(const struct doctor *doctor)
{
	const struct cuda_refusal *refusal = cuda_find_refusal(&doctor->search);
	return doctor->gpu == REASON_NO_DRIVER ||
	       (doctor->gpu == REASON_NO_CUDA && doctor->driver.file == NULL &&
	        (refusal == NULL || refusal->capability == 0));
}

static void doctor_refusal_judge_driver(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	if (doctor_refusal_lacks_driver(doctor)) {
		struct doctor_remedy remedy = doctor_remedy_find_driver(doctor);
		doctor_report_find(report, DOCTOR_FAILURE, "driver",
		                   say_text("%s, %s",
		                            doctor->driver.file == NULL ? "none: no libcuda.so.1"
		                                                        : doctor->driver.file,
		                            doctor->driver.has_module
		                                    ? "though its kernel module is loaded"
		                                    : "no kernel module"),
		                   remedy.advice, remedy.command);
	} else if (doctor->gpu == REASON_DRIVER_TOO_OLD) {
		doctor_report_find(report, DOCTOR_FAILURE, "driver",
		                   doctor_refusal_quote(doctor, "older than the CUDA libraries"),
		                   "Update the driver, or install CUDA libraries that it serves:",
		                   doctor_refusal_install_older(doctor));
	} else {
		doctor_report_pass(report, "driver", "NVIDIA's%s%s",
		                   doctor->driver.file != NULL ? ": " : "",
		                   doctor->driver.file != NULL ? doctor->driver.file : "");
	}
}

static void doctor_refusal_judge_absence(struct doctor *doctor)
{
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	struct doctor_report *report = &doctor->report;
	if (doctor->set.device_count > 0)
		doctor_report_pass(report, "card", "the driver shows %d", doctor->set.device_count);
	else if (visible != NULL)
		doctor_report_find(report, DOCTOR_FAILURE, "card",
		                   say_text("hidden: CUDA_VISIBLE_DEVICES is '%s'", visible),
		                   "Let the program see the cards:",
		                   say_need(strdup("unset CUDA_VISIBLE_DEVICES")));
	else
		doctor_report_find(report, DOCTOR_FAILURE, "card",
		                   doctor_refusal_quote(doctor, "the driver shows none"),
		                   "See which cards the driver knows; a container or a batch "
		                   "system may hide them:",
		                   say_need(strdup("nvidia-smi -L")));
}

static void doctor_refusal_judge_card(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	if (doctor->gpu == REASON_NO_DEVICE)
		doctor_refusal_judge_absence(doctor);
	else if (doctor->gpu == REASON_DEVICE_UNSUPPORTED)
		doctor_report_find(report, DOCTOR_FAILURE, "card",
		                   doctor_refusal_quote(doctor, "too old for the CUDA libraries"),
		                   "Install CUDA libraries that still know this card:",
		                   doctor_refusal_install_older(doctor));
	else if (doctor->gpu == REASON_CUDA_START_FAILED)
		doctor_report_find(
			report, DOCTOR_FAILURE, "card",
			doctor_refusal_quote(doctor, "CUDA does not start"),
			"See what the driver says of the card:", say_need(strdup("nvidia-smi")));
	else if (doctor->driver.has_card)
		doctor_report_pass(report, "card", "NVIDIA's, on the PCI bus");
	else if (doctor_refusal_lacks_driver(doctor))
		doctor_report_find(report, DOCTOR_FAILURE, "card",
		                   say_text("none of NVIDIA's on the PCI bus"), NULL, NULL);
	else
		doctor_report_pass(report, "card", "not asked for yet");
}

static void doctor_refusal_judge_libraries(struct doctor *doctor)
{
	struct doctor_report *report = &doctor->report;
	const struct cuda_refusal *refusal = cuda_find_refusal(&doctor->search);
	const bool useless = doctor_refusal_lacks_driver(doctor) && !doctor->driver.has_card;
	if (doctor->search.planted)
		doctor_report_find(report, DOCTOR_FAILURE, "libraries",
		                   say_text("not searched: LD_LIBRARY_PATH has a relative folder "
		                            "with CUDA's libraries"),
		                   "Write absolute folders into LD_LIBRARY_PATH, or none:",
		                   say_need(strdup("unset LD_LIBRARY_PATH")));
	else if (doctor->gpu == REASON_NO_CUDA && refusal == NULL)
		doctor_report_find(report, DOCTOR_FAILURE, "libraries",
		                   say_text("none of CUDA's (cudart, cublas, cufft) in %d folder%s",
		                            doctor->search.place_count,
		                            doctor->search.place_count == 1 ? "" : "s"),
		                   useless ? NULL : "Install the CUDA libraries:",
		                   useless ? NULL : doctor_remedy_install(DOCTOR_CUDA_USUAL));
	else if (doctor->gpu == REASON_NO_CUDA || doctor->gpu == REASON_SYMBOL_MISSING)
		doctor_report_find(report, DOCTOR_FAILURE, "libraries",
		                   doctor_refusal_quote(doctor, "no usable set"),
		                   "These are broken or incomplete; install a complete set:",
		                   doctor_remedy_install(DOCTOR_CUDA_USUAL));
	else
		doctor_report_pass(report, "libraries", "CUDA %d, not tried without a GPU",
		                   refusal != NULL ? refusal->major : 0);
}

void doctor_refusal_judge(struct doctor *doctor)
{
	doctor_refusal_judge_driver(doctor);
	doctor_refusal_judge_card(doctor);
	doctor_refusal_judge_libraries(doctor);
}
