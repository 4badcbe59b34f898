#!/bin/sh
# summary.sh - what the summary says of operands that stay on the GPU, or why they are sent
# SPDX-License-Identifier: Apache-2.0
#
# usage: summary.sh BUILD LIVES RIGHTS [REFUSE]
#
# LIVES and RIGHTS are programs; REFUSE makes system calls of them fail, where it is given.
set -eu

build=$1
lives=$2
rights=$3
refuse=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/driver/verdict.sh
. "$here/../driver/verdict.sh"

if [ ! -e "$build/simcuda" ]; then
	echo "skipped: there is no simulated CUDA"
	exit 77
fi
# Of a slow link, for which small operands are worth a look.
printf '%s = 1e8\n' link_up_bytes link_down_bytes gpu_gemm_flops_d >"$work/slow"

# launch RESIDENCY COMMAND...: the summary, a sentence in a line
launch() {
	mode=$1
	shift
	rm -f "$work/summary"
	env -i PATH="$PATH" HOME="$work" TMPDIR="$work" SIMCUDA_MEMORY=64M \
		LD_PRELOAD="$build/libgpushim.so" EPOCHLY_GPU_SUMMARY="$work/summary" \
		EPOCHLY_GPU_POLICY=always EPOCHLY_GPU_WARMUP=wait \
		EPOCHLY_GPU_CUDA_PATH="$build/simcuda" EPOCHLY_GPU_RESIDENCY="$mode" \
		EPOCHLY_GPU_PROFILE="$work/slow" \
		"$@" >"$work/out" 2>&1 || cat "$work/out"
	sed -e ':a' -e 'N;s/\n   */ /;ta' -e 'P;D' "$work/summary" >"$work/text"
}

# says EXPRESSION, lacks EXPRESSION: a line of the summary
says() {
	verdict "$(grep -E -q "$1" "$work/text" && echo yes)" "residency = $mode: no line is $1"
}
lacks() {
	verdict "$(grep -E -q "$1" "$work/text" || echo yes)" "residency = $mode: a line is $1"
}

launch off "$lives" plain
says '^dgemm_ +gpu'
says '^sent to the GPU: 2.95 MB; not sent, as it was there: 0 B$'
lacks 'operands are sent|operands could stay'

tracking=yes
"$build/gpushim" doctor | grep -q '^  tracking of writes: possible$' || tracking=no
if [ $tracking = yes ]; then
	# 20 products of two squares of order 96, each of 18 whole pages (73,728 bytes). Four times
	# a page of A is written between two calls. With track the squares are sent once, with auto
	# twice: 2 x 73,728 or 4 x 73,728, and 4 x 4,096 bytes of 20 x 2 x 73,728.
	launch track "$lives" plain
	says '^sent to the GPU: 164 kB; not sent, as it was there: 2.79 MB( |$)'
	launch auto "$lives" plain
	says '^sent to the GPU: 311 kB; not sent, as it was there: 2.64 MB( |$)'
	says 'tracking took the program 4 page faults'
	lacks 'operands are sent|operands could stay'
	launch auto "$rights" own-userfaultfd-to-the-end
	says '^sent to the GPU: .*; not sent, as it was there: '
	says '^not all operands could stay: the program uses userfaultfd itself$'
	lacks 'operands are sent'
else
	echo "tracking is not possible here"
fi
# The program handles SIGSEGV: results go to pages that its handler makes writable. Between two
# calls nothing else changes.
if "$build/gpushim" doctor | grep -q '^  hashing of operands: possible'; then
	launch hash "$lives" noted-results
	says '^sent to the GPU: [0-9.]+ kB; not sent, as it was there: [0-9.]+ MB( |$)'
	lacks 'operands are sent|not all operands'
else
	echo "hashing is not possible here"
fi
# Where the GPU reads the processor's memory, pages may move to its node; here there is none of that
# number.
launch migrate "$lives" plain
says '^no operands are moved to the GPU.s memory: no GPU reads ordinary memory'
launch migrate env SIMCUDA_HOST_TABLES=1 SIMCUDA_MEMORY_NODE=1000 "$lives" plain
says '^no operands are moved to the GPU.s memory: the kernel names no free memory'
if [ -n "$refuse" ] && [ $tracking = yes ]; then
	launch auto "$refuse" userfaultfd-unknown - "$lives" plain
	if ! grep -q 'a child cannot be traced here' "$work/out"; then
		says '^operands are sent each time: the kernel has no userfaultfd$'
		says '^sent to the GPU: 2.95 MB; not sent, as it was there: 0 B$'
	fi
fi
verdict_tell
