/* html_style.h - how pages look, in light and dark, on a screen and on a phone */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_PAGE_HTML_STYLE_H
#define GPUSHIM_PAGE_HTML_STYLE_H

/* The style sheet. */
extern const char html_style[];

#endif
