#!/bin/sh
# cost.sh - page faults and system calls of tracking in programs that rewrite their operands
# SPDX-License-Identifier: Apache-2.0
#
# usage: cost.sh BUILD REWRITE [REFUSE]
#
# REWRITE is run with residency off and auto. REFUSE counts system calls, where it is given.
set -eu

build=$1
rewrite=$2
refuse=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"

# launch RESIDENCY COMMAND...: its stdout
launch() {
	mode=$1
	shift
	env -i PATH="$PATH" HOME="$work" TMPDIR="$work" LD_PRELOAD="$build/libgpushim.so" \
		CUDA_VISIBLE_DEVICES=-1 EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_PROFILE="$work/slow" \
		SIMCUDA_MEMORY=64M \
		EPOCHLY_GPU_RESIDENCY="$mode" "$@"
}

# word_of TEXT WORD: the number in front of the word
word_of() {
	printf '%s\n' "$1" | sed -n "s/.*[ ,:]\\([0-9]*\\) $2.*/\\1/p"
}

if [ ! -e "$build/simcuda" ]; then
	echo "skipped: there is no simulated CUDA"
	exit 77
fi
# Of a slow link, for which small operands are worth a look.
printf '%s = 1e9\n' link_up_bytes link_down_bytes gpu_gemm_flops_d >"$work/slow"

# Faults of operands that get other values before each call: 1 % of their pages at most. Else each
# wrong guess costs one fault for each of the 54 pages, and there are fewer of them than twice the
# logarithm of the calls.
calls=200
for way in fresh same every-second every-third every-fifth; do
	off=$(launch off "$rewrite" "$way" $calls)
	auto=$(launch auto "$rewrite" "$way" $calls)
	pages=$(word_of "$auto" pages)
	more=$(($(word_of "$auto" faults) - $(word_of "$off" faults)))
	most=$((54 * 9))
	[ $way != fresh ] || most=$((pages / 100))
	echo "$auto; off: $(word_of "$off" faults)"
	verdict "$([ $more -le $most ] && echo yes)" \
		"$way: $more page faults more than without tracking, at most $most are right"
	verdict "$([ "$(word_of "$auto" wrong)" = 0 ] && echo yes)" "$way: results are wrong"
done

# No system call of tracking for an operand that is rewritten each time, however often.
if [ -n "$refuse" ]; then
	for calls in 20 120; do
		launch auto "$refuse" nothing "$work/counts.$calls" "$rewrite" fresh $calls >"$work/out"
		cat "$work/counts.$calls"
	done
	verdict "$(cmp -s "$work/counts.20" "$work/counts.120" && echo yes)" \
		"more calls make more ioctls of tracking"
fi
verdict_tell
