/* fft_symmetrise.h - makes the input of c2r Hermitian on the device, as FFTW reads it */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_SYMMETRISE_H
#define GPUSHIM_SHIM_EXECUTE_GPU_FFT_FFT_SYMMETRISE_H

#include "policy/fft/fft_map.h"
#include "shim/execute/gpu/device/lanes.h"

/* handle: the cuFFT plan of planes->shape, unused where there are no outer dimensions. */
struct fft_symmetrise {
	const struct fft_map *map;
	const struct fft_planes *planes;
	int handle;
};

/* Queues the work on a group's input on the lane's stream; nothing for other families. */
enum reason fft_symmetrise_launch(const struct fft_symmetrise *work, struct lane *lane,
                                  char *input);

#endif
