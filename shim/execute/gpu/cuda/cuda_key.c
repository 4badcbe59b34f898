/* cuda_key.c - UUID or PCI id of a device as a number */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_key.h"

#include <string.h>

#include "shim/execute/gpu/cuda/cuda_driver.h"

enum { CUDA_KEY_UUID_BYTES = 16 };

static uint64_t cuda_key_hash(const void *bytes, size_t count)
{
	const unsigned char *byte = bytes;
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
	return hash;
}

static bool cuda_key_read_uuid(int number, unsigned char uuid[CUDA_KEY_UUID_BYTES])
{
	struct cuda_driver driver;
	int handle;
	return cuda_driver_find(&driver) && driver.get_uuid != NULL &&
	       driver.get_device(&handle, number) == CUDA_SUCCESS &&
	       driver.get_uuid(uuid, handle) == CUDA_SUCCESS;
}

uint64_t cuda_key_find(const struct cuda_device *card)
{
	unsigned char uuid[CUDA_KEY_UUID_BYTES] = {0};
	if (cuda_key_read_uuid(card->number, uuid))
		return cuda_key_hash(uuid, sizeof uuid);
	return card->pci_bus_id[0] != '\0'
	               ? cuda_key_hash(card->pci_bus_id, strlen(card->pci_bus_id))
	               : 0;
}
