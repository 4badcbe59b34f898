/* cuda_name.c - reads a device's name from the driver or the runtime */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_name.h"

#include <dlfcn.h>
#include <string.h>

/* More than cudaDeviceProp of any CUDA major; its first field is the name, of CUDA_NAME_BYTES. */
enum { CUDA_PROPERTIES_BYTES = 1 << 12, CUDA_NAME_BYTES = 256 };

/* Looks the device up by its PCI address: driver and runtime may number devices differently. */
static bool cuda_name_ask_driver(const char *pci_bus_id, char name[CUDA_NAME_BYTES])
{
	int (*by_pci_bus_id)(int *, const char *) = NULL, (*get_name)(char *, int, int) = NULL;
	int handle = -1;
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	if (driver == NULL)
		return false;
	void *symbol = dlsym(driver, "cuDeviceGetByPCIBusId");
	memcpy(&by_pci_bus_id, &symbol, sizeof symbol);
	symbol = dlsym(driver, "cuDeviceGetName");
	memcpy(&get_name, &symbol, sizeof symbol);
	const bool told = by_pci_bus_id != NULL && get_name != NULL &&
	                  by_pci_bus_id(&handle, pci_bus_id) == CUDA_SUCCESS &&
	                  get_name(name, CUDA_NAME_BYTES, handle) == CUDA_SUCCESS;
	dlclose(driver);
	return told;
}

/* For the simulated CUDA of the tests, and for drivers without cuDeviceGetByPCIBusId. */
static bool cuda_name_ask_runtime(const struct cuda_set *set, int device,
                                  char name[CUDA_NAME_BYTES])
{
	char properties[CUDA_PROPERTIES_BYTES] = "";
	int (*read_properties)(void *, int) = NULL;
	void *symbol = dlsym(set->library[CUDA_LIBRARY_CUDART], "cudaGetDeviceProperties_v2");
	if (symbol == NULL)
		symbol = dlsym(set->library[CUDA_LIBRARY_CUDART], "cudaGetDeviceProperties");
	memcpy(&read_properties, &symbol, sizeof symbol);
	if (read_properties == NULL || read_properties(properties, device) != CUDA_SUCCESS)
		return false;
	memcpy(name, properties, CUDA_NAME_BYTES);
	return true;
}

void cuda_name_read(const struct cuda_set *set, int device, char *name, size_t size)
{
	char told[CUDA_NAME_BYTES] = "";
	const char *pci_bus_id = "";
	name[0] = '\0';
	for (int i = 0; i < set->count; i++)
		if (set->devices[i].number == device)
			pci_bus_id = set->devices[i].pci_bus_id;
	if ((pci_bus_id[0] == '\0' || !cuda_name_ask_driver(pci_bus_id, told)) &&
	    !cuda_name_ask_runtime(set, device, told))
		return;
	told[sizeof told - 1] = '\0';
	strncat(name, told, size - 1);
}
