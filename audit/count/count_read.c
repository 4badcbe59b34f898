/* count_read.c - reads Fortran's arguments by reference, CBLAS's by value */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_read.h"

#include <string.h>

/* CBLAS: its number for the right side, and the real scalars of a product (alpha and beta). */
enum { READ_RIGHT = 142, READ_SCALARS = 2 };

/* Of a 64-bit integer under a plain name this reads the lower half: right up to 2^31. */
static int64_t count_read_integer(const void *address, bool is_wide)
{
	return is_wide ? *(const int64_t *)address : *(const int32_t *)address;
}

/* Number of arguments that CBLAS and LAPACKE have in front of those of Fortran. */
static int count_read_shift(const struct count_name *name)
{
	return name->convention == COUNT_VALUE && name->routine->level != 1 ? 1 : 0;
}

static int64_t count_read_argument(const struct count_name *name, const struct count_frame *frame,
                                   int position)
{
	if (position == COUNT_NO)
		return 0;
	position += count_read_shift(name);
	if (name->convention != COUNT_VALUE)
		return count_read_integer(count_read_address(frame, position), name->is_wide);
	const uint64_t value = count_read_raw(frame, position);
	return name->is_wide ? (int64_t)value : (int32_t)value;
}

/*
 * A flag of a LAPACK routine, in capitals; 0 where it has none. The flags are the first arguments,
 * in the order of family_letters.
 */
static char count_read_flag(const struct count_name *name, const struct count_frame *frame,
                            char letter)
{
	const enum count_form form = (enum count_form)name->routine->form;
	if (!count_flops_is_lapack(form) || form == COUNT_FORM_TRTRS || name->is_lapacke)
		return '\0';
	const char *letters = family_letters(count_flops_find_family(form)),
		   *at = strchr(letters, letter);
	if (at == NULL)
		return '\0';
	const char flag = *(const char *)count_read_address(frame, (int)(at - letters));
	return flag >= 'a' && flag <= 'z' ? (char)(flag - 'a' + 'A') : flag;
}

/* jobz, jobu and jobvl are j; jobvt and jobvr are v. */
static bool count_read_has_vectors(const struct count_name *name, const struct count_frame *frame)
{
	const char first = count_read_flag(name, frame, 'j'),
		   second = count_read_flag(name, frame, 'v');
	return (first != '\0' && first != 'N') || (second != '\0' && second != 'N');
}

static bool count_read_is_right(const struct count_name *name, const struct count_frame *frame)
{
	const enum count_form form = (enum count_form)name->routine->form;
	if (count_flops_is_lapack(form))
		return count_read_flag(name, frame, 's') == 'R';
	if (!count_flops_is_level3(form) || !family_has_square(count_flops_find_family(form)))
		return false;
	if (name->convention == COUNT_VALUE)
		return (int32_t)count_read_raw(frame, 1) == READ_RIGHT;
	const char side = *(const char *)count_read_address(frame, 0);
	return side == 'R' || side == 'r';
}

static enum element count_read_find_element(const struct count_name *name)
{
	static const char letters[] = "sdcz";
	return (enum element)(strchr(letters, name->element) - letters);
}

static void count_read_weigh(const struct count_name *name, struct count_reading *reading)
{
	const enum count_form form = (enum count_form)name->routine->form;
	const enum element element = count_read_find_element(name);
	reading->flops = count_flops_count(form, element_is_complex(element), &reading->sizes);
	reading->size_bytes = count_flops_count_bytes(form, element, &reading->sizes);
}

/* CBLAS passes real scalars in vector registers, so that later positions are lower. */
static void count_read_strided(const struct count_name *name, const struct count_frame *frame,
                               struct count_reading *reading)
{
	const bool has_real_scalars = name->convention == COUNT_VALUE &&
	                              !element_is_complex(count_read_find_element(name));
	reading->sizes.count = count_read_argument(
		name, frame, name->routine->position[3] - (has_real_scalars ? READ_SCALARS : 0));
	if (reading->sizes.count > 0)
		count_read_weigh(name, reading);
}

/*
 * Groups of equal problems: each size is an array with one entry per group. The sizes that are
 * reported are those of the group with the most work.
 */
static void count_read_batch(const struct count_name *name, const struct count_frame *frame,
                             struct count_reading *reading)
{
	const short *position = name->routine->position;
	const int shift = count_read_shift(name), step = name->is_wide ? 8 : 4;
	const char *m = count_read_address(frame, position[0] + shift);
	const char *n = count_read_address(frame, position[1] + shift);
	const char *k = count_read_address(frame, position[2] + shift);
	const char *count = count_read_address(frame, position[3] + 1 + shift);
	const int64_t groups = count_read_argument(name, frame, position[3]);
	uint64_t most = 0;
	for (int64_t i = 0; i < groups; i++) {
		struct count_reading group = {.is_known = true};
		group.sizes.m = count_read_integer(m + i * step, name->is_wide);
		group.sizes.n = count_read_integer(n + i * step, name->is_wide);
		group.sizes.k = count_read_integer(k + i * step, name->is_wide);
		group.sizes.count = count_read_integer(count + i * step, name->is_wide);
		count_read_weigh(name, &group);
		if (group.sizes.count > 0) {
			reading->flops += group.flops;
			reading->size_bytes += group.size_bytes;
		}
		if (group.flops > most) {
			most = group.flops;
			reading->sizes = group.sizes;
		}
	}
}

bool count_read_is_query(const struct count_binding *binding, const struct count_frame *frame)
{
	return binding->query != COUNT_NO &&
	       count_read_integer(count_read_address(frame, binding->query),
	                          binding->name.is_wide) == -1;
}

void count_read_matrix(const struct count_name *name, const struct count_frame *frame,
                       struct count_reading *reading)
{
	const short *position = name->routine->position;
	if (name->routine->form == COUNT_FORM_GEMM_BATCH) {
		count_read_batch(name, frame, reading);
		return;
	}
	reading->sizes.m = count_read_argument(name, frame, position[0]);
	reading->sizes.n = count_read_argument(name, frame, position[1]);
	reading->sizes.k = count_read_argument(name, frame, position[2]);
	reading->sizes.is_right = count_read_is_right(name, frame);
	reading->sizes.has_vectors = count_read_has_vectors(name, frame);
	if (name->routine->form == COUNT_FORM_GEMM_BATCH_STRIDED)
		count_read_strided(name, frame, reading);
	else if (!name->is_lapacke)
		count_read_weigh(name, reading);
}
