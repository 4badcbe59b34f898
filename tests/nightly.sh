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
echo "nightly: building in build/release"
{ cmake --preset release &&
	cmake --build --preset release --parallel "$(nproc)"; } >"$scratch/build.log" 2>&1 || {
	tail -n 60 "$scratch/build.log"
	echo "nightly: failed: the build"
	exit 1
}
echo "nightly: these tests will run, one after the other:"
ctest --test-dir build/release --label-regex '^nightly$' --show-only "$@"
if ctest --test-dir build/release --label-regex '^nightly$' --output-on-failure "$@"; then
	echo "nightly: passed"
else
	echo "nightly: failed: see the list of ctest above"
	exit 1
fi
