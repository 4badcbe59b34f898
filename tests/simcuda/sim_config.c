/* sim_config.c - the environment's controls, read once at the first call */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool sim_config_parse_size(const char *text, size_t *size_bytes)
{
	static const char suffixes[] = "KMGT";
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	const char *suffix = end != text && *end ? strchr(suffixes, *end) : NULL;
	int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
	if (suffix)
		end++;
	if (end == text || *end || !value || value > (1ull << 44) >> shift)
		return false;
	*size_bytes = (size_t)value << shift;
	return true;
}

/* Two numbers, not a decimal fraction: "9.0" is 90 and "12.1" is 121. */
bool sim_config_parse_capability(const char *text, int *capability)
{
	int major, minor;
	char rest;
	if (sscanf(text, "%2d.%1d%c", &major, &minor, &rest) != 2 || major <= 0 || minor < 0)
		return false;
	*capability = 10 * major + minor;
	return true;
}

static size_t config_memory(void)
{
	const char *text = getenv("SIMCUDA_MEMORY");
	size_t size_bytes = 0;
	if (text && *text && !sim_config_parse_size(text, &size_bytes))
		config_complain("SIMCUDA_MEMORY", text);
	return size_bytes;
}

static int config_capability(void)
{
	const char *text = getenv("SIMCUDA_CAPABILITY");
	int capability = 0;
	if (text && *text && !sim_config_parse_capability(text, &capability))
		config_complain("SIMCUDA_CAPABILITY", text);
	return capability;
}

/* A list of device numbers, as bits. */
static unsigned config_exclusive(void)
{
	const char *text = getenv("SIMCUDA_EXCLUSIVE");
	unsigned cards = 0;
	char *end;
	for (const char *next = text; next && *next; next = end + (*end == ',')) {
		long card = strtol(next, &end, 10);
		if (end == next || card < 0 || card >= SIM_MAX_DEVICES || (*end && *end != ',')) {
			config_complain("SIMCUDA_EXCLUSIVE", text);
			return 0;
		}
		cards |= 1u << card;
	}
	return cards;
}

static enum sim_mode config_mode(void)
{
	const char *text = getenv("SIMCUDA_COMPUTE_MODE");
	if (!text || !*text || !strcmp(text, "default"))
		return SIM_MODE_DEFAULT;
	if (!strcmp(text, "exclusive"))
		return SIM_MODE_EXCLUSIVE;
	if (!strcmp(text, "prohibited"))
		return SIM_MODE_PROHIBITED;
	config_complain("SIMCUDA_COMPUTE_MODE", text);
	return SIM_MODE_DEFAULT;
}

/* A device with the host's page tables copies ordinary memory itself, so late unless told. */
static bool config_pageable_late(void)
{
	const char *text = getenv("SIMCUDA_PAGEABLE");
	if (!text || !*text)
		return config.host_tables;
	if (!strcmp(text, "now"))
		return false;
	if (!strcmp(text, "late"))
		return true;
	config_complain("SIMCUDA_PAGEABLE", text);
	return false;
}

static void *config_idle(void *unused)
{
	pthread_setname_np(pthread_self(), "cuda-EvtHandlr");
	for (;;)
		pause();
	return unused;
}

/* CUDA's threads never end. Their signal mask is that of the thread that starts CUDA. */
static void config_make_threads(void)
{
	pthread_t thread;
	if (config_number("SIMCUDA_THREADS", 0, 1, 0) != 0 &&
	    !pthread_create(&thread, NULL, config_idle, NULL))
		pthread_detach(thread);
}

static void config_read(void)
{
	config_make_threads();
	config.devices = (int)config_number("SIMCUDA_DEVICES", 0, SIM_MAX_DEVICES, 1);
	config.driver = (int)config_number("SIMCUDA_DRIVER", 0, 99990, 13000);
	config.capability = config_capability();
	config.memory_bytes = config_memory();
	config.host_tables = config_number("SIMCUDA_HOST_TABLES", 0, 1, 0) != 0;
	config.memory_node = (int)config_number("SIMCUDA_MEMORY_NODE", -1, 1023, -1);
	config.pageable_late = config_pageable_late();
	config.exclusive = config_exclusive();
	config.compute_mode = config_mode();
	config.mps_clients = (int)config_number("SIMCUDA_MPS", 0, 1000, 0);
	config.visible = config_number("SIMCUDA_VISIBLE", 0, 1, 0) != 0;
	config.seed = (uint64_t)config_number("SIMCUDA_SEED", 0, 9e15, 1);
	config.link_gbytes = config_number("SIMCUDA_LINK", 1e-6, 1e6, 25);
	config.pin_us_per_mib = config_number("SIMCUDA_PIN_US_PER_MIB", 0, 1e6, 350);
	config.pageable_us_per_mib = config_number("SIMCUDA_PAGEABLE_US_PER_MIB", 0, 1e6, 0);
	config.compute_gflops = config_number("SIMCUDA_COMPUTE", 1e-6, 1e9, 10000);
	config.first_ms = config_number("SIMCUDA_FIRST_MS", 0, 1e6, 0);
}

const struct sim_config *sim_config(void)
{
	pthread_once(&config_once, config_read);
	return &config;
}
