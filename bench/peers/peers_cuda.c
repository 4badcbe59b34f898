/* peers_cuda.c - plain cuBLAS and cuFFT: with the simplest copies, or with data on the device */
/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "bench/peers/peers_answer.h"
#include "measure/device.h"

static struct device device;
static bool is_resident; /* the operands stay on the device, and copies are not timed */
static void *memory[PEERS_OPERANDS];
static int plan = -1;
static int (*copy_now)(void *to, const void *from, size_t size_bytes, int kind);

static size_t peers_cuda_bytes(const struct peers_case *run, int operand)
{
	return (size_t)peers_case_elements(run, operand) * peers_case_element_bytes(run);
}

static void peers_cuda_release(const struct peers_operands *operands)
{
	if (operands->run->in_place)
		memory[2] = NULL;
	for (int i = 0; i < PEERS_OPERANDS; i++)
		if (memory[i] != NULL)
			device_free(&device, memory[i]);
	if (plan >= 0)
		device_check(&device, device.set.api.fft_destroy(plan), "cufftDestroy");
	memset(memory, 0, sizeof memory);
	plan = -1;
}

static const char *peers_cuda_prepare(const struct peers_operands *operands)
{
	const struct peers_case *run = operands->run;
	const int64_t length[PEERS_RANK] = {run->length[0], run->length[1], run->length[2]};
	size_t size_bytes = 0;
	for (int i = 0; i < PEERS_OPERANDS; i++)
		size_bytes += peers_cuda_bytes(run, i);
	/* A transform's work area is about as large as its data. */
	if (device_free_bytes(&device) < (run->routine == PEERS_FFT ? 2 : 1) * size_bytes)
		return "the GPU has no room for it";
	for (int i = 0; i < PEERS_OPERANDS; i++)
		if (peers_cuda_bytes(run, i) > 0)
			memory[i] = device_take(&device, peers_cuda_bytes(run, i));
	if (run->in_place)
		memory[2] = memory[0];
	if (run->routine != PEERS_FFT)
		return NULL;
	plan = device_plan(&device, peers_case_is_single(run) ? CUFFT_TYPE_C2C : CUFFT_TYPE_Z2Z,
	                   run->rank, length, run->batch);
	if (plan >= 0)
		return NULL;
	peers_cuda_release(operands);
	return "cuFFT has no plan for it";
}

static void peers_cuda_copy_in(const struct peers_operands *operands)
{
	const struct peers_case *run = operands->run;
	for (int i = 0; i < PEERS_OPERANDS; i++) {
		const bool is_output = i == 2 && run->routine != PEERS_TRSM && run->beta == 0;
		if (peers_cuda_bytes(run, i) > 0 && !is_output)
			device_check(&device,
			             copy_now(memory[i], operands->host[i],
			                      peers_cuda_bytes(run, i), CUDA_COPY_HOST_TO_DEVICE),
			             "cudaMemcpy");
	}
	/* cudaMemcpy returns when it has read pageable memory; the data may arrive later. */
	device_check(&device, device.set.api.device_synchronize(), "cudaDeviceSynchronize");
}

static void peers_cuda_copy_out(const struct peers_operands *operands)
{
	const int result = operands->run->in_place ? 0 : 2;
	device_check(&device,
	             copy_now(operands->host[result], memory[result],
	                      peers_cuda_bytes(operands->run, result), CUDA_COPY_DEVICE_TO_HOST),
	             "cudaMemcpy");
}

static const char *peers_cuda_ready(const struct peers_operands *operands)
{
	if (is_resident)
		peers_cuda_copy_in(operands);
	return NULL;
}

static const char *peers_cuda_fetch(const struct peers_operands *operands)
{
	if (is_resident)
		peers_cuda_copy_out(operands);
	return NULL;
}

static int peers_cuda_multiply(const struct peers_case *run, const void *one, const void *beta)
{
	const struct cuda_api *api = &device.set.api;
	int(*const gemm[ELEMENT_COUNT])
		CUDA_GEMM_PARAMETERS(int) = {api->sgemm, api->dgemm, api->cgemm, api->zgemm};
	return gemm[run->element](device.blas, CUBLAS_OPERATION_N, CUBLAS_OPERATION_N, (int)run->m,
	                          (int)run->n, (int)run->k, one, memory[0], (int)run->m, memory[1],
	                          (int)run->k, beta, memory[2], (int)run->m);
}

