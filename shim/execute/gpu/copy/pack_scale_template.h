/* pack_scale_template.h - c := z + beta c for one precision: REAL, VECTOR, EXCHANGE and NAME */
/* SPDX-License-Identifier: Apache-2.0 */
#define LANES (sizeof(VECTOR) / sizeof(REAL))

/*
 * The rest is padded to a vector: in scalar code the compiler would round some of it differently.
 */
PACK_TARGET static void NAME(scale)(void *c, const void *z, uint64_t count, double beta)
{
	const REAL factor = (REAL)beta;
	char *result = c;
	const char *product = z;
	const uint64_t size_bytes = count * sizeof(REAL);
	uint64_t i = 0;
	for (; i + sizeof(VECTOR) <= size_bytes; i += sizeof(VECTOR)) {
		VECTOR *place = (VECTOR *)(void *)(result + i);
		__builtin_prefetch(result + i + PACK_COPY_LEAD_BYTES, 1, 2);
		*place = *(const VECTOR *)(const void *)(product + i) + factor * *place;
	}
	if (i == size_bytes)
		return;
	VECTOR old = {0}, sum = {0};
	memcpy(&old, result + i, size_bytes - i);
	memcpy(&sum, product + i, size_bytes - i);
	sum = sum + factor * old;
	memcpy(result + i, &sum, size_bytes - i);
}

/* The same with pairs: (re, im) := z + re(beta) (re, im) + im(beta) (-im, re). */
#define TURNED(product, old) (((product) + real * (old)) + turn * EXCHANGE(old))
PACK_TARGET static void NAME(turn)(void *c, const void *z, uint64_t count, const double beta[2])
{
	const REAL real = (REAL)beta[0], imaginary = (REAL)beta[1];
	char *result = c;
	const char *product = z;
	const uint64_t size_bytes = 2 * count * sizeof(REAL);
	VECTOR turn;
	for (size_t lane = 0; lane < LANES; lane++)
		turn[lane] = lane % 2 == 0 ? -imaginary : imaginary;
	uint64_t i = 0;
	for (; i + sizeof(VECTOR) <= size_bytes; i += sizeof(VECTOR)) {
		VECTOR *place = (VECTOR *)(void *)(result + i);
		const VECTOR old = *place;
		__builtin_prefetch(result + i + PACK_COPY_LEAD_BYTES, 1, 2);
		*place = TURNED(*(const VECTOR *)(const void *)(product + i), old);
	}
	if (i == size_bytes)
		return;
	VECTOR old = {0}, sum = {0};
	memcpy(&old, result + i, size_bytes - i);
	memcpy(&sum, product + i, size_bytes - i);
	sum = TURNED(sum, old);
	memcpy(result + i, &sum, size_bytes - i);
}

#undef TURNED
#undef REAL
#undef VECTOR
#undef LANES
#undef EXCHANGE
#undef NAME
