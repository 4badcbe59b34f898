/* doctor_gpu.c - the CUDA libraries and devices that were found, or why none can be used */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/say.h"
#include "cli/common/units.h"
#include "cli/doctor/doctor.h"
#include "cli/doctor/doctor_remedy.h"
#include "shim/execute/gpu/cuda/cuda_solver.h"

/* A smaller share of a device's memory that is free is worth a warning. */
#define DOCTOR_LEAST_FREE 0.1

static void doctor_gpu_add_card(struct doctor *doctor, const struct cuda_device *card)
{
	char node[32] = "";
	if (card->numa_node >= 0)
		snprintf(node, sizeof node, ", NUMA node %d", card->numa_node);
	doctor_report_add(&doctor->report,
	                  "GPU %d of %d, compute capability %d.%d, %d multiprocessors%s%s%s",
	                  card->number, doctor->set.device_count, card->capability / 10,
	                  card->capability % 10, card->multiprocessors,
	                  card->pci_bus_id[0] != '\0' ? ", PCI " : "", card->pci_bus_id, node);
}

static void doctor_gpu_judge_memory(struct doctor *doctor, const struct cuda_device *card,
                                    size_t free_bytes, size_t total_bytes)
{
	char free_text[HUMAN_BYTES], total_text[HUMAN_BYTES];
	human_format_size(free_bytes, free_text);
	human_format_size(total_bytes, total_text);
	doctor_report_add(&doctor->report,
	                  "memory of GPU %d: %s, of which %s are free; CUDA itself and other "
	                  "programs hold the rest",
	                  card->number, total_text, free_text);
	if (total_bytes > doctor->largest_bytes)
		doctor->largest_bytes = total_bytes;
	if ((double)free_bytes < DOCTOR_LEAST_FREE * (double)total_bytes)
		doctor_report_find(
			&doctor->report, DOCTOR_WARNING, "card",
			say_text("GPU %d: only %s of %s are free; other programs use "
		                 "it",
		                 card->number, free_text, total_text),
			"See which programs hold its memory:", say_need(strdup("nvidia-smi")));
	else
		doctor_report_pass(&doctor->report, "card",
		                   "GPU %d: compute capability %d.%d, %s, of which %s are free",
		                   card->number, card->capability / 10, card->capability % 10,
		                   total_text, free_text);
}

/*
 * Asking for the memory starts CUDA on the device, as a call would. false where it admits no
 * further process, and another one may. last: there is none behind it.
 */
static bool doctor_gpu_examine_card(struct doctor *doctor, const struct cuda_device *card,
                                    bool last)
{
	const struct cuda_api *api = &doctor->set.api;
	size_t free_bytes = 0, total_bytes = 0;
	doctor_gpu_add_card(doctor, card);
	int error = api->set_device(card->number);
	if (error == CUDA_SUCCESS)
		error = api->mem_get_info(&free_bytes, &total_bytes);
	if (error == CUDA_SUCCESS) {
		doctor_gpu_judge_memory(doctor, card, free_bytes, total_bytes);
		return true;
	}
	/* A process passes over such a GPU, but not the last one. */
	if (error == CUDA_ERROR_DEVICES_UNAVAILABLE &&
	    cuda_devices_are_chosen(doctor->options.devices) && !last) {
		doctor_report_add(&doctor->report,
		                  "GPU %d admits no further process; devices = auto passes it over",
		                  card->number);
		return false;
	}
	doctor_report_find(&doctor->report, DOCTOR_FAILURE, "card",
	                   say_text("CUDA does not start on GPU %d: %s", card->number,
	                            api->get_error_string(error)),
	                   "See what the driver says of the card:", say_need(strdup("nvidia-smi")));
	return true;
}

/* A process whose GPU auto chooses starts CUDA on one; so the others are named only. */
static void doctor_gpu_examine_cards(struct doctor *doctor)
{
	const struct cuda_set *set = &doctor->set;
	const bool chosen = cuda_devices_are_chosen(doctor->options.devices);
	int order[CUDA_DEVICES];
	bool started = false;
	doctor_cards_order(doctor, order);
	for (int i = 0; i < set->count; i++) {
		const struct cuda_device *card = &set->devices[order[i]];
		if (!started || !chosen) {
			started = doctor_gpu_examine_card(doctor, card, i + 1 == set->count);
			continue;
		}
		doctor_gpu_add_card(doctor, card);
		doctor_report_add(&doctor->report,
		                  "  not started here: devices = auto takes another one first");
	}
}

