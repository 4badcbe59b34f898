/* html_escape.h - others' words as text of HTML */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_HTML_ESCAPE_H
#define GPUSHIM_PAGE_HTML_ESCAPE_H

#include <stdio.h>

/*
 * Writes text so that it is shown as it is, in an element or an attribute. What is no UTF-8, and
 * what would not be seen or would turn what stands beside it (control characters, marks of
 * direction), becomes U+FFFD.
 */
void html_escape_write(FILE *file, const char *text);

#endif
