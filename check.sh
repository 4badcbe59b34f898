#!/bin/sh
# check.sh - installs what the tests need, builds, and runs all tests that fit in a few minutes
# SPDX-License-Identifier: Apache-2.0
# usage: check.sh
set -eu

if [ $# -gt 0 ]; then
	echo "usage: check.sh"
	echo "Installs what the tests need, builds in build/release, build/asan and build/tsan, and"
	echo "runs the tests in each. tests/nightly.sh runs the longer ones."
	[ "$1" = --help ] && exit 0
	exit 2
fi

cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

PACKAGES_NAME=check
PACKAGES_FOLDER=tests/packages
PACKAGES_SCRATCH=$scratch
. tests/packages/install.sh

jobs=$(nproc)
failed=

# The thread sanitizer of older compilers fails if the kernel randomises addresses widely.
alike=
if setarch "$(uname -m)" -R true 2>/dev/null; then
	alike="setarch $(uname -m) -R"
fi

# phase NAME COMMAND...: runs the command and prints how long it took. A failure is noted, and the
# phases after it still run.
phase() {
	phase=$1
	shift
	begin=$(date +%s)
	status=0
	"$@" || status=$?
	if [ "$status" -ne 0 ]; then
		failed="${failed:+$failed, }$phase"
	fi
	echo "check: $phase took $(($(date +%s) - begin)) s"
	return "$status"
}

# build PRESET [TARGET]: one target, or all; warnings are errors. Ninja, if it is there, builds new
# folders: it takes no time for what is up to date, and links while it compiles.
build() {
	if ! {
		CMAKE_GENERATOR=$(command -v ninja >/dev/null && echo Ninja) \
			cmake --preset "$1" -DGPUSHIM_WERROR=ON &&
			cmake --build --preset "$1" --parallel "$jobs" ${2:+--target "$2"}
	} >"$scratch/build.log" 2>&1; then
		tail -n 60 "$scratch/build.log"
		return 1
	fi
}

run_tests() {
	preset=$1
	shift
	$alike ctest --test-dir "build/$preset" --output-on-failure --parallel "$jobs" "$@"
}

# check_preset PRESET TARGET OPTION OF CTEST...: TARGET is what to build, all if it is empty.
check_preset() {
	preset=$1
	target=$2
	shift 2
	if phase "building $preset" build "$preset" "$target"; then
		phase "testing $preset" run_tests "$preset" "$@" || :
	fi
}

if nvidia-smi -L >/dev/null 2>&1 || /sbin/ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
	skip='^nightly$'
else
	skip='^(nightly|gpu)$'
	echo "check: no GPU here; tests with the label gpu are skipped"
fi

phase "installing packages" packages_install build test real
packages_need_build || {
	echo "check: failed: no build without these tools"
	exit 1
}
check_preset release "" --label-exclude "$skip"
check_preset asan memory_tests --label-exclude "$skip"
# Criterion does not run under the thread sanitizer.
check_preset tsan thread_tests --label-exclude "$skip" \
	--tests-regex '^(thread_|gpu_threads|gpu_process|gpu_crowd|gpu_cpu_share|gpu_cpu_turns)'

if [ -n "$failed" ]; then
	echo "check: failed: $failed"
	exit 1
fi
echo "check: passed"
