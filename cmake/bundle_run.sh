#!/bin/sh
# run.sh - tests and measures what this bundle holds; usage: run.sh [FOLDER FOR RESULTS]
# SPDX-License-Identifier: Apache-2.0
set -u
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-$here/results}
mkdir -p "$results"
LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
failed=0

step() {
	name=$1
	shift
	echo "== $name: $*"
	"$@" >"$results/$name.txt" 2>&1
	code=$?
	tail -n 40 "$results/$name.txt"
	return $code
}

step doctor "$here/gpushim" doctor -- "$here/simulation"
have_gpu=$?
# The rules that the simulated CUDA follows, asked of the real one where there is one.
if [ "$have_gpu" -eq 0 ]; then
	step rules "$here/simcuda_rules_test" - 13 || failed=$((failed + 1))
else
	step simulated_rules "$here/simcuda_rules_test" "$here/simcuda/13" 13 || failed=$((failed + 1))
fi
for test in "$here"/tests/*; do
	[ -x "$test" ] || continue
	name=$(basename "$test")
	# Without a GPU the same programs run on the simulated CUDA, and say so by their name here.
	if [ "$have_gpu" -eq 0 ]; then
		step "gpu_$name" "$test" || failed=$((failed + 1))
	else
		EPOCHLY_GPU_CUDA_PATH=$here/simcuda step "simulated_$name" "$test" || failed=$((failed + 1))
	fi
done
step compare "$here/gpushim" compare --runs 5 -- "$here/simulation" || failed=$((failed + 1))
step overhead "$here/bench/overhead" || failed=$((failed + 1))
if [ "$failed" -eq 0 ]; then
	echo "run: everything passed; results in $results"
else
	echo "run: $failed steps failed; results in $results"
	exit 1
fi
