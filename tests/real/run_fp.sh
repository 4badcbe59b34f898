#!/bin/sh
# run_fp.sh - a real program with traps, rounding upward or flags raised ends as without the shim
# SPDX-License-Identifier: Apache-2.0
# usage: run_fp.sh NAME traps|upward|flags BUILD HELPER
#
# NAME.fp is a shell fragment as in run_real.sh; program() starts the program by start(). HELPER is
# preloaded: SIGSTKFLT then sets the environment of FP_WAY. Interpreters offer no call for it, and
# leave this signal alone.
# Output, messages and status are compared as they are. Rounded upward all calls stay on the CPU,
# so there the numbers are printed in full. With flags the environment is the usual one, and
# programs whose messages tell of flags compute what raises them.
set -eu
name=$1 way=$2 build=$3 helper=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOME=$work XDG_CONFIG_HOME=$work/config XDG_RUNTIME_DIR=$work FP_WAY=$way
export HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR FP_WAY
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

skip() {
	echo "fp_$name: skipped, $1"
	exit 77
}
needs_command() {
	command -v "$1" >/dev/null 2>&1 || skip "$1 is not installed"
}
start() { LD_PRELOAD="${GPUSHIM_PRELOAD:-}${GPUSHIM_PRELOAD:+:}$helper" "$@"; }
prepare() { :; }
# shellcheck source=/dev/null
. "$here/$name.fp"
need
prepare

# run NAME: the messages of the shell and of the run-time library name addresses and processes.
run() {
	status=0
	program >"$work/$1.out" 2>"$work/$1.messages" || status=$?
	echo "status $status" >>"$work/$1.out"
	sed -e 's/0x[0-9a-f]*/ADDRESS/g' -e 's/^.*run_fp.sh: [0-9]*: //' -e '/^#[0-9]/d' \
		"$work/$1.messages" >"$work/$1.err"
}

run without
grep -qx begin "$work/without.out" || skip "it does not run here without the shim either"
bad=0
for start in wait background; do
	export EPOCHLY_GPU_LOG="$work/$start.log" EPOCHLY_GPU_POLICY=always
	export EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_WARMUP=$start
	export GPUSHIM_PRELOAD="$build/libgpushim.so"
	run $start
	for kind in out err; do
		diff "$work/without.$kind" "$work/$start.$kind" ||
			{ echo "$start: $kind differs"; bad=1; }
	done
done
touch "$work/wait.log"
gpu=$(grep -c '"target":"gpu"' "$work/wait.log" || true)
cpu=$(grep -c '"reason":"fp_environment"' "$work/wait.log" || true)
if [ "$way" = upward ]; then
	[ "$gpu" -eq 0 ] && [ "$cpu" -gt 0 ] ||
		{ echo "a call rounded upward ran on the GPU"; bad=1; }
else
	[ "$gpu" -gt 0 ] || { echo "no call ran on the GPU"; bad=1; }
fi
echo "fp_$name $way: $(tail -n 1 "$work/without.out"), $gpu calls on the GPU, $cpu kept on the CPU"
exit $bad
