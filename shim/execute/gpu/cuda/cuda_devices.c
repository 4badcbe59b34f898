/* cuda_devices.c - selects the devices that the option devices names and the libraries support */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "policy/text/words.h"
#include "shim/execute/gpu/cuda/cuda.h"
#include "shim/execute/gpu/cuda/cuda_check.h"

/* An upper bound: no kernel is built for more nodes. */
enum { CUDA_NODES = 4096 };

/* A named device and whether it is used. error: CUDA's, for CANDIDATE_SILENT. */
struct cuda_devices_candidate {
	struct cuda_device card;
	enum { CANDIDATE_FIT, CANDIDATE_OLD, CANDIDATE_SILENT, CANDIDATE_ABSENT } verdict;
	int error;
};

struct cuda_devices_list {
	struct cuda_devices_candidate candidate[CUDA_DEVICES];
	int count;
};

/*
 * The next number of a list like "0,1"; -1 at its end. Entries that are no device number are
 * skipped.
 */
static int cuda_devices_next(const char **list)
{
	while (**list != '\0') {
		int number = -1;
		for (; **list != ',' && **list != '\0'; (*list)++)
			if (**list >= '0' && **list <= '9' && number < CUDA_DEVICES)
				number = (number < 0 ? 0 : number * 10) + (**list - '0');
			else if (**list != ' ')
				number = CUDA_DEVICES;
		if (**list == ',')
			(*list)++;
		if (number >= 0 && number < CUDA_DEVICES)
			return number;
	}
	return -1;
}

static void cuda_devices_note(struct cuda_devices_list *list, int number)
{
	for (int i = 0; i < list->count; i++)
		if (list->candidate[i].card.number == number)
			return;
	list->candidate[list->count++].card.number = number;
}

static bool cuda_devices_are_word(const char *devices, const char *word)
{
	return words_equal(words_trim(words_of(devices)), words_of(word));
}

bool cuda_devices_are_chosen(const char *devices)
{
	return cuda_devices_are_word(devices, "auto");
}

static bool cuda_devices_are_all(const struct cuda_attempt *attempt)
{
	return attempt->devices[0] == '\0' || cuda_devices_are_word(attempt->devices, "all") ||
	       cuda_devices_are_chosen(attempt->devices);
}

static void cuda_devices_collect(const struct cuda_attempt *attempt, struct cuda_devices_list *list)
{
	const char *text = attempt->devices;
	const int shown = attempt->set->device_count;
	if (cuda_devices_are_all(attempt)) {
		for (int number = 0; number < shown && number < CUDA_DEVICES; number++)
			cuda_devices_note(list, number);
		return;
	}
	for (int number = cuda_devices_next(&text); number >= 0; number = cuda_devices_next(&text))
		cuda_devices_note(list, number);
}

static const char *cuda_devices_files = "";

void cuda_devices_set_root(const char *root)
{
	cuda_devices_files = root;
}

const char *cuda_devices_find_root(void)
{
	return cuda_devices_files;
}

/* A file about the device; its first line is a number behind the title. -1: it is not. */
static int cuda_devices_read_node(const char *folder, const char *pci_bus_id, const char *name,
                                  const char *title)
{
	char path[512], text[64] = "";
	int node = -1;
	if (pci_bus_id[0] == '\0')
		return -1;
	snprintf(path, sizeof path, "%s%s%s%s", cuda_devices_files, folder, pci_bus_id, name);
	FILE *file = fopen(path, "re");
	if (file == NULL)
		return -1;
	if (fgets(text, sizeof text, file) == NULL || strncmp(text, title, strlen(title)) != 0)
		text[0] = '\0';
	fclose(file);
	const char *digit = text[0] == '\0' ? text : text + strlen(title);
	while (*digit == ' ' || *digit == '\t')
		digit++;
	for (; *digit >= '0' && *digit <= '9' && node < CUDA_NODES; digit++)
		node = (node < 0 ? 0 : node * 10) + (*digit - '0');
	return node < CUDA_NODES ? node : -1;
}

/* CUDA tells it from 12.2 on. The driver's own file has the line "Node: 1". */
static int cuda_devices_find_memory_node(const struct cuda_api *api, const struct cuda_device *card)
{
	int is_node = 0, node = -1;
	if (!card->reads_host)
		return -1;
	if (api->device_get_attribute(&is_node, CUDA_ATTRIBUTE_NUMA_CONFIG, card->number) ==
	            CUDA_SUCCESS &&
	    api->device_get_attribute(&node, CUDA_ATTRIBUTE_NUMA_ID, card->number) == CUDA_SUCCESS)
		return is_node == 1 && node >= 0 && node < CUDA_NODES ? node : -1;
	api->get_last_error();
	return cuda_devices_read_node("/proc/driver/nvidia/gpus/", card->pci_bus_id, "/numa_status",
	                              "Node:");
}

