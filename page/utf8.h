/* utf8.h - characters of text that others wrote */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_UTF8_H
#define GPUSHIM_PAGE_UTF8_H

#include <stdint.h>

/*
 * The bytes of the character that a text, not at its end, begins with, and the character. Where it
 * begins with none (bytes of another encoding, overlong forms, halves of pairs), 1 byte and the
 * character 0.
 */
int utf8_read_character(const char *text, uint32_t *character);

#endif
