/* sim_visible.c - CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER, and the names of cards */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_visible.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_node.h"

enum { UUID_TEXT_BYTES = 48 };

/* By PCI_BUS_ID or FASTEST_FIRST: the cards that an index of the list counts. */
static int order[SIM_MAX_DEVICES];
static int shown[SIM_MAX_DEVICES], shown_count;
static pthread_once_t visible_once = PTHREAD_ONCE_INIT;

void sim_visible_uuid(int card, unsigned char uuid[SIM_UUID_BYTES])
{
	const uint64_t machine = sim_node_machine();
	const unsigned char first[] = {(unsigned char)card, 0x5c, 0xa7, 0xd0, 0, 0, 0x40, 0, 0x80};
	memcpy(uuid, first, sizeof first);
	for (size_t i = sizeof first; i < SIM_UUID_BYTES; i++)
		uuid[i] = (unsigned char)(machine >> 8 * (SIM_UUID_BYTES - 1 - i));
}

static void visible_name(int card, char text[UUID_TEXT_BYTES])
{
	unsigned char u[SIM_UUID_BYTES];
	sim_visible_uuid(card, u);
	snprintf(text, UUID_TEXT_BYTES,
	         "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0],
	         u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13],
	         u[14], u[15]);
}

/* The only card whose name begins so; -1: none, or several. */
static int visible_find_name(const char *text, size_t length)
{
	char name[UUID_TEXT_BYTES];
	int found = -1;
	for (int card = 0; card < sim_config()->devices; card++) {
		visible_name(card, name);
		if (length <= strlen("GPU-") || length > strlen(name) ||
		    strncmp(name, text, length) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = card;
	}
	return found;
}

/* As strtoul reads it: what follows the digits does not matter. -1: no card. */
static int visible_find_index(const char *text)
{
	char *end;
	const long index = strtol(text, &end, 10);
	return end != text && index >= 0 && index < sim_config()->devices ? order[index] : -1;
}

/* The first entry decides whether the list has names or numbers. */
static int visible_find(const char *list, const char *text, size_t length)
{
	const bool names = !strncmp(list, "GPU-", 4), name = !strncmp(text, "GPU-", 4);
	if (names != name)
		return -1;
	return name ? visible_find_name(text, length) : visible_find_index(text);
}

/* The list ends at its first entry that is no card; a card that stands twice hides all. */
static void visible_parse(const char *list)
{
	shown_count = 0;
	for (const char *text = list; *text;) {
		const size_t length = strcspn(text, ",");
		const int card = visible_find(list, text, length);
		if (card < 0)
			return;
		for (int i = 0; i < shown_count; i++)
			if (shown[i] == card) {
				shown_count = 0;
				return;
			}
		shown[shown_count++] = card;
		text += length + (text[length] == ',');
	}
}

/* Faster: more multiprocessors. Equal cards stay in the order of their PCI ids. */
static void visible_sort(void)
{
	const char *wish = getenv("CUDA_DEVICE_ORDER");
	const bool by_speed = !wish || strcmp(wish, "PCI_BUS_ID") != 0;
	for (int i = 0; i < SIM_MAX_DEVICES; i++) {
		int place = i;
		while (by_speed && i < sim_config()->devices && place > 0 &&
		       sim_profile_card(order[place - 1])->multiprocessors <
		               sim_profile_card(i)->multiprocessors) {
			order[place] = order[place - 1];
			place--;
		}
		order[place] = i;
	}
}

static void visible_read(void)
{
	const char *list = getenv("CUDA_VISIBLE_DEVICES");
	const struct sim_config *config = sim_config();
	for (int i = 0; i < SIM_MAX_DEVICES; i++)
		order[i] = i;
	if (config->visible)
		visible_sort();
	memcpy(shown, order, sizeof shown);
	shown_count = config->devices;
	if (config->visible && list)
		visible_parse(list);
}

int sim_visible_count(void)
{
	pthread_once(&visible_once, visible_read);
	return shown_count;
}

int sim_visible_card(int device)
{
	pthread_once(&visible_once, visible_read);
	return shown[device];
}

const struct sim_profile *sim_profile(int device)
{
	return sim_profile_card(sim_visible_card(device));
}

double simcuda_profile_value(int device, const char *key)
{
	if (device < 0 || device >= SIM_MAX_DEVICES)
		return -1;
	return sim_profile_value(sim_profile(device), key);
}
