/* gpu_gather_test.c - copies of a triangle to staging; needs no CUDA */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gpu_check.h"
#include "shim/execute/gpu/copy/pack.h"

enum { ROWS = 60, COLUMNS = 40, LD = 67 };

static char place[LD * COLUMNS * 16];

/* The elements that a rule for loads is about come over; all others are 0, and are not read. */
static void check_gather_part(const struct pack_area *area, const struct pack_rule *rule)
{
	const uint64_t size_bytes = element_size_bytes(rule->element);
	const int64_t rows = (int64_t)(area->run_bytes / size_bytes);
	char *staging = malloc(area->run_bytes * area->count);
	uint64_t wrong = 0;
	for (size_t i = 0; i < sizeof place; i++)
		place[i] = (char)(1 + (int)(gpu_check_random() * 100));
	pack_gather_part(staging, area, rule);
	for (uint64_t j = 0; j < area->count; j++)
		for (int64_t i = 0; i < rows; i++) {
			const int64_t above = rule->column + (int64_t)j - rule->row - i;
			const uint64_t at = (uint64_t)i * size_bytes;
			char expected[16] = {0};
			const bool read = rule->part == PACK_UPPER ? above >= rule->unit
			                                           : above <= -(int)rule->unit;
			if (read)
				memcpy(expected, area->host + j * area->pitch_bytes + at,
				       rule->hermitian && above == 0 ? size_bytes / 2 : size_bytes);
			wrong += memcmp(staging + j * area->run_bytes + at, expected, size_bytes) !=
			         0;
		}
	EXPECT(wrong == 0, "%lu wrong: element %d part %d unit %d hermitian %d at %ld, %ld",
	       (unsigned long)wrong, (int)rule->element, (int)rule->part, rule->unit,
	       rule->hermitian, (long)rule->row, (long)rule->column);
	free(staging);
}

static void test_gather_part(void)
{
	static const int64_t at[][2] = {{0, 0}, {10, 30}, {30, 10}, {0, 200}, {200, 0}, {59, 0}};
	for (enum element element = ELEMENT_S; element <= ELEMENT_Z; element++)
		for (int part = PACK_UPPER; part <= PACK_LOWER; part++)
			for (int special = 0; special < 3; special++)
				for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
					const uint64_t size_bytes = element_size_bytes(element);
					const struct pack_area area = {place, ROWS * size_bytes,
					                               COLUMNS, LD * size_bytes};
					check_gather_part(
						&area,
						&(struct pack_rule){
							.element = element,
							.part = (enum pack_part)part,
							.unit = special == 1,
							.hermitian = special == 2 &&
					                             element_is_complex(element),
							.row = at[i][0],
							.column = at[i][1]});
				}
}

int main(void)
{
	for (int plain = 0; plain <= 1; plain++) {
		pack_copy_set_plain(plain != 0);
		test_gather_part();
	}
	return gpu_check_end("gpu_gather");
}
