# compare_try.sh - several configurations at once, each against the program without the shim
# SPDX-License-Identifier: Apache-2.0
"$GPUSHIM" compare --runs 2 --warmup wait --try threshold=1e9 \
	--try policy=always,workload-threshold=5 \
	--try only=nothing,else,policy=never -- "$PROBE" calls
echo "status $?"
"$GPUSHIM" compare --runs 1 --try threshold=7 --try threshold=8 -- \
	sh -c 'echo "threshold ${EPOCHLY_GPU_WORKLOAD_THRESHOLD-none}"' |
	grep -A 2 '^output'
echo "== both make it slower"
"$GPUSHIM" compare --runs 8 --try policy=auto --try policy=never -- "$PROBE" slower >report
sed -n 's/.*best: \(shim off\)$/named: \1/p' report
