/* measure_operation.h - the cost of a device's operation beside its work, and of a small call */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_MEASURE_MEASURE_OPERATION_H
#define GPUSHIM_MEASURE_MEASURE_OPERATION_H

#include "measure/device.h"
#include "measure/spread.h"

enum measure_operation {
	MEASURE_LAUNCH, /* a small dgemm behind others of its stream */
	MEASURE_COPY,   /* a small copy behind others of its stream */
	MEASURE_QUERY,  /* a query whether an event is complete */
	MEASURE_HOP,    /* an operation that waits for one of another stream */
	MEASURE_CALL,   /* a whole call: two copies, a product, a copy */
	MEASURE_OPERATIONS
};

/* Nanoseconds of each operation, over rounds of `times` operations. */
enum { MEASURE_OPERATION_ROUNDS = 9 };
void measure_operation_costs(const struct device *device, int times,
                             struct spread cost_ns[MEASURE_OPERATIONS]);

#endif
