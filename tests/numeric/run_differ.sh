#!/bin/sh
# run_differ.sh - runs differ_blas or differ_fft with the shim and compares its calls with the log
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_differ.sh BUILD PROGRAM WAY [OPTION]... [NAME:MODULE:LIBRARY:32|64]...
#        see differ_blas.c, differ_fft.c
#
# BUILD   holds libgpushim.so and simcuda/. In the environment DIFFER_SHIM names another
#         libgpushim.so, DIFFER_RUNTIME the libraries of the sanitizers that it was built with
# WAY     gpu       every eligible call on the simulated GPU, of the newest CUDA
#         cuda12, cuda11    likewise, of these
#         order     likewise, and the device works in another order
#         lazy      likewise, and FFTW does not measure what goes to the GPU
#         pinned    likewise, and FFTW's memory is page-locked
#         track     likewise, operands stay on the device from their first call on, clean pages are
#                   left out one by one (../driver/fine.cmake), and each call is made twice
#         share1, share37, share50, share99    likewise, and the CPU computes that many per cent
#         memory    with one megabyte on the device: what does not fit comes back
#         never     with the shim, and nothing on the GPU
#         none      without the shim: whether the test itself is right
set -eu

[ $# -ge 4 ] || { echo "usage: $0 BUILD PROGRAM WAY [OPTION]... [LIBRARY]..."; exit 2; }
build=$(cd "$1" && pwd) program=$2 way=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
shim=${DIFFER_SHIM:-$build/libgpushim.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

skip() {
	echo "skipped: $*"
	exit 77
}

[ "$way" != track ] || shim=${DIFFER_SHIM:-$build/tests/fine/libgpushim.so}
for file in "$shim" "$build/simcuda/13"; do
	[ -e "$file" ] || skip "there is no $file"
done
major=13
settings=
case $way in
gpu | none) ;;
cuda12 | cuda11) major=${way#cuda} ;;
order) settings=SIMCUDA_SEED=77 ;;
track) settings=EPOCHLY_GPU_RESIDENCY=track && set -- --twice "$@" ;;
share[1-9]*) settings=EPOCHLY_GPU_SHARE_CPU=${way#share} && set -- --shared "$@" ;;
memory) settings=EPOCHLY_GPU_MEMORY_LIMIT=1 ;;
lazy) settings=EPOCHLY_GPU_FFTW_PLANNING=lazy && set -- --lazy "$@" ;;
pinned) settings=EPOCHLY_GPU_FFTW_PINNED=on && set -- --malloc "$@" ;;
never) settings=EPOCHLY_GPU_POLICY=never ;;
*) echo "$0: there is no way $way"; exit 2 ;;
esac
preload=LD_PRELOAD=${DIFFER_RUNTIME:+$DIFFER_RUNTIME:}$shim
[ "$way" != none ] || preload=LD_PRELOAD=
# The program reports faults itself, and leaves what it has to the system.
[ -z "${DIFFER_RUNTIME:-}" ] || settings="$settings ASAN_OPTIONS=detect_leaks=0:handle_segv=0"

mkdir "$work/home"
chmod 700 "$work/home"

# launch PRELOAD PROGRAM ARGUMENT...: leaves out, err and status.
launch() {
	status=0
	# shellcheck disable=SC2086 # one word per setting
	env -i PATH="$PATH" LC_ALL=C HOME="$work/home" XDG_RUNTIME_DIR="$work/home" TMPDIR="$work" \
		OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=-1 \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda/$major" \
		EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait EPOCHLY_GPU_LOG="$work/log" \
		$settings "$@" \
		>"$work/out" 2>"$work/err" || status=$?
}

crashed() {
	grep -qE '^FAIL signal ' "$work/out" || grep -q 'Segmentation fault' "$work/err"
}

launch "$preload" "$program" "$@"
# A library that crashes at the same calls without the shim leaves nothing to compare.
if crashed; then
	grep -E '^FAIL' "$work/out" || cat "$work/err"
	launch LD_PRELOAD= "$program" "$@"
	if crashed; then
		fault=$(grep -E '^FAIL signal ' "$work/out" || cat "$work/err")
		skip "the library itself crashes: $fault"
	fi
	launch "$preload" "$program" "$@"
fi

# A message about something that the shim does without comes once, and is no error.
sed -f "$here/../driver/whole_messages.sed" "$work/err" |
	grep -vE '^gpushim: warn: no CPU library provides ' >"$work/said" || :
grep -v '^call ' "$work/out" || :
if [ -s "$work/said" ]; then
	head -n 20 "$work/said" | sed 's/^/FAIL stderr: /'
	exit 1
fi
if [ "$status" -ne 0 ]; then
	echo "FAIL status $status"
	exit 1
fi
[ "$way" != none ] || exit 0
touch "$work/log"
if [ "$way" = never ]; then
	! grep -F '"target":"gpu"' "$work/log" || { echo "FAIL something was on the GPU"; exit 1; }
	exit 0
fi
judge=differ_log.awk
[ "$(basename "$program")" != differ_fft ] || judge=differ_fft_log.awk
sed -n 's/^call //p' "$work/out" >"$work/calls"
awk -v way="$way" -f "$here/$judge" "$work/calls" "$work/log"