/* Fills the optional properties; each may stay unknown. */
static void cuda_devices_describe(const struct cuda_api *api, struct cuda_device *card)
{
	int host_tables = 0;
	card->reads_host = api->device_get_attribute(&host_tables, CUDA_ATTRIBUTE_HOST_PAGE_TABLES,
	                                             card->number) == CUDA_SUCCESS &&
	                   host_tables == 1;
	if (api->device_get_attribute(&card->multiprocessors, CUDA_ATTRIBUTE_MULTIPROCESSORS,
	                              card->number) != CUDA_SUCCESS)
		card->multiprocessors = 0;
	if (api->device_get_pci_bus_id == NULL ||
	    api->device_get_pci_bus_id(card->pci_bus_id, CUDA_BUS_ID_BYTES, card->number) !=
	            CUDA_SUCCESS)
		card->pci_bus_id[0] = '\0';
	for (char *letter = card->pci_bus_id; *letter != '\0'; letter++)
		if (*letter >= 'A' && *letter <= 'F')
			*letter = (char)(*letter - 'A' + 'a');
	/* The kernel itself writes -1 on machines with one node. */
	card->numa_node =
		cuda_devices_read_node("/sys/bus/pci/devices/", card->pci_bus_id, "/numa_node", "");
	card->memory_node = cuda_devices_find_memory_node(api, card);
}

static void cuda_devices_judge(const struct cuda_attempt *attempt,
                               struct cuda_devices_candidate *candidate)
{
	const struct cuda_api *api = &attempt->set->api;
	struct cuda_device *card = &candidate->card;
	int major = 0, minor = 0;
	if (card->number >= attempt->set->device_count) {
		candidate->verdict = CANDIDATE_ABSENT;
		return;
	}
	candidate->error =
		api->device_get_attribute(&major, CUDA_ATTRIBUTE_CAPABILITY_MAJOR, card->number);
	if (candidate->error == CUDA_SUCCESS)
		candidate->error = api->device_get_attribute(
			&minor, CUDA_ATTRIBUTE_CAPABILITY_MINOR, card->number);
	card->capability = 10 * major + minor;
	if (candidate->error != CUDA_SUCCESS)
		candidate->verdict = CANDIDATE_SILENT;
	else if (card->capability < attempt->major->least_capability)
		candidate->verdict = CANDIDATE_OLD;
	else
		cuda_devices_describe(api, card);
}

/* The device does not report its compute capability. */
static enum reason cuda_devices_refuse_silent(struct cuda_attempt *attempt, bool expected,
                                              const struct cuda_devices_candidate *candidate)
{
	return cuda_check_refuse(attempt, REASON_CUDA_START_FAILED, expected,
	                         "CUDA %d does not tell what GPU %d can do: %s",
	                         attempt->major->major, candidate->card.number,
	                         attempt->set->api.get_error_string(candidate->error));
}

/* One of several devices is not used. Expected where the option does not name it. */
static void cuda_devices_refuse_one(struct cuda_attempt *attempt,
                                    const struct cuda_devices_candidate *candidate)
{
	const struct cuda_device *card = &candidate->card;
	const bool expected = cuda_devices_are_all(attempt);
	const int least = attempt->major->least_capability, shown = attempt->set->device_count;
	attempt->device = card->number;
	if (candidate->verdict == CANDIDATE_ABSENT)
		cuda_check_refuse(attempt, REASON_NO_DEVICE, expected,
		                  "GPU %d is in the option devices, and there %s %d GPU%s",
		                  card->number, shown == 1 ? "is" : "are", shown,
		                  shown == 1 ? "" : "s");
	else if (candidate->verdict == CANDIDATE_SILENT)
		cuda_devices_refuse_silent(attempt, expected, candidate);
	else
		cuda_check_refuse(attempt, REASON_DEVICE_UNSUPPORTED, expected,
		                  "GPU %d has compute capability %d.%d, CUDA %d needs %d.%d",
		                  card->number, card->capability / 10, card->capability % 10,
		                  attempt->major->major, least / 10, least % 10);
	attempt->device = -1;
}

/* No device can be used: reports a silent one, else the one with the highest capability. */
static enum reason cuda_devices_refuse_all(struct cuda_attempt *attempt,
                                           const struct cuda_devices_list *list)
{
	const int least = attempt->major->least_capability;
	int best = -1;
	for (int i = 0; i < list->count; i++) {
		const struct cuda_devices_candidate *candidate = &list->candidate[i];
		if (candidate->verdict == CANDIDATE_SILENT)
			return cuda_devices_refuse_silent(attempt, false, candidate);
		if (candidate->verdict == CANDIDATE_OLD && candidate->card.capability > best)
			best = candidate->card.capability;
	}
	if (best < 0)
		return cuda_check_refuse(
			attempt, REASON_NO_DEVICE, false,
			"the option devices is '%.60s', which names no GPU; the last one is GPU %d",
			attempt->devices, attempt->set->device_count - 1);
	return cuda_check_refuse(attempt, REASON_DEVICE_UNSUPPORTED, false,
	                         "the GPU has compute capability %d.%d, CUDA %d needs %d.%d",
	                         best / 10, best % 10, attempt->major->major, least / 10,
	                         least % 10);
}

enum reason cuda_devices_check(struct cuda_attempt *attempt)
{
	struct cuda_devices_list list = {.count = 0};
	struct cuda_set *set = attempt->set;
	cuda_devices_collect(attempt, &list);
	for (int i = 0; i < list.count; i++) {
		if (!cuda_api_enter(attempt->guard))
			return REASON_EXITING;
		cuda_devices_judge(attempt, &list.candidate[i]);
		cuda_api_leave(attempt->guard);
		if (list.candidate[i].verdict == CANDIDATE_FIT)
			set->devices[set->count++] = list.candidate[i].card;
	}
	if (set->count == 0)
		return cuda_devices_refuse_all(attempt, &list);
	for (int i = 0; i < list.count; i++)
		if (list.candidate[i].verdict != CANDIDATE_FIT)
			cuda_devices_refuse_one(attempt, &list.candidate[i]);
	return REASON_NONE;
}
