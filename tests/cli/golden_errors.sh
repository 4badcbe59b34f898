# golden_errors.sh - mistakes on the command line and in options, in 80 columns
# SPDX-License-Identifier: Apache-2.0
here=$(dirname "$0")
. "$here/golden.inc"
golden exact "$GPUSHIM"
golden exact "$GPUSHIM" shwo
golden exact "$GPUSHIM" --frobnicate
golden exact "$GPUSHIM" help nothing
golden exact "$GPUSHIM" run
golden exact "$GPUSHIM" run --polcy never true
golden exact "$GPUSHIM" run --policy often true
golden exact "$GPUSHIM" run --workload-threshold=a-word-and-no-number -- true
for command in $(width_commands); do
	golden exact "$GPUSHIM" "$command" --frobnicate
done
golden exact "$GPUSHIM" calibrate --quick --output /nowhere/machine.conf
golden exact "$GPUSHIM" coverage
golden exact "$GPUSHIM" top --interval soon
export EPOCHLY_GPU_MEMORY_LIMIT=8GiB EPOCHLY_GPU_POLICY=often EPOCHLY_GPU_WORKLOAD_THRESHLD=1
golden exact "$GPUSHIM" explain dgemm 4096 --profile a100
golden exact "$GPUSHIM" tune nowhere.log
