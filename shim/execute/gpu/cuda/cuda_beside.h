/* cuda_beside.h - the folders where the libraries that belong to a cudart may be */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_BESIDE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_CUDA_CUDA_BESIDE_H

#include "shim/execute/gpu/cuda/cuda_api.h"

enum { CUDA_BESIDE_FOLDERS = 32 };

struct cuda_beside {
	int count;
	char folder[CUDA_BESIDE_FOLDERS][CUDA_PATH_BYTES];
};

/*
 * Folders in search order, all of the installation that runtime (the path of a cudart) is part of:
 * its own folder; pip's folder of that library beside it; and the folders math_libs/lib64 and
 * math_libs/VERSION/lib64 of NVIDIA's HPC SDK, with cudart's version first. Symbolic links in the
 * path are followed too. A path without a folder: none.
 */
void cuda_beside_list(const char *runtime, enum cuda_library library, struct cuda_beside *beside);

/* The folders of LD_LIBRARY_PATH; relative ones are left out. */
void cuda_beside_list_path(struct cuda_beside *beside);

/*
 * Lists the names in folder that begin with prefix, the highest version first; returns their
 * number. Of large folders only the first entries are read.
 */
enum { CUDA_BESIDE_NAMES = 32, CUDA_BESIDE_NAME_BYTES = 64 };
int cuda_beside_read_folder(const char *folder, const char *prefix,
                            char (*names)[CUDA_BESIDE_NAME_BYTES]);

/* printf into a path; false where it does not fit. */
__attribute__((format(printf, 2, 3))) bool cuda_beside_format(char path[CUDA_PATH_BYTES],
                                                              const char *format, ...);

bool cuda_beside_is_folder(const char *path);

#endif
