/* audit_image.h - which symbols a loaded object defines, by its own hash table */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_AUDIT_AUDIT_IMAGE_H
#define GPUSHIM_AUDIT_AUDIT_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* Where an object's dynamic symbols lie. Both hash tables are NULL where it has none: then it defines nothing. */
struct audit_image {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *gnu_hash, *sysv_hash;
};

/* Reads the object's dynamic section, which the loader may have relocated already or not. */
void audit_image_read(struct audit_image *image, const struct link_map *map);

/* The address of what the object itself defines under this name, NULL where it does not. */
void *audit_image_find(const struct audit_image *image, const char *name);

#endif
