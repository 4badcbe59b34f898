/* sim_cublas_status.c - exported: the functions that need no handle */
/* SPDX-License-Identifier: Apache-2.0 */
#include "sim_cublas.h"

struct status_row {
	int value;
	const char *name, *text;
};

static const struct status_row status_rows[] = {
#define SIM_CUBLAS_STATUS(name, value, text) {value, #name, text},
#include "sim_status.def"
};

static const struct status_row *status_find(int status)
{
	static const struct status_row unknown = {-1, "unrecognized status", "unrecognized status"};
	for (size_t i = 0; i < sizeof status_rows / sizeof status_rows[0]; i++)
		if (status_rows[i].value == status)
			return &status_rows[i];
	return &unknown;
}

const char *cublasGetStatusString(int status)
{
	simcuda_enter(SIM_CALL_cublasGetStatusString);
	return status_find(status)->text;
}

const char *cublasGetStatusName(int status)
{
	simcuda_enter(SIM_CALL_cublasGetStatusName);
	return status_find(status)->name;
}

/* Measured: cuBLAS answers without a handle and without a driver. */
int cublasGetVersion_v2(void *handle, int *version)
{
	static const int versions[] = {[11] = 111103, [12] = 120405, [13] = 130100};
	int status = simcuda_enter(SIM_CALL_cublasGetVersion_v2);
	(void)handle;
	if (!status && !version)
		status = SIM_CUBLAS_STATUS_INVALID_VALUE;
	if (!status)
		*version = versions[SIMCUDA_MAJOR];
	return status;
}
