#!/bin/sh
# ranks.sh - four ranks of a real mpirun on two simulated GPUs: their logs, and the report of them
# SPDX-License-Identifier: Apache-2.0
# usage: ranks.sh BUILD WORKER
set -eu
build=$1 worker=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
expect() {
	[ "$2" = "$3" ] && return
	echo "FAIL $1: expected $2, and got $3"
	failed=1
}
mpirun --version 2>/dev/null | grep -q 'Open MPI' ||
	{ echo "skipped: Open MPI's mpirun is not installed"; exit 77; }
[ -d "$build/simcuda" ] || { echo "skipped: there is no simulated CUDA here"; exit 77; }
cd "$work"
unset SLURM_JOB_ID PBS_JOBID LSB_JOBID FLUX_JOB_ID SLURM_PROCID PMI_RANK
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PMIX_MCA_gds=hash TMPDIR="$work"
export OMPI_MCA_rmaps_base_oversubscribe=1 OPENBLAS_NUM_THREADS=1 COLUMNS=1000 NO_COLOR=1 LC_ALL=C
export SIMCUDA_DEVICES=2 EPOCHLY_GPU_CUDA_PATH="$build/simcuda"

"$build/gpushim" run --quiet --policy always --warmup wait --log 'log-%j-%r' -- \
	mpirun -np 4 "$worker" >out 2>err || { echo "FAIL mpirun: status $?"; cat err; exit 1; }
expect "right results" 4 "$(grep -c '^right$' out)"
set -- log-*
expect "a log for each rank" 4 $#
job=${1#log-}
job=${job%-?}
expect "one job, which has a name" "log-$job-0 log-$job-1 log-$job-2 log-$job-3" "$*"
[ "$job" != 0 ] || expect "the job's name" "that of mpirun" "$job"
for rank in 0 1 2 3; do
	head="\"rank\":\"$rank\",\"size\":\"4\",\"local_rank\":\"$rank\",\"launcher\":\"Open MPI\""
	expect "the head of rank $rank" 1 "$(grep -c "$head,\"step\":\"$job\"" "log-$job-$rank")"
	expect "bus ids of rank $rank" 1 "$(grep -c '"pci":' "log-$job-$rank")"
done

"$build/gpushim" report --json "$@" >json
expect "the GPU of each rank" "0:01 1:02 2:01 3:02" "$(grep -o '"rank":.,[^{]*' json |
	sed -E 's/"rank":(.).*"pci":"0000:(..):.*/\1:\2/' | tr '\n' ' ' | sed 's/ $//')"
expect "the processes of each GPU" "2 2" "$(grep -o '"cards":.*' json |
	grep -o '"processes":[0-9]*,"load"' | grep -o '[0-9]*' | tr '\n' ' ' | sed 's/ $//')"
expect "what is found" '"name":"small_blocks"' "$(grep -o '"name":"small_blocks"' json)"
"$build/gpushim" report "$@" >text
expect "rows of ranks" 4 "$(sed -n '/^ranks/,/^$/p' text | grep -c "^  [0-3] $(uname -n)")"
expect "rows of GPUs" 2 "$(sed -n '/^GPUs/,/^$/p' text | grep -c ' 2        20 ')"

"$build/gpushim" doctor -- mpirun -np 4 "$worker" >doctor || true
expect "the doctor on the program" 1 "$(grep -c "^ok program .* calls dgemm_: seen" doctor)"
[ "$failed" -eq 0 ] || { cat json text; exit 1; }
echo "four ranks on two GPUs: logs, report and doctor"
