# explain_call.sh - the explanation of a call on a machine with round figures
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
cat >round.conf <<'END'
name = "a machine with round figures"
cpu_threads = 10
link_up_bytes = 10e9
link_down_bytes = 10e9
link_up_pinned_bytes = 50e9
link_down_pinned_bytes = 50e9
link_up_pageable_bytes = 5e9
link_down_pageable_bytes = 5e9
link_duplex = 1
operation_ns = 10e3
gpu_multiprocessors = 100
call_fixed_ns = 100e3
start_ns = 1e9
fft_plan_ns = 1e6
cpu_gemm_flops_d = 1e12
gpu_gemm_flops_d = 20e12
cpu_gemm_flops_z = 1e12
gpu_gemm_flops_z = 20e12
cpu_fft_flops_z = 50e9
gpu_fft_flops_z = 2e12
END
explain() {
	echo "== $*"
	# Predicted times are the same on all machines: an underscore keeps them from being masked
	# like measured ones.
	"$GPUSHIM" explain "$@" --profile round.conf | sed -E 's/([0-9]) ([num]?s)\b/\1_\2/g'
}
explain dgemm 4096 4096 4096 --threads 1
explain dgemm_ 4096 4096 4096
explain cblas_dgemm 1000 1000 1000 --pinned
explain DTRSM 4000 3000 --side R --uplo L --diag U --on-device A,B
explain dgemm 4096 4096 4096 --unchanged A
explain zherk_64_ 2000 500 --trans C --sharers 4
explain fft 1048576 --threads 1
explain fft 256x256x256 --real --in-place --batch 8 --on-device in
explain fftw_plan_dft_c2r_2d 4096x4096 --threads 1 --pinned
explain fft 256x256x256 --unchanged in
explain dgemm_batch_strided 100 100 100 --batch 1000 --threads 1
# A call that would take years causes no overflow.
explain dgemm 100000000 100000000 100000000
# A single size stands for m, n and k.
"$GPUSHIM" explain dgemm 700 --profile a100 >one &&
	"$GPUSHIM" explain dgemm 700 700 700 --profile a100 | cmp - one
"$GPUSHIM" explain zherk 900 --profile a100 | head -n 1
