/* sim_cufft.h - the exported functions of the cufft stand-in, with the real library's signatures */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMCUDA_SIM_CUFFT_H
#define SIMCUDA_SIM_CUFFT_H

#include "simcuda.h"

SIM_API int cufftCreate(int *plan);
SIM_API int cufftDestroy(int plan);
SIM_API int cufftSetAutoAllocation(int plan, int automatic);
SIM_API int cufftSetWorkArea(int plan, void *work_area);
SIM_API int cufftMakePlanMany(int plan, int rank, int *n, int *inembed, int istride, int idist,
                              int *onembed, int ostride, int odist, int type, int batch,
                              size_t *work_size);
SIM_API int cufftMakePlanMany64(int plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed,
                                long long ostride, long long odist, int type, long long batch,
                                size_t *work_size);
SIM_API int cufftPlanMany(int *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, int type, int batch);
SIM_API int cufftPlan1d(int *plan, int nx, int type, int batch);
SIM_API int cufftPlan2d(int *plan, int nx, int ny, int type);
SIM_API int cufftPlan3d(int *plan, int nx, int ny, int nz, int type);
SIM_API int cufftGetSize(int plan, size_t *work_size);
SIM_API int cufftSetStream(int plan, void *stream);
SIM_API int cufftGetVersion(int *version);
SIM_API int cufftExecC2C(int plan, void *in, void *out, int direction);
SIM_API int cufftExecZ2Z(int plan, void *in, void *out, int direction);
SIM_API int cufftExecR2C(int plan, void *in, void *out);
SIM_API int cufftExecD2Z(int plan, void *in, void *out);
SIM_API int cufftExecC2R(int plan, void *in, void *out);
SIM_API int cufftExecZ2D(int plan, void *in, void *out);

#endif
