/* schedule_kernel.c - what a kernel computes, from its name and its areas of memory */
/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/schedule/schedule_kernel.h"

#include <string.h>

static const char kernel_library[] = "cublas", kernel_letters[] = "SDCZ";

/* operations: of real numbers, per element of the result and product. */
static const struct {
	const char *word;
	double operations;
	bool triangle, in_triangle;
} kernel_routine[] = {
	{"gemm3m", 1.5, false, false}, {"gemm", 2, false, false}, {"symm", 2, false, true},
	{"hemm", 2, false, true},      {"syrk", 2, true, false},  {"herk", 2, true, false},
	{"syr2k", 2, true, false},     {"her2k", 2, true, false}, {"trmm", 2, false, true},
	{"trsm", 2, false, true},
};

bool schedule_kernel_is_transform(const struct schedule_event *event)
{
	return event->kind == EVENT_KERNEL && strncmp(event->name, "cufft", strlen("cufft")) == 0;
}

bool schedule_kernel_read(const struct schedule_event *event, struct schedule_kernel *kernel)
{
	static const double element_bytes[] = {4, 8, 8, 16};
	const char *name = event->name + strlen(kernel_library);
	const struct event_area *result = &event->write[0];
	if (event->kind != EVENT_KERNEL || event->writes != 1 ||
	    strncmp(event->name, kernel_library, strlen(kernel_library)) != 0 || *name == '\0')
		return false;
	const char *letter = strchr(kernel_letters, *name++);
	size_t i = 0, count = sizeof kernel_routine / sizeof kernel_routine[0];
	while (i < count &&
	       strncmp(name, kernel_routine[i].word, strlen(kernel_routine[i].word)) != 0)
		i++;
	if (letter == NULL || i == count)
		return false;
	*kernel = (struct schedule_kernel){.element = (int)(letter - kernel_letters),
	                                   .triangle = kernel_routine[i].triangle,
	                                   .in_triangle = kernel_routine[i].in_triangle};
	kernel->element_bytes = element_bytes[kernel->element];
	kernel->rows = (double)result->width / kernel->element_bytes;
	kernel->columns = (double)result->height;
	kernel->area = kernel->triangle ? kernel->rows * (kernel->rows + 1) / 2
	                                : kernel->rows * kernel->columns;
	const double complex_times = kernel->element >= 2 ? 4 : 1;
	kernel->depth =
		event->flops / (kernel_routine[i].operations * complex_times * kernel->area);
	return true;
}
