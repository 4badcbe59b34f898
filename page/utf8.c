/* utf8.c - reads a character of UTF-8, and refuses invalid ones */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/utf8.h"

int utf8_read_character(const char *text, uint32_t *character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *byte = (const unsigned char *)text;
	const int length = byte[0] < 0x80           ? 1
	                   : (byte[0] >> 5) == 0x6  ? 2
	                   : (byte[0] >> 4) == 0xe  ? 3
	                   : (byte[0] >> 3) == 0x1e ? 4
	                                            : 0;
	*character = 0;
	if (length == 0)
		return 1;
	uint32_t value = length == 1 ? byte[0] : byte[0] & (0x7fU >> length);
	for (int i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (byte[i] & 0x3f);
	}
	if (value < least[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 1;
	*character = value;
	return length;
}
