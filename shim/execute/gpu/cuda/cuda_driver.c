/* cuda_driver.c - finds the functions of the driver's library */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/cuda/cuda_driver.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "shim/execute/gpu/cuda/cuda_api.h"

struct cuda_driver_symbol {
	bool required;
	size_t offset;
	char name[CUDA_FUNCTION_BYTES];
};

enum { CUDA_DRIVER_REQUIRED = true, CUDA_DRIVER_OPTIONAL = false };

static const struct cuda_driver_symbol cuda_driver_symbols[] = {
#define CUDA_DRIVER(field, name, need, parameters)                                                 \
	{CUDA_DRIVER_##need, offsetof(struct cuda_driver, field), #name},
#include "shim/execute/gpu/cuda/cuda_driver.def"
};

/* The library stays open, as it does for the runtime. */
bool cuda_driver_find(struct cuda_driver *driver)
{
	void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	bool complete = library != NULL;
	for (size_t i = 0; i < sizeof cuda_driver_symbols / sizeof cuda_driver_symbols[0]; i++) {
		const struct cuda_driver_symbol *row = &cuda_driver_symbols[i];
		void *symbol = library == NULL ? NULL : dlsym(library, row->name);
		memcpy((char *)driver + row->offset, &symbol, sizeof symbol);
		complete = complete && (symbol != NULL || !row->required);
	}
	return complete;
}
