/* loader_image.h - symbols of the dynamic loader itself, read without its locks */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_BASE_LOADER_IMAGE_H
#define GPUSHIM_SHIM_BASE_LOADER_IMAGE_H

#include <stddef.h>

/*
 * What the loader's image defines as name, and its size; NULL where it does not, or where the
 * loader was started as the program. dlsym would wait for the loader's lock.
 */
void *loader_image_find(const char *name, size_t *size);

#endif