static int peers_cuda_update(const struct peers_case *run, const void *one, const void *beta)
{
	const struct cuda_api *api = &device.set.api;
	int(*const syrk[ELEMENT_COUNT])
		CUDA_SYRK_PARAMETERS(int) = {api->ssyrk, api->dsyrk, api->csyrk, api->zsyrk};
	return syrk[run->element](device.blas, CUBLAS_TRIANGLE_LOWER, CUBLAS_OPERATION_N,
	                          (int)run->n, (int)run->k, one, memory[0], (int)run->n, beta,
	                          memory[2], (int)run->n);
}

static int peers_cuda_solve(const struct peers_case *run, const void *one)
{
	const struct cuda_api *api = &device.set.api;
	int(*const trsm[ELEMENT_COUNT])
		CUDA_TRSM_PARAMETERS(int) = {api->strsm, api->dtrsm, api->ctrsm, api->ztrsm};
	return trsm[run->element](device.blas, CUBLAS_ON_LEFT, CUBLAS_TRIANGLE_LOWER,
	                          CUBLAS_OPERATION_N, CUBLAS_DIAGONAL_STORED, (int)run->m,
	                          (int)run->n, one, memory[0], (int)run->m, memory[2], (int)run->m);
}

static int peers_cuda_compute(const struct peers_case *run)
{
	static const float one_single[2] = {1, 0};
	static const double one_double[2] = {1, 0};
	const float beta_single[2] = {(float)run->beta, 0};
	const double beta_double[2] = {run->beta, 0};
	const bool is_single = peers_case_is_single(run);
	const void *one = is_single ? (const void *)one_single : one_double;
	const void *beta = is_single ? (const void *)beta_single : beta_double;
	switch (run->routine) {
	case PEERS_GEMM: return peers_cuda_multiply(run, one, beta);
	case PEERS_SYRK: return peers_cuda_update(run, one, beta);
	case PEERS_TRSM: return peers_cuda_solve(run, one);
	case PEERS_FFT: break;
	}
	return is_single ? device.set.api.fft_exec_c2c(plan, memory[0], memory[2], -1)
	                 : device.set.api.fft_exec_z2z(plan, memory[0], memory[2], -1);
}

static const char *peers_cuda_run(const struct peers_operands *operands)
{
	if (!is_resident)
		peers_cuda_copy_in(operands);
	device_check(&device, peers_cuda_compute(operands->run), "the kernel");
	device_wait(&device, device.stream[0]);
	if (!is_resident)
		peers_cuda_copy_out(operands);
	return NULL;
}

static void *peers_cuda_take_pinned(size_t size_bytes)
{
	void *taken = NULL;
	return device.set.api.host_alloc(&taken, size_bytes, CUDA_HOST_FOR_ALL) == CUDA_SUCCESS
	               ? taken
	               : NULL;
}

static void peers_cuda_give_pinned(void *taken)
{
	device_free_pinned(&device, taken);
}

int main(int argc, char **argv)
{
	struct peers_way way = {NULL,
	                        NULL,
	                        peers_cuda_prepare,
	                        peers_cuda_ready,
	                        peers_cuda_run,
	                        peers_cuda_fetch,
	                        peers_cuda_release};
	char sentence[CUDA_SENTENCE_BYTES];
	const bool quick = argc == 3 && strcmp(argv[2], "--quick") == 0;
	is_resident = argc > 1 && strcmp(argv[1], "resident") == 0;
	const bool is_pinned = argc > 1 && strcmp(argv[1], "pinned") == 0;
	if (argc < 2 || argc > 3 || (argc == 3 && !quick) ||
	    (!is_resident && !is_pinned && strcmp(argv[1], "naive") != 0)) {
		fprintf(stderr, "usage: peers_cuda naive|pinned|resident [--quick]    commands "
		                "from stdin\n");
		return 2;
	}
	if (is_pinned) {
		way.take = peers_cuda_take_pinned;
		way.give = peers_cuda_give_pinned;
	}
	if (!device_open(&device, sentence)) {
		fprintf(stderr, "peers_cuda: %s\n", sentence);
		return 1;
	}
	void *symbol = device_find_runtime(&device.set, "cudaMemcpy");
	memcpy(&copy_now, &symbol, sizeof symbol);
	return symbol == NULL ? 1 : peers_answer_serve(&way, quick);
}
