/* count_read.c - reads Fortran's arguments by reference, CBLAS's by value */
/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/count/count_read.h"

#include "audit/count/count_plans.h"

enum {
	READ_RIGHT = 142, /* CBLAS's word for the right side */
	READ_BATCH_FORTRAN = 13,
	READ_STRIDED_FORTRAN = 16,
	READ_STRIDED_VALUE =
		15 /* where alpha and beta come in vector registers; 17 where by reference */
};

static uint64_t count_read_raw(const struct count_frame *frame, int position)
{
	return position < COUNT_REGISTERS ? frame->registers[position]
	                                  : frame->stack[position - COUNT_REGISTERS];
}

static const void *count_read_address(const struct count_frame *frame, int position)
{
	return (const void *)count_read_raw(frame, position);
}

/* A library with 64-bit integers under plain names gives the same number here up to 2^31. */
static int64_t count_read_integer(const void *address, bool is_wide)
{
	return is_wide ? *(const int64_t *)address : *(const int32_t *)address;
}

/* How many arguments CBLAS and LAPACKE have in front of Fortran's. */
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

static bool count_read_is_right(const struct count_name *name, const struct count_frame *frame)
{
	const int form = name->routine->form;
	if (form != COUNT_FORM_SYMM && form != COUNT_FORM_TRMM)
		return false;
	if (name->convention == COUNT_VALUE)
		return (int32_t)count_read_raw(frame, 1) == READ_RIGHT;
	const char side = *(const char *)count_read_address(frame, 0);
	return side == 'R' || side == 'r';
}

static uint64_t count_read_element_bytes(char element)
{
	switch (element) {
	case 's': return 4;
	case 'z': return 16;
	default: return 8;
	}
}

static bool count_read_is_complex(const struct count_name *name)
{
	return name->element == 'c' || name->element == 'z';
}

static void count_read_weigh(const struct count_name *name, struct count_reading *reading)
{
	const enum count_form form = (enum count_form)name->routine->form;
	reading->flops = count_flops_count(form, count_read_is_complex(name), &reading->sizes);
	reading->size_bytes = count_flops_count_elements(form, &reading->sizes) *
	                      count_read_element_bytes(name->element);
}

static void count_read_strided(const struct count_name *name, const struct count_frame *frame,
                               struct count_reading *reading)
{
	const int value = READ_STRIDED_VALUE + (count_read_is_complex(name) ? 2 : 0);
	const int position = name->convention == COUNT_VALUE ? value - 1 : READ_STRIDED_FORTRAN;
	reading->sizes.count = count_read_argument(name, frame, position);
	if (reading->sizes.count > 0)
		count_read_weigh(name, reading);
}

/* Groups of equal problems; the sizes that are shown are those of the one with the most work. */
static void count_read_batch(const struct count_name *name, const struct count_frame *frame,
                             struct count_reading *reading)
{
	const short *position = name->routine->position;
	const int shift = count_read_shift(name), step = name->is_wide ? 8 : 4;
	const char *m = count_read_address(frame, position[0] + shift);
	const char *n = count_read_address(frame, position[1] + shift);
	const char *k = count_read_address(frame, position[2] + shift);
	const char *count = count_read_address(frame, READ_BATCH_FORTRAN + 1 + shift);
	const int64_t groups = count_read_argument(name, frame, READ_BATCH_FORTRAN);
	uint64_t most = 0;
	for (int64_t i = 0; i < groups; i++) {
		struct count_reading group = {.is_known = true};
		group.sizes.m = count_read_integer(m + i * step, name->is_wide);
		group.sizes.n = count_read_integer(n + i * step, name->is_wide);
		group.sizes.k = count_read_integer(k + i * step, name->is_wide);
		group.sizes.count = count_read_integer(count + i * step, name->is_wide);
		const uint64_t flops = count_flops_count(COUNT_FORM_STRIDED,
		                                         count_read_is_complex(name), &group.sizes);
		const uint64_t elements =
			count_flops_count_elements(COUNT_FORM_STRIDED, &group.sizes);
		if (group.sizes.count > 0) {
			reading->flops += flops;
			reading->size_bytes += elements * count_read_element_bytes(name->element);
		}
		if (flops > most) {
			most = flops;
			reading->sizes = group.sizes;
		}
	}
}

static void count_read_matrix(const struct count_name *name, const struct count_frame *frame,
                              struct count_reading *reading)
{
	const short *position = name->routine->position;
	if (name->routine->form == COUNT_FORM_BATCH) {
		count_read_batch(name, frame, reading);
		return;
	}
	reading->sizes.m = count_read_argument(name, frame, position[0]);
	reading->sizes.n = count_read_argument(name, frame, position[1]);
	reading->sizes.k = count_read_argument(name, frame, position[2]);
	reading->sizes.is_right = count_read_is_right(name, frame);
	if (name->routine->form == COUNT_FORM_STRIDED)
		count_read_strided(name, frame, reading);
	else if (!name->is_lapacke)
		count_read_weigh(name, reading);
}

void count_read_call(const struct count_binding *binding, const struct count_frame *frame,
                     struct count_reading *reading)
{
	const struct count_name *name = &binding->name;
	*reading = (struct count_reading){.is_known = binding->reads_sizes};
	if (!binding->reads_sizes)
		return;
	if (name->routine->form == COUNT_FORM_EXECUTE)
		reading->is_known = count_plans_find(count_plans_locate(name, frame), reading);
	else if (name->routine->library == COUNT_FFTW)
		count_plans_read(name, frame, reading);
	else
		count_read_matrix(name, frame, reading);
}
