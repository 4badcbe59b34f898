/* cube_root.c - the cube root by Newton's steps from a start with a third of the bits */
/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/decide/cube_root.h"

#include <stdint.h>
#include <string.h>

/* The start is off by at most a twentieth, and each step doubles the number of exact digits. */
enum { CUBE_ROOT_STEPS = 4 };

/* The start has a third of the bits of the double, by which the exponent is divided by 3. */
double cube_root_find(double cube)
{
	static const uint64_t bias = UINT64_C(0x2a9f7893782da1ce);
	uint64_t bits;
	double root;
	if (!(cube > 1) || cube > __DBL_MAX__)
		return 1;
	memcpy(&bits, &cube, sizeof bits);
	bits = bits / 3 + bias;
	memcpy(&root, &bits, sizeof root);
	for (int i = 0; i < CUBE_ROOT_STEPS; i++)
		root = (2 * root + cube / (root * root)) / 3;
	return root > 1 ? root : 1;
}
