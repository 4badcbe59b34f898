#!/bin/sh
# nightly.sh - the tests that take too long for check.sh: those with the label nightly
# SPDX-License-Identifier: Apache-2.0
# usage: nightly.sh [OPTION OF CTEST]..., for instance nightly.sh --tests-regex fresh
set -eu

cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

PACKAGES_NAME=nightly
PACKAGES_FOLDER=tests/packages
PACKAGES_SCRATCH=$scratch
. tests/packages/install.sh

packages_install build test real nightly
packages_need_build || exit 1
failed=

# night PRESET TARGET OPTION OF CTEST...: builds it, all if TARGET is empty, and runs its tests with
# the label nightly
night() {
	preset=$1
	target=$2
	shift 2
	echo "nightly: building in build/$preset"
	{
		cmake --preset "$preset" &&
			cmake --build --preset "$preset" --parallel "$(nproc)" \
				${target:+--target "$target"}
	} >"$scratch/build.log" 2>&1 || {
		tail -n 60 "$scratch/build.log"
		failed="${failed:+$failed, }the build of $preset"
		return
	}
	echo "nightly: these tests will run in build/$preset, one after the other:"
	ctest --test-dir "build/$preset" --label-regex '^nightly$' --show-only "$@"
	ctest --test-dir "build/$preset" --label-regex '^nightly$' --output-on-failure "$@" ||
		failed="${failed:+$failed, }tests of $preset"
}

night release "" "$@"
# What takes minutes there and is left out of check.sh.
night asan "" "$@"
night tsan thread_tests --tests-regex '^(gpu_cpu_(share|turns)|thread_.*_whole)$' "$@"
if [ -n "$failed" ]; then
	echo "nightly: failed: $failed: see the lists of ctest above"
	exit 1
fi
echo "nightly: passed"
