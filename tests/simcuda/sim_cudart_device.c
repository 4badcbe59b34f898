/* sim_cudart_device.c - exported: devices, versions, attributes */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "sim_context.h"
#include "sim_cudart.h"
#include "sim_profile.h"
#include "sim_visible.h"

int cudaGetDeviceCount(int *count)
{
	int error = sim_begin(SIM_CALL_cudaGetDeviceCount, SIMCUDA_NEEDS_DRIVER);
	if (!error && !count)
		error = SIM_cudaErrorInvalidValue;
	if (!error)
		*count = sim_visible_count();
	return sim_end(error);
}

int cudaSetDevice(int device)
{
	int error = sim_begin(SIM_CALL_cudaSetDevice, SIMCUDA_NEEDS_DRIVER);
	sim_lock();
	if (!error)
		error = sim_context_select(device);
	sim_unlock();
	return sim_end(error);
}

int cudaGetDevice(int *device)
{
	int error = sim_begin(SIM_CALL_cudaGetDevice, SIMCUDA_NEEDS_DRIVER);
	if (!error && !device)
		error = SIM_cudaErrorInvalidValue;
	if (!error)
		*device = simcuda_device();
	return sim_end(error);
}

int cudaDriverGetVersion(int *version)
{
	int error = sim_begin(SIM_CALL_cudaDriverGetVersion, SIMCUDA_NEEDS_NOTHING);
	if (!error && !version)
		error = SIM_cudaErrorInvalidValue;
	if (!error)
		*version = sim_config()->driver;
	return sim_end(error);
}

int cudaRuntimeGetVersion(int *version)
{
	static const int versions[] = {[11] = 11080, [12] = 12040, [13] = 13000};
	int error = sim_begin(SIM_CALL_cudaRuntimeGetVersion, SIMCUDA_NEEDS_NOTHING);
	if (!error && !version)
		error = SIM_cudaErrorInvalidValue;
	if (!error)
		*version = versions[SIMCUDA_MAJOR];
	return sim_end(error);
}

struct attribute_row {
	int attribute, value;
};

/* Numbers of cudaDevAttr. Values below 0 stand for values that depend on the device. */
enum {
	CAPABILITY_MAJOR = -1,
	CAPABILITY_MINOR = -2,
	BUS_ID = -3,
	MULTIPROCESSORS = -4,
	HOST_TABLES = -5,
	COMPUTE_MODE = -6,
	MEMORY_IS_NODE = -7,
	MEMORY_NODE = -8
};

static const struct attribute_row attribute_rows[] = {
	{1, 1024},        /* threads per block */
	{8, 49152},       /* shared memory per block */
	{10, 32},         /* warp */
	{11, 2147483647}, /* largest pitch */
	{13, 1500000},    /* clock, kHz */
	{15, 1},          /* copies beside kernels */
	{16, MULTIPROCESSORS},
	{17, 0}, /* kernel time limit */
	{18, 0}, /* integrated */
	{19, 1}, /* maps host memory */
	{20, COMPUTE_MODE},
	{31, 1},        /* concurrent kernels */
	{32, 1},        /* ECC */
	{33, BUS_ID},   /* PCI bus */
	{34, 0},        /* PCI device */
	{36, 1500000},  /* memory clock, kHz */
	{37, 4096},     /* memory bus, bits */
	{38, 32 << 20}, /* level 2 cache */
	{39, 2048},     /* threads per multiprocessor */
	{40, 2},        /* copy engines */
	{41, 1},        /* unified addressing */
	{50, 0},        /* PCI domain */
	{75, CAPABILITY_MAJOR},
	{76, CAPABILITY_MINOR},
	{78, 1},            /* stream priorities */
	{83, 1},            /* managed memory */
	{87, 2},            /* single to double rate */
	{88, HOST_TABLES},  /* pageable memory access */
	{89, 1},            /* concurrent managed access */
	{91, 1},            /* host pointer of registered memory */
	{99, 1},            /* host registration */
	{100, HOST_TABLES}, /* pageable access through host page tables */
	{113, 0},           /* read-only registration */
	{115, 0},           /* memory pools: not built */
	{130, MEMORY_IS_NODE},
	{131, MEMORY_NODE},
};

static int attribute_value(int value, int device)
{
	switch (value) {
	case CAPABILITY_MAJOR: return sim_profile(device)->capability / 10;
	case CAPABILITY_MINOR: return sim_profile(device)->capability % 10;
	case BUS_ID: return sim_visible_card(device) + 1;
	case COMPUTE_MODE:
		return sim_config()->exclusive >> sim_visible_card(device) & 1
		               ? SIM_MODE_EXCLUSIVE
		               : (int)sim_config()->compute_mode;
	case MULTIPROCESSORS: return (int)sim_profile(device)->multiprocessors;
	case HOST_TABLES: return sim_config()->host_tables;
	case MEMORY_IS_NODE: return sim_config()->memory_node >= 0;
	case MEMORY_NODE: return sim_config()->memory_node;
	default: return value;
	}
}

static int attribute_read(int *value, int attribute, int device)
{
	if (!value)
		return SIM_cudaErrorInvalidValue;
	if (!sim_device_at(device))
		return SIM_cudaErrorInvalidDevice;
	for (size_t i = 0; i < sizeof attribute_rows / sizeof attribute_rows[0]; i++)
		if (attribute_rows[i].attribute == attribute) {
			*value = attribute_value(attribute_rows[i].value, device);
			return 0;
		}
	return SIM_cudaErrorInvalidValue;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	int error = sim_begin(SIM_CALL_cudaDeviceGetAttribute, SIMCUDA_NEEDS_DRIVER);
	if (!error)
		error = attribute_read(value, attribute, device);
	return sim_end(error);
}

int cudaDeviceGetPCIBusId(char *id, int length, int device)
{
	char text[16];
	int error = sim_begin(SIM_CALL_cudaDeviceGetPCIBusId, SIMCUDA_NEEDS_DRIVER);
	if (!error && !sim_device_at(device))
		error = SIM_cudaErrorInvalidDevice;
	if (!error)
		snprintf(text, sizeof text, "0000:%02X:00.0",
		         (unsigned char)(sim_visible_card(device) + 1));
	if (!error && (!id || length < (int)strlen(text) + 1))
		error = SIM_cudaErrorInvalidValue;
	if (!error)
		memcpy(id, text, strlen(text) + 1);
	return sim_end(error);
}

int cudaDeviceSynchronize(void)
{
	int error = sim_begin(SIM_CALL_cudaDeviceSynchronize, SIMCUDA_NEEDS_CONTEXT);
	if (!error)
		error = simcuda_synchronize();
	return sim_end(error);
}

int cudaDeviceReset(void)
{
	int error = sim_begin(SIM_CALL_cudaDeviceReset, SIMCUDA_NEEDS_CONTEXT);
	if (!error)
		error = sim_device_reset();
	return sim_end(error);
}
