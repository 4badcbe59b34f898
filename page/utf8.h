/* utf8.h - reads the characters of text of unknown origin */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_UTF8_H
#define GPUSHIM_PAGE_UTF8_H

#include <stdint.h>

/*
 * Reads the character that a text begins with; the text must not be empty. Returns its bytes. Where
 * the text begins with no valid character (another encoding, overlong forms, surrogates), returns 1
 * and sets the character to 0.
 */
int utf8_read_character(const char *text, uint32_t *character);

#endif
