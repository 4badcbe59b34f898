/* measure_operation.h - what an operation of the device costs beside its work, and a whole call that has hardly any */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_OPERATION_H
#define GPUSHIM_MEASURE_MEASURE_OPERATION_H

#include "measure/device.h"
#include "measure/spread.h"

enum measure_operation {
	MEASURE_LAUNCH, /* a small dgemm behind others of its stream */
	MEASURE_COPY,   /* a small copy behind others of its stream */
	MEASURE_QUERY,  /* a question whether an event is complete */
	MEASURE_HOP,    /* an operation that waits for one of another stream */
	MEASURE_CALL,   /* a whole call: two copies, a product, a copy */
	MEASURE_OPERATIONS
};

/* Nanoseconds of each over some rounds of so many. */
enum { MEASURE_OPERATION_ROUNDS = 9 };
void measure_operation_costs(const struct device *device, int times,
                             struct spread cost_ns[MEASURE_OPERATIONS]);

#endif
