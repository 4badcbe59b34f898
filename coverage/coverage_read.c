/* coverage_read.c - reads Fortran's arguments by reference, CBLAS's by value */
/* SPDX-License-Identifier: Apache-2.0 */
#include "coverage/coverage_read.h"

#include "coverage/coverage_plans.h"

enum {
	READ_RIGHT = 142, /* CBLAS's word for the right side */
	READ_BATCH_FORTRAN = 13,
	READ_STRIDED_FORTRAN = 16,
	READ_STRIDED_VALUE = 15 /* where alpha and beta come in vector registers; 17 where by reference */
};

static uint64_t coverage_read_raw(const struct coverage_frame *frame, int position)
{
	return position < COVERAGE_REGISTERS ? frame->registers[position] : frame->stack[position - COVERAGE_REGISTERS];
}

static const void *coverage_read_address(const struct coverage_frame *frame, int position)
{
	return (const void *)coverage_read_raw(frame, position);
}

/* A library with 64-bit integers under plain names gives the same number here up to 2^31. */
static int64_t coverage_read_integer(const void *address, bool is_wide)
{
	return is_wide ? *(const int64_t *)address : *(const int32_t *)address;
}

/* How many arguments CBLAS and LAPACKE have in front of Fortran's. */
static int coverage_read_shift(const struct coverage_name *name)
{
	return name->convention == COVERAGE_VALUE && name->routine->level != 1 ? 1 : 0;
}

static int64_t coverage_read_argument(const struct coverage_name *name, const struct coverage_frame *frame,
                                      int position)
{
	if (position == COVERAGE_NO)
		return 0;
	position += coverage_read_shift(name);
	if (name->convention != COVERAGE_VALUE)
		return coverage_read_integer(coverage_read_address(frame, position), name->is_wide);
	const uint64_t value = coverage_read_raw(frame, position);
	return name->is_wide ? (int64_t)value : (int32_t)value;
}

static bool coverage_read_is_right(const struct coverage_name *name, const struct coverage_frame *frame)
{
	const int form = name->routine->form;
	if (form != COVERAGE_FORM_SYMM && form != COVERAGE_FORM_TRMM)
		return false;
	if (name->convention == COVERAGE_VALUE)
		return (int32_t)coverage_read_raw(frame, 1) == READ_RIGHT;
	const char side = *(const char *)coverage_read_address(frame, 0);
	return side == 'R' || side == 'r';
}

static uint64_t coverage_read_element_bytes(char element)
{
	switch (element) {
	case 's': return 4;
	case 'z': return 16;
	default: return 8;
	}
}

static bool coverage_read_is_complex(const struct coverage_name *name)
{
	return name->element == 'c' || name->element == 'z';
}

static void coverage_read_weigh(const struct coverage_name *name, struct coverage_reading *reading)
{
	const enum coverage_form form = (enum coverage_form)name->routine->form;
	reading->flops = coverage_flops_count(form, coverage_read_is_complex(name), &reading->sizes);
	reading->size_bytes =
		coverage_flops_count_elements(form, &reading->sizes) * coverage_read_element_bytes(name->element);
}

static void coverage_read_strided(const struct coverage_name *name, const struct coverage_frame *frame,
                                  struct coverage_reading *reading)
{
	const int value = READ_STRIDED_VALUE + (coverage_read_is_complex(name) ? 2 : 0);
	const int position = name->convention == COVERAGE_VALUE ? value - 1 : READ_STRIDED_FORTRAN;
	reading->sizes.count = coverage_read_argument(name, frame, position);
	if (reading->sizes.count > 0)
		coverage_read_weigh(name, reading);
}

/* Groups of equal problems; the sizes that are shown are those of the one with the most work. */
static void coverage_read_batch(const struct coverage_name *name, const struct coverage_frame *frame,
                                struct coverage_reading *reading)
{
	const short *position = name->routine->position;
	const int shift = coverage_read_shift(name), step = name->is_wide ? 8 : 4;
	const char *m = coverage_read_address(frame, position[0] + shift);
	const char *n = coverage_read_address(frame, position[1] + shift);
	const char *k = coverage_read_address(frame, position[2] + shift);
	const char *count = coverage_read_address(frame, READ_BATCH_FORTRAN + 1 + shift);
	const int64_t groups = coverage_read_argument(name, frame, READ_BATCH_FORTRAN);
	uint64_t most = 0;
	for (int64_t i = 0; i < groups; i++) {
		struct coverage_reading group = {.is_known = true};
		group.sizes.m = coverage_read_integer(m + i * step, name->is_wide);
		group.sizes.n = coverage_read_integer(n + i * step, name->is_wide);
		group.sizes.k = coverage_read_integer(k + i * step, name->is_wide);
		group.sizes.count = coverage_read_integer(count + i * step, name->is_wide);
		const uint64_t flops =
			coverage_flops_count(COVERAGE_FORM_STRIDED, coverage_read_is_complex(name), &group.sizes);
		const uint64_t elements = coverage_flops_count_elements(COVERAGE_FORM_STRIDED, &group.sizes);
		if (group.sizes.count > 0) {
			reading->flops += flops;
			reading->size_bytes += elements * coverage_read_element_bytes(name->element);
		}
		if (flops > most) {
			most = flops;
			reading->sizes = group.sizes;
		}
	}
}

static void coverage_read_matrix(const struct coverage_name *name, const struct coverage_frame *frame,
                                 struct coverage_reading *reading)
{
	const short *position = name->routine->position;
	if (name->routine->form == COVERAGE_FORM_BATCH) {
		coverage_read_batch(name, frame, reading);
		return;
	}
	reading->sizes.m = coverage_read_argument(name, frame, position[0]);
	reading->sizes.n = coverage_read_argument(name, frame, position[1]);
	reading->sizes.k = coverage_read_argument(name, frame, position[2]);
	reading->sizes.is_right = coverage_read_is_right(name, frame);
	if (name->routine->form == COVERAGE_FORM_STRIDED)
		coverage_read_strided(name, frame, reading);
	else if (!name->is_lapacke)
		coverage_read_weigh(name, reading);
}

void coverage_read_call(const struct coverage_binding *binding, const struct coverage_frame *frame,
                        struct coverage_reading *reading)
{
	const struct coverage_name *name = &binding->name;
	*reading = (struct coverage_reading){.is_known = binding->reads_sizes};
	if (!binding->reads_sizes)
		return;
	if (name->routine->form == COVERAGE_FORM_EXECUTE)
		reading->is_known = coverage_plans_find(coverage_plans_locate(name, frame), reading);
	else if (name->routine->library == COVERAGE_FFTW)
		coverage_plans_read(name, frame, reading);
	else
		coverage_read_matrix(name, frame, reading);
}
