/* run_order.h - the order in which the sides of a round run */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_CLI_COMPARE_RUN_ORDER_H
#define GPUSHIM_CLI_COMPARE_RUN_ORDER_H

#include <stddef.h>
#include <stdint.h>

enum { RUN_ORDER_SIDES = 9 };

/*
 * Writes the sides, 0 to sides - 1, in the order of this round. Each even round has a random order,
 * and the odd round behind it has the same order reversed: a steady drift then affects all sides
 * alike, and a periodic disturbance cannot coincide with one side. The same seed gives the same
 * orders.
 */
void run_order_find(uint64_t seed, size_t round, size_t sides, size_t order[RUN_ORDER_SIDES]);

#endif
