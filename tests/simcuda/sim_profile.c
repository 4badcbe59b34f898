/* sim_profile.c - reads the profile: 'key = value' lines and sections '[device N]' */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_profile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_engine.h"

struct profile_key {
	const char *name;
	size_t offset;
	double low, high, fallback;
};

static const struct profile_key profile_keys[] = {
#define SIM_PROFILE(key, low, high, fallback)                                                      \
	{#key, offsetof(struct sim_profile, key), low, high, fallback},
#include "sim_profile.def"
};

enum { KEY_COUNT = sizeof profile_keys / sizeof profile_keys[0] };

/* Lines before any section apply to all devices. */
enum { SECTION_ALL = -1, SECTION_BAD = -2 };

static struct sim_profile profiles[SIM_MAX_DEVICES];
static bool has_clock, is_dry;
static pthread_once_t profile_once = PTHREAD_ONCE_INIT;

static double *profile_field(struct sim_profile *profile, const struct profile_key *key)
{
	return (double *)(void *)((char *)profile + key->offset);
}

static const struct profile_key *profile_find_key(const char *name)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (!strcmp(profile_keys[i].name, name))
			return &profile_keys[i];
	return NULL;
}

static bool profile_set(struct sim_profile *profile, const char *name, const char *text)
{
	const struct profile_key *key = profile_find_key(name);
	char *end;
	double value = strtod(text, &end);
	if (!strcmp(name, "memory"))
		return sim_config_parse_size(text, &profile->memory_bytes);
	if (!strcmp(name, "capability"))
		return sim_config_parse_capability(text, &profile->capability);
	if (!key || end == text || *end || !(value >= key->low && value <= key->high))
		return false;
	*profile_field(profile, key) = value;
	return true;
}

/* Removes a comment, and the blanks at both ends. */
static char *profile_trim(char *line)
{
	line[strcspn(line, "#\r\n")] = 0;
	line += strspn(line, " \t");
	size_t length = strlen(line);
	while (length && strchr(" \t", line[length - 1]))
		line[--length] = 0;
	return line;
}

static int profile_parse_section(const char *line)
{
	int device;
	char rest;
	return sscanf(line, "[device %d]%c", &device, &rest) == 1 && device >= 0 &&
	                       device < SIM_MAX_DEVICES
	               ? device
	               : SECTION_BAD;
}

static bool profile_parse_line(char *line, int section, bool sections)
{
	char *equals = strchr(line, '=');
	if (!equals)
		return false;
	*equals = 0;
	char *name = profile_trim(line), *text = profile_trim(equals + 1);
	struct sim_profile unused = profiles[0];
	if (section == SECTION_BAD || (section == SECTION_ALL) == sections)
		return profile_set(&unused, name, text);
	for (int i = 0; i < SIM_MAX_DEVICES; i++)
		if ((section == SECTION_ALL || section == i) &&
		    !profile_set(&profiles[i], name, text))
			return false;
	return true;
}

/*
 * One pass reads the lines for all devices, another those of the sections. Only the first reports
 * errors.
 */
static bool profile_read_file(const char *path, bool sections)
{
	FILE *file = fopen(path, "r");
	char whole[512], line[512];
	int section = SECTION_ALL;
	for (int number = 1; file && fgets(whole, sizeof whole, file); number++) {
		strcpy(line, whole);
		char *text = profile_trim(line);
		bool fine = true;
		if (*text == '[')
			fine = (section = profile_parse_section(text)) != SECTION_BAD;
		else if (*text)
			fine = profile_parse_line(text, section, sections);
		if (!fine && !sections)
			fprintf(stderr, "simcuda: %s:%d: cannot understand '%.*s'; it is ignored\n",
			        path, number, (int)strcspn(whole, "\r\n"), whole);
	}
	if (file)
		fclose(file);
	return file;
}

static void profile_read_environment(struct sim_profile *profile)
{
	const struct sim_config *config = sim_config();
	if (config->memory_bytes)
		profile->memory_bytes = config->memory_bytes;
	if (config->capability)
		profile->capability = config->capability;
}

static const char *profile_path(const char *variable)
{
	const char *path = getenv(variable);
	return path && *path ? path : NULL;
}

static void profile_read_dry(void)
{
	const char *text = getenv("SIMCUDA_DRY");
	bool wanted = text && !strcmp(text, "1");
	if (text && *text && strcmp(text, "0") && !wanted)
		fprintf(stderr, "simcuda: SIMCUDA_DRY: cannot understand '%s'; it is ignored\n",
		        text);
	if (wanted && !has_clock)
		fprintf(stderr, "simcuda: SIMCUDA_DRY: there is no SIMCUDA_CLOCK; it is ignored\n");
	is_dry = wanted && has_clock;
}

static void profile_read(void)
{
	const char *clock = profile_path("SIMCUDA_CLOCK"),
		   *path = clock ? clock : profile_path("SIMCUDA_PROFILE");
	for (int i = 0; i < SIM_MAX_DEVICES; i++) {
		for (size_t k = 0; k < KEY_COUNT; k++)
			*profile_field(&profiles[i], &profile_keys[k]) = profile_keys[k].fallback;
		profiles[i].memory_bytes = (size_t)4 << 30;
		profiles[i].capability = 90;
	}
	bool found = path && profile_read_file(path, false);
	if (path && !found)
		fprintf(stderr, "simcuda: %s: cannot be read; there is no profile and no clock\n",
		        path);
	for (int i = 0; i < SIM_MAX_DEVICES; i++)
		profile_read_environment(&profiles[i]);
	if (found)
		profile_read_file(path, true);
	has_clock = found && clock;
	profile_read_dry();
}

const struct sim_profile *sim_profile_card(int card)
{
	pthread_once(&profile_once, profile_read);
	return &profiles[card];
}

bool sim_profile_has_clock(void)
{
	sim_profile_card(0);
	return has_clock;
}

bool sim_profile_is_dry(void)
{
	sim_profile_card(0);
	return is_dry;
}

double sim_profile_value(const struct sim_profile *profile, const char *key)
{
	const struct profile_key *found = profile_find_key(key);
	return found ? *(const double *)(const void *)((const char *)profile + found->offset) : -1;
}
