/* mappings.c - reads /proc/self/maps */
/* SPDX-License-Identifier: Apache-2.0 */
#include "shim/execute/gpu/resident/mappings.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/base/input_file.h"

/* Holds the longest line: a path of 4096 bytes, each of which may be written as four. */
enum { MAPPINGS_BYTES = 32768, MAPPINGS_LETTERS = 4 };

static char mappings_text[MAPPINGS_BYTES];

/* Reads a hexadecimal number and the letter behind it; NULL if there is another one. */
static const char *mappings_read_number(const char *text, char end, uint64_t *number)
{
	*number = 0;
	for (; *text != end; text++) {
		const char letter = *text;
		const bool is_digit = letter >= '0' && letter <= '9';
		if (!is_digit && (letter < 'a' || letter > 'f'))
			return NULL;
		*number = *number * 16 + (uint64_t)(is_digit ? letter - '0' : letter - 'a' + 10);
	}
	return text + 1;
}

/* START-END rwxp OFFSET DEVICE NODE NAME; false where the line is another one. */
static bool mappings_parse(const char *line, struct mapping *mapping)
{
	uint64_t start, end;
	line = mappings_read_number(line, '-', &start);
	if (line != NULL)
		line = mappings_read_number(line, ' ', &end);
	if (line == NULL || strnlen(line, MAPPINGS_LETTERS) < MAPPINGS_LETTERS)
		return false;
	const char *letters = line, *node = line;
	for (int field = 0; field < 3; field++) {
		node = strchr(node, ' ');
		if (node == NULL)
			return false;
		node++;
	}
	const size_t digits = strspn(node, "0123456789");
	mapping->span = (struct pages_span){start, end};
	mapping->name = node + digits + strspn(node + digits, " ");
	mapping->is_trackable = strncmp(letters, "rw", 2) == 0 && letters[3] == 'p' &&
	                        digits == 1 && node[0] == '0' &&
	                        strncmp(mapping->name, "[stack", strlen("[stack")) != 0;
	return digits > 0;
}

/* Visits the whole lines of the text; *left: bytes behind the last one, moved to the front. */
static bool mappings_visit_lines(size_t bytes, size_t *left, mappings_visitor *visit, void *self,
                                 bool *more)
{
	char *line = mappings_text, *end;
	while ((end = memchr(line, '\n', bytes)) != NULL) {
		struct mapping mapping;
		*end = '\0';
		if (!mappings_parse(line, &mapping))
			return false;
		*more = visit(&mapping, self);
		if (!*more)
			return true;
		bytes -= (size_t)(end + 1 - line);
		line = end + 1;
	}
	memmove(mappings_text, line, bytes);
	*left = bytes;
	return bytes < sizeof mappings_text;
}

bool mappings_visit(mappings_visitor *visit, void *self)
{
	struct stat status;
	const int file = input_file_open("/proc/self/maps", &status);
	if (file < 0)
		return false;
	size_t left = 0;
	bool whole = true, more = true;
	while (whole && more) {
		const ssize_t bytes = read(file, mappings_text + left, sizeof mappings_text - left);
		if (bytes < 0 && errno == EINTR)
			continue;
		whole = bytes >= 0;
		if (bytes <= 0)
			break;
		whole = mappings_visit_lines(left + (size_t)bytes, &left, visit, self, &more);
	}
	close(file);
	return whole;
}