static void doctor_gpu_add_search(struct doctor *doctor)
{
	const struct cuda_search *search = &doctor->search;
	struct doctor_report *report = &doctor->report;
	for (int i = 0; i < search->place_count; i++)
		doctor_report_add(report, "searched: %s",
		                  search->place[i][0] != '\0' ? search->place[i]
		                                              : "the loader's own path");
	if (search->relative != NULL)
		doctor_report_add(report, "not searched: %s holds no absolute path",
		                  search->relative);
	if (search->planted)
		doctor_report_add(report, "not searched: an element of LD_LIBRARY_PATH is no "
		                          "absolute path, and leads to CUDA's libraries in the "
		                          "working directory");
	for (int i = 0; i < search->refusal_count; i++)
		doctor_report_add(report, "%s: CUDA %d: %s",
		                  search->refusal[i].device < 0 ? "refused" : "left out",
		                  search->refusal[i].major, search->refusal[i].sentence);
	if (search->refusals_dropped > 0)
		doctor_report_add(report, "refused: %d more", search->refusals_dropped);
}

/* Packages of later majors have other names. */
static char *doctor_gpu_install(int major)
{
	enum { DOCTOR_NUMBERED = 12 };
	return major <= DOCTOR_NUMBERED ? doctor_remedy_install(major) : NULL;
}

/* Without it the GPU can be used all the same, but not by LAPACK. */
static void doctor_gpu_examine_solver(struct doctor *doctor)
{
	static struct cuda_solver solver;
	char sentence[CUDA_SENTENCE_BYTES];
	if (!cuda_solver_open(&doctor->set, &solver, sentence)) {
		doctor_report_add(&doctor->report, "cusolver: none");
		doctor_report_find(
			&doctor->report, DOCTOR_WARNING, "libraries",
			say_text("%s; calls of LAPACK stay on the CPU", sentence),
			"Install the cuSOLVER that belongs to this CUDA beside its cuBLAS, or a "
			"complete set:",
			doctor_gpu_install(doctor->set.major));
		return;
	}
	doctor_report_add(&doctor->report, "cusolver: %s, release %d.%d.%d", solver.path,
	                  solver.version / 10000, solver.version / 100 % 100, solver.version % 100);
	if (solver.geev == NULL)
		doctor_report_add(&doctor->report,
		                  "this cuSOLVER has no cusolverDnXgeev: calls of geev stay on the "
		                  "CPU");
}

static void doctor_gpu_examine_set(struct doctor *doctor)
{
	static const char *const name[CUDA_LIBRARY_COUNT] = {"cudart", "cublas", "cufft"};
	const struct cuda_set *set = &doctor->set;
	const char *path = set->path[CUDA_LIBRARY_CUDART], *slash = strrchr(path, '/');
	doctor_report_pass(&doctor->report, "driver", "NVIDIA's, for CUDA %d.%d",
	                   set->driver_version / 1000, set->driver_version % 1000 / 10);
	doctor_report_add(&doctor->report, "taken: CUDA %d, runtime %d.%d, driver for CUDA %d.%d",
	                  set->major, set->runtime_version / 1000, set->runtime_version % 1000 / 10,
	                  set->driver_version / 1000, set->driver_version % 1000 / 10);
	for (int i = 0; i < CUDA_LIBRARY_COUNT; i++)
		doctor_report_add(&doctor->report, "%s: %s", name[i], set->path[i]);
	doctor_gpu_examine_solver(doctor);
	doctor_gpu_examine_cards(doctor);
	doctor_report_pass(&doctor->report, "libraries", "CUDA %d.%d in %.*s",
	                   set->runtime_version / 1000, set->runtime_version % 1000 / 10,
	                   slash != NULL ? (int)(slash - path) : 0, path);
}

void doctor_gpu_examine(struct doctor *doctor)
{
	doctor_report_begin(&doctor->report, "CUDA libraries");
	doctor->gpu = cuda_open(doctor->options.cuda_path, doctor->options.devices, NULL,
	                        &doctor->set, &doctor->search);
	doctor_gpu_add_search(doctor);
	if (doctor->gpu == REASON_NONE) {
		doctor_gpu_examine_set(doctor);
		return;
	}
	doctor_report_add(&doctor->report, "the GPU cannot be used: %s",
	                  reason_sentence(doctor->gpu));
	doctor_refusal_judge(doctor);
}
