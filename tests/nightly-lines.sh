#!/bin/sh
# nightly-lines.sh - runs the tests of every change on an instrumented build: at least 90 % of lines
# SPDX-License-Identifier: Apache-2.0
# usage: nightly-lines.sh SOURCE
set -eu

cd "$1"
if ! command -v gcov >/dev/null; then
	echo 'skipped: gcov is not installed'
	exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

{ cmake -S . -B "$scratch/build" -DCMAKE_BUILD_TYPE=Debug -DGPUSHIM_COVERAGE=ON &&
	cmake --build "$scratch/build" --parallel "$(nproc)"; } >"$scratch/log" 2>&1 || {
	tail -n 40 "$scratch/log"
	exit 1
}
# What fails because it is slower does not matter here; the same tests run in check.sh.
ctest --test-dir "$scratch/build" --parallel "$(nproc)" \
	--label-exclude '^(nightly|gpu|lint|recipes|programs)$' >"$scratch/log" 2>&1 || :
tail -n 30 "$scratch/log"
tests/lines_reached.py . "$scratch/build" 90
