#!/bin/sh
# libfuzzer.sh - builds the fuzz targets with clang, and runs each for some time
# SPDX-License-Identifier: Apache-2.0
# usage: libfuzzer.sh SOURCE SECONDS [TARGET...]
set -eu

source=$1
seconds=$2
shift 2
[ $# -gt 0 ] || set -- options config profile log counters describe fftw
if ! command -v clang >/dev/null; then
	echo 'skipped: clang is not installed'
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

build=$scratch/build
targets=$(printf 'fuzz_%s ' "$@")
# shellcheck disable=SC2086 # a list
{ cmake -S "$source" -B "$build" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	-DGPUSHIM_FUZZ=ON -DGPUSHIM_SANITIZE=address,undefined &&
	cmake --build "$build" --parallel "$(nproc)" --target $targets; } >"$scratch/log" 2>&1 || {
	tail -n 40 "$scratch/log"
	echo 'failed: the build'
	exit 1
}
failed=0
for target; do
	mkdir "$scratch/$target"
	if "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
		-rss_limit_mb=4096 -artifact_prefix="$scratch/$target-" "$scratch/$target" \
		"$source/tests/fuzz/corpus/$target" >"$scratch/log" 2>&1; then
		echo "fuzz_$target: $(tail -n 1 "$scratch/log")"
	else
		failed=1
		tail -n 60 "$scratch/log"
		echo "fuzz_$target failed; the input in base64:"
		for input in "$scratch/$target-"*; do
			base64 "$input"
		done
	fi
done
exit "$failed"
