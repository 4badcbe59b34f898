#!/bin/sh
# fixed_runs.sh - option deterministic: runs of a threaded program have equal bits and decisions
# SPDX-License-Identifier: Apache-2.0
# usage: fixed_runs.sh BUILD PROGRAM [RUNS]
set -eu

build=$(cd "$1" && pwd)
program=$2
runs=${3:-20}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# One run: writes NAME.bits, and NAME.log without times, process and thread numbers. The memory
# limit is below what one call would like and far below what all would. The option has to overrule
# policy auto and warmup background.
run() {
	name=$1
	number=$2
	shift 2
	rm -f "$folder/log"
	env -i PATH="$PATH" HOME="$folder" XDG_CONFIG_HOME="$folder" XDG_RUNTIME_DIR="$folder" \
		OPENBLAS_NUM_THREADS=1 \
		CUDA_VISIBLE_DEVICES=-1 SIMCUDA_SEED="$number" \
			SIMCUDA_SLOW="cublasDgemm_v2:$((number % 3))" \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_MEMORY_LIMIT=3 \
			EPOCHLY_GPU_WORKLOAD_THRESHOLD=500000 \
		EPOCHLY_GPU_POLICY=auto EPOCHLY_GPU_LOG="$folder/log" "$@" \
		LD_PRELOAD="$build/libgpushim.so" "$program" >"$folder/$name.bits" \
			2>"$folder/$name.errors" || {
		echo "fixed_runs: FAIL $name: the program ended with $?"
		cat "$folder/$name.errors"
		exit 1
	}
	touch "$folder/log"
	sed -E 's/"(time|pid|tid|pci|program|host|machine|measured|[a-z_]*_ns)":("[^"]*"|-?[0-9.e+]+),?//g' "$folder/log" |
		LC_ALL=C sort >"$folder/$name.log"
}

# same FIRST SECOND
same() {
	cmp -s "$folder/$1.bits" "$folder/$2.bits" && cmp -s "$folder/$1.log" "$folder/$2.log"
}

failed=0
number=1
while [ "$number" -le "$runs" ]; do
	run "fixed$number" "$number" EPOCHLY_GPU_DETERMINISTIC=on
	if ! same fixed1 "fixed$number"; then
		echo "fixed_runs: FAIL run $number differs from the first one"
		diff "$folder/fixed1.bits" "$folder/fixed$number.bits" | head -n 6
		diff "$folder/fixed1.log" "$folder/fixed$number.log" | head -n 6
		failed=1
	fi
	number=$((number + 1))
done
calls=$(grep -c '"target":"gpu","reason":"above_threshold"' "$folder/fixed1.log" || true)
[ "$calls" -eq 50 ] ||
	{ echo "fixed_runs: FAIL $calls of 50 calls were computed on the GPU"; failed=1; }

# Without the option the same runs must differ; otherwise this test could not detect a fault.
different=0
number=1
while [ "$number" -le 5 ]; do
	run "free$number" "$number" EPOCHLY_GPU_POLICY=threshold EPOCHLY_GPU_WARMUP=wait
	same free1 "free$number" || different=$((different + 1))
	number=$((number + 1))
done
[ "$different" -gt 0 ] || { echo "fixed_runs: FAIL without the option no run differs"; failed=1; }
echo "fixed_runs: $runs runs compared; without the option $different of 5 differ"
exit $failed
