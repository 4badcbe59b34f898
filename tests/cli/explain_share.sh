# explain_share.sh - a call of which the CPU computes a part: the split, both times, and the JSON
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
cat >even.conf <<'END'
name = "a GPU as fast as the processor"
cpu_threads = 10
link_up_bytes = 100e9
link_down_bytes = 100e9
link_duplex = 1
operation_ns = 10e3
gpu_multiprocessors = 100
call_fixed_ns = 10e3
start_ns = 1e6
cpu_gemm_flops_d = 1e12
gpu_gemm_flops_d = 1.1e12
cpu_fft_flops_z = 1e11
gpu_fft_flops_z = 1.1e11
END
explain() {
	echo "== $*"
	"$GPUSHIM" explain "$@" --profile even.conf
}
split() {
	sed -n '/^shared/,/^$/p' | sed -E 's/([0-9]) ([num]?s)\b/\1_\2/g'
}
# Nearly a half each; 30 % as asked, of a batch in whole problems; none.
explain dgemm 4000 --share_cpu auto | split
explain dgemm 4000 --share_cpu 30 | split
explain dtrsm 3000 3000 --share_cpu 25 | split
explain dgemm_batch_strided 4000 --batch 7 --share_cpu 30 | split
explain fft 4096 --batch 5000 --share_cpu 30 | split
explain fft 1024x1024 --batch 7 --share_cpu 50 --in-place | split
for way in off 50; do
	for call in "dgemm 4000" "fft 4096 --batch 5000" "fft 512x512x512" \
		"dgemm_batch_strided 100 --batch 1000" "dgetrf 4000"; do
		echo "== $call, $way: $(explain $call --share_cpu $way | grep -c '^shared')"
	done
done
explain dgemm 4000 --share_cpu 30 --json | grep -o '"share":{[^}]*}'
explain dgemm 4000 --json | grep -o '"share":null'
