# tune_log.sh - a log of two processes: the table, the routines, the plot, and the proposal
# SPDX-License-Identifier: Apache-2.0
exec 2>&1
cat >round.conf <<'END'
name = round figures
cpu_threads = 4
link_up_bytes = 10e9
link_down_bytes = 10e9
call_fixed_ns = 100e3
operation_ns = 10e3
gpu_multiprocessors = 100
gpu_capability = 80
start_ns = 0.2e9
fft_plan_ns = 1e6
cpu_gemm_flops_d = 100e9
gpu_gemm_flops_d = 10e12
cpu_gemm_flops_z = 100e9
gpu_gemm_flops_z = 10e12
END
second=0
# pid routine order bytes-per-element flops-per-mnk reason target predicted_gpu_ns elapsed_ns
row() {
	second=$((second + 1))
	printf \
		'{"time":"2026-11-21T02:%02d:%02d.000000Z","pid":%d,"tid":7,"object":"prog","symbol":"%s_","routine":"%s","sizes":{"m":%d,"n":%d,"k":%d},"bytes":%d,"flops":%d,"target":"%s","reason":"%s","device":-1,"math":"-","predicted_cpu_ns":%d,"predicted_gpu_ns":%d,"elapsed_ns":%d}\n' \
		$((second / 60)) $((second % 60)) "$1" "$2" "$2" "$3" "$3" "$3" \
			$((3 * $4 * $3 * $3)) $(($5 * $3 * $3 * $3)) "$7" "$6" \
			$(($5 * $3 * $3 * $3 / 100)) "$8" "$9"
}
for pid in 7 8; do
	for order in 100 200 300 400 600 800 1200 1600 2400 3200; do
		row $pid dgemm $order 8 2 below_threshold cpu \
			$((200000 + order * order * order / 4000)) $((order * order * order / 50))
		row $pid zgemm $order 16 8 below_threshold cpu \
			$((200000 + order * order * order / 1000)) $((order * order * order / 12))
	done
	row $pid dgemm 4800 8 2 above_threshold gpu 40000000 300000000
	row $pid dgemm 4800 8 2 above_threshold gpu 40000000 50000000
	row $pid dgemm 4800 8 2 operands_overlap cpu -1 2000000000
done >two.log
"$GPUSHIM" tune two.log --profile round.conf
"$GPUSHIM" tune two.log --profile round.conf --json |
	sed -e 's/"settings":/\n&/' -e 's/,"routines"/\n&/' -e 's/},{/},\n{/g'
echo "-- under other settings, and with the log's own expectations"
EPOCHLY_GPU_PROFILE=$PWD/round.conf "$GPUSHIM" tune two.log --policy threshold \
	--workload-threshold 1e9
echo "-- where nothing is worth changing"
grep '"pid":7' two.log | grep '"m":[12]00,' >small.log
"$GPUSHIM" tune small.log --profile round.conf --write small.conf
grep -v '^# gpushim.conf' small.conf
echo "-- what a file says is what the table says"
"$GPUSHIM" tune two.log --profile round.conf --policy never --write two.conf |
	sed -n '/^proposed:/,$p'
sed -e 's/gpushim [0-9][^ ,]*/gpushim VERSION/' two.conf
EPOCHLY_GPU_CONFIG=$PWD/two.conf "$GPUSHIM" tune two.log --profile round.conf |
	grep -E '^(present|policy|Nothing)'
"$GPUSHIM" tune two.log --profile round.conf --policy never --warmup wait --json |
	grep -o '"best".*'
echo "-- a log of level decision"
grep above_threshold two.log >large.log
"$GPUSHIM" tune large.log --profile round.conf | sed -n '/^The smallest/,$p'
