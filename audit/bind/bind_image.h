/* bind_image.h - which symbols a loaded object defines, by its own hash table; for both libraries of the loader's */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_BIND_BIND_IMAGE_H
#define GPUSHIM_AUDIT_BIND_BIND_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Where an object's dynamic symbols lie. Both hash tables are NULL where it has none: then it
 * defines nothing.
 */
struct bind_image {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *gnu_hash, *sysv_hash;
};

/* An address of the dynamic section, which the loader may have relocated already or not. */
const void *bind_image_locate(const struct link_map *map, ElfW(Addr) address);

/* Reads the object's dynamic section. */
void bind_image_read(struct bind_image *image, const struct link_map *map);

/* What the object itself defines under this name, NULL where it does not. */
const ElfW(Sym) * bind_image_find_symbol(const struct bind_image *image, const char *name);

/* Its address. */
void *bind_image_find(const struct bind_image *image, const char *name);

#endif
