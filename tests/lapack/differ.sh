#!/bin/sh
# differ.sh - runs differ_lapack over one LAPACK, and compares its calls with the decision log
# SPDX-License-Identifier: Apache-2.0
#
# usage: differ.sh BUILD LIBRARIES PROGRAM PROVIDER WAY [OPTION]...
#
# PROVIDER   openblas, reference, openblas64, reference64: Debian's packages below LIBRARIES
# WAY        none     without the shim: whether the test itself is right
#            never    with the shim, and nothing on the GPU: the library's bits
#            always   every eligible call on the simulated GPU
#            track    likewise, operands stay on the device from their first call on, clean pages
#                     are left out one by one (../driver/fine.cmake), and each call is made twice
#            order    as always, and the device works in another order
# The options are those of differ_lapack.c. DIFFER_SETTINGS in the environment holds more settings,
# KEY=VALUE.
set -eu
[ $# -ge 5 ] || { echo "usage: $0 BUILD LIBRARIES PROGRAM PROVIDER WAY [OPTION]..."; exit 2; }
build=$(cd "$1" && pwd) libraries=$2 program=$3 provider=$4 way=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

bits=
case $provider in
*64) bits=64 ;;
esac
case $provider in
openblas*) path=$libraries/openblas$bits-pthread ;;
reference*) path=$libraries/lapack$bits:$libraries/blas$bits ;;
*) echo "there is no provider $provider"; exit 2 ;;
esac
[ -e "${path%%:*}/liblapack$bits.so.3" ] || {
	echo "skipped: there is no ${path%%:*}/liblapack$bits.so.3"
	exit 77
}

preload=$build/libgpushim.so
settings="EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_CUDA_PATH=$build/simcuda/13 EPOCHLY_GPU_WARMUP=wait"
case $way in
none) preload='' settings='' && set -- --exact "$@" ;;
never) settings="EPOCHLY_GPU_POLICY=never EPOCHLY_GPU_LOG_LEVEL=call" && set -- --exact "$@" ;;
always) ;;
track)
	preload=$build/tests/fine/libgpushim.so settings="$settings EPOCHLY_GPU_RESIDENCY=track"
	set -- --twice "$@"
	;;
order) settings="$settings SIMCUDA_SEED=77" ;;
*) echo "there is no way $way"; exit 2 ;;
esac
# OpenBLAS's kernels read beyond operands. Netlib's xerbla ends the process, to which a NaN leads.
case $provider in
openblas*) set -- --bits "$@" ;;
*) set -- --guards --no-foreign "$@" ;;
esac

mkdir "$work/home"
chmod 700 "$work/home"
status=0
# shellcheck disable=SC2086 # one word per setting
env -i PATH="$PATH" LC_ALL=C HOME="$work/home" XDG_RUNTIME_DIR="$work/home" TMPDIR="$work" \
	OPENBLAS_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 LD_LIBRARY_PATH="$path" \
	EPOCHLY_GPU_LOG="$work/log" $settings ${DIFFER_SETTINGS:-} \
	${preload:+LD_PRELOAD="$preload"} \
	"$program" "$@" "liblapack$bits.so.3" >"$work/out" 2>"$work/err" || status=$?
grep -v '^call ' "$work/out" || :
if [ -s "$work/err" ]; then
	head -n 20 "$work/err" | sed 's/^/FAIL stderr: /'
	exit 1
fi
if [ "$status" -ne 0 ]; then
	echo "FAIL status $status"
	exit 1
fi
# Netlib's xerbla ends a process with success.
tail -n 1 "$work/out" | grep -q ' calls, 0 failures$' || {
	echo "FAIL the program has not come to its end"
	exit 1
}
[ -n "$preload" ] || exit 0
touch "$work/log"
awk '$1 == "call" { print $2, $3, 0, $4 }' "$work/out" >"$work/tally"
# Only solves, and products with Q, leave an input as it was.
demand=
[ "$way" != track ] || demand=kept
[ "$way" = never ] || way=always
awk -v demand="$demand" -v of=200 -v program="$(basename "$program")" -v way="$way" -f "$here/../driver/decision_log.awk" \
	-f "$here/balance.awk" "$here/taken.list" "$work/tally" "$work/log"
