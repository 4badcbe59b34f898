/* sim_config.c - the environment's controls, read once at the first call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_engine.h"

static struct sim_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static void config_complain(const char *name, const char *value)
{
	fprintf(stderr, "simcuda: %s: cannot understand '%s'; the default is used\n", name, value);
}

static double config_number(const char *name, double low, double high, double fallback)
{
	const char *text = getenv(name);
	if (!text || !*text)
		return fallback;
	char *end;
	double value = strtod(text, &end);
	if (*end || !(value >= low && value <= high)) {
		config_complain(name, text);
		return fallback;
	}
	return value;
}

static size_t config_size(const char *name, size_t fallback)
{
	const char *text = getenv(name);
	if (!text || !*text)
		return fallback;
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	int shift = 0;
	if (*end == 'K' || *end == 'M' || *end == 'G')
		shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 30;
	if (shift)
		end++;
	if (end == text || *end || !value || value > (1ull << 42) >> shift) {
		config_complain(name, text);
		return fallback;
	}
	return (size_t)value << shift;
}

/* "9.0" is 90 and "12.1" is 121: not a decimal fraction. */
static int config_capability(int fallback)
{
	const char *text = getenv("SIMCUDA_CAPABILITY");
	int major, minor;
	char rest;
	if (!text || !*text)
		return fallback;
	if (sscanf(text, "%2d.%1d%c", &major, &minor, &rest) == 2 && major > 0 && minor >= 0)
		return 10 * major + minor;
	config_complain("SIMCUDA_CAPABILITY", text);
	return fallback;
}

static bool config_pageable_late(void)
{
	const char *text = getenv("SIMCUDA_PAGEABLE");
	if (!text || !*text || !strcmp(text, "now"))
		return false;
	if (!strcmp(text, "late"))
		return true;
	config_complain("SIMCUDA_PAGEABLE", text);
	return false;
}

static void config_read(void)
{
	config.devices = (int)config_number("SIMCUDA_DEVICES", 0, SIM_MAX_DEVICES, 1);
	config.driver = (int)config_number("SIMCUDA_DRIVER", 0, 99990, 13000);
	config.capability = config_capability(90);
	config.memory_bytes = config_size("SIMCUDA_MEMORY", (size_t)4 << 30);
	config.pageable_late = config_pageable_late();
	config.seed = (uint64_t)config_number("SIMCUDA_SEED", 0, 9e15, 1);
	config.link_gbytes = config_number("SIMCUDA_LINK", 1e-6, 1e6, 25);
	config.compute_gflops = config_number("SIMCUDA_COMPUTE", 1e-6, 1e9, 10000);
}

const struct sim_config *sim_config(void)
{
	pthread_once(&config_once, config_read);
	return &config;
}
