# auto.profile - a CPU so slow by its own word that the GPU is worth it, and links and a GPU that a look contradicts
# SPDX-License-Identifier: Apache-2.0
cpu_threads = 1
cpu_gemm_flops_d = 1e6
cpu_fft_flops_z = 1e6
gpu_gemm_flops_d = 1e15
link_up_bytes = 1e12
link_down_bytes = 1e12
