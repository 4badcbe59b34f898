#!/bin/sh
# clang.sh - the whole tree built by clang, whose warnings and defaults differ from those of gcc
# SPDX-License-Identifier: Apache-2.0
# usage: clang.sh SOURCE
set -eu
source=$1
command -v clang >/dev/null || {
	echo "lint: clang skipped, clang is not installed (Debian: clang)"
	exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
{
	CC=clang cmake -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=Release -DGPUSHIM_WERROR=ON &&
		cmake --build "$work" --parallel "$(nproc)"
} >"$work/build.log" 2>&1 || {
	echo "lint: clang FAILED"
	tail -n 40 "$work/build.log"
	exit 1
}
for which in 'hostile\.' 'preload\.'; do
	ctest --test-dir "$work" --label-exclude nightly --tests-regex "^$which" \
		--output-on-failure >"$work/test.log" 2>&1 || {
		echo "lint: what clang built FAILED"
		tail -n 60 "$work/test.log"
		exit 1
	}
done
echo "lint: clang builds it without a warning, and what it built passes"
