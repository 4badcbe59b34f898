#!/bin/sh
# packaging_fresh.sh - takes a release into fresh systems: packaging_release.sh runs there
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_fresh.sh SOURCE BUILD SUITE...
set -eu
source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
shift 2
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# shellcheck source=tests/driver/venv.sh
. "$source/tests/driver/venv.sh"

version=$("$build/gpushim" --version | sed -n '1s/.* //p')
release=$build/tests/release/out/gpushim-$version-linux-$(uname -m).tar.gz
[ -e "$release" ] || skip "no $release; the test release.build makes it"
cp "$release" "$work/release.tar.gz"

# The simulated CUDA by the compiler of releases: it is opened where glibc is older than here.
toolchain=$build/tests/release/toolchain
why=$(venv_need "$toolchain" --require-hashes -r "$source/tools/toolchain.txt") || skip "$why"
{
	cmake -S "$source/tests/simcuda" -B "$work/build" \
		--toolchain "$source/cmake/portable.cmake" \
		-DGPUSHIM_PYTHON="$toolchain/bin/python" &&
		cmake --build "$work/build" --target simcuda --parallel "$(nproc)"
} >"$work/log" 2>&1 || {
	tail -n 20 "$work/log"
	echo "FAIL the simulated CUDA"
	exit 1
}
tar -czf "$work/simcuda.tar.gz" -C "$work/build/simcuda" .

"$source/tests/nightly-fresh.sh" --carry "$work/release.tar.gz" --carry "$work/simcuda.tar.gz" \
	--run tests/packaging/packaging_release.sh "$@"
