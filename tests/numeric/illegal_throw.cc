/* illegal_throw.cc - an xerbla that throws a C++ exception through the library and the shim */
/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>

#include "illegal_blas.h"

namespace
{

struct refusal {
	int number;
};

/* Destroyed on the way out: unwinding runs the program's clean-up. */
struct witness {
	~witness()
	{
		std::printf("  unwound\n");
	}
};

} // namespace

void illegal_throw(void)
{
	static int thrown;
	throw refusal{++thrown};
}

void illegal_catch(void (*work)(void *), void *argument)
{
	try {
		witness here;
		work(argument);
	} catch (const refusal &why) {
		std::printf("  caught number %d\n", why.number);
	}
}
