#!/bin/sh
# demo.sh - installs what is missing, builds, and compares a simulation without and with the shim
# SPDX-License-Identifier: Apache-2.0
# usage: demo.sh [OPTION OF THE SIMULATION]..., for instance demo.sh --size 2048
set -eu

cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

PACKAGES_NAME=demo
PACKAGES_FOLDER=tests/packages
PACKAGES_SCRATCH=$scratch
. tests/packages/install.sh

fail() {
	echo "demo: failed: $*"
	exit 1
}

# build COMMAND...: shows the output of the build only if it fails.
build() {
	"$@" >"$scratch/build.log" 2>&1 || {
		tail -n 40 "$scratch/build.log"
		fail "$*"
	}
}

if [ "${1-}" = --help ]; then
	echo "usage: demo.sh [OPTION OF THE SIMULATION]..."
	echo "Installs what is missing, builds in build/release, and runs build/release/simulation"
	echo "without and with the shim."
	exit 0
fi

packages_install build
packages_need_build || fail "no build without these tools"
echo "demo: building in build/release"
build cmake --preset release
build cmake --build --preset release --parallel "$(nproc)"
echo "demo: running the simulation without and with the shim:" \
	"gpushim compare -- build/release/simulation $*"
build/release/gpushim compare -- build/release/simulation "$@" ||
	fail "gpushim compare ended with status $?"
echo "demo: passed: the simulation ran without and with the shim, and gave the same results"
