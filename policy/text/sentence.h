/* sentence.h - a sentence put together in a buffer of the caller; pure */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_POLICY_TEXT_SENTENCE_H
#define GPUSHIM_POLICY_TEXT_SENTENCE_H

#include "policy/text/words.h"

/* A text in a buffer of the caller, always terminated; what does not fit is cut off. */
struct sentence {
	char *text;
	size_t size;
};

/* Starts an empty sentence; size is at least 1. */
struct sentence sentence_start(char *text, size_t size);
void sentence_add(struct sentence *sentence, const char *piece);
void sentence_add_words(struct sentence *sentence, struct words words);

/* Adds foreign text in single quotes: at most 48 bytes of it, control characters as ?. */
void sentence_quote(struct sentence *sentence, struct words words);

#endif
