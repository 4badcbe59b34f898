#!/bin/sh
# release_aarch64.sh - the release for aarch64 runs under qemu: the tool, and calls on both sides
# SPDX-License-Identifier: Apache-2.0
# usage: release_aarch64.sh SOURCE BUILD TARBALL; BUILD/tests/release/toolchain has the compiler
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd) tarball=$3
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
python=$build/tests/release/toolchain/bin/python
root=/usr/aarch64-linux-gnu
here=$source/tests/release
[ -e "$tarball" ] || skip "there is no $tarball; the test release.build makes it"
[ -e "$python" ] || skip "the compiler is not there; the test release.build installs it"
qemu=$(command -v qemu-aarch64-static) ||
	skip "qemu-user-static is not installed"
[ -e "$root/lib/ld-linux-aarch64.so.1" ] || skip "libc6-arm64-cross is not installed"

# emulate PROGRAM [ARGUMENT]..., with the settings of $settings. qemu itself is linked statically:
# LD_PRELOAD is the program's alone.
settings=
emulate() {
	# shellcheck disable=SC2086 # several words
	timeout 300 env -i PATH=/usr/bin:/bin HOME="$work" LC_ALL=C $settings \
		"$qemu" -L "$root" "$@"
}

# compile ARGUMENT...: the portable compiler, for aarch64
compile() {
	"$source/cmake/portable/cc.sh" "$python" -target aarch64-linux-gnu.2.17 -O1 "$@"
}

mkdir "$work/release"
tar -xzf "$tarball" -C "$work/release" --strip-components=1
{
	cmake -S "$source/tests/simcuda" -B "$work/simcuda" \
		--toolchain "$source/cmake/portable.cmake" -DGPUSHIM_PROCESSOR=aarch64 \
		-DGPUSHIM_PYTHON="$python" &&
		cmake --build "$work/simcuda" --parallel "$(nproc)" --target simcuda &&
		compile -shared -fPIC -Wl,-soname,libblas.so.3 -o "$work/libblas.so.3" \
			"$here/release_blas.c" &&
		compile -o "$work/call" "$here/release_call.c" "$work/libblas.so.3" -lpthread \
			-Wl,-rpath,"$work"
} >"$work/out" 2>&1 || {
	tail -n 20 "$work/out"
	echo "FAIL what the test needs cannot be built for aarch64"
	exit 1
}

version=$("$build/gpushim" --version)
[ "$(emulate "$work/release/bin/gpushim" --version)" = "$version" ] ||
	fail "the tool has another version"
emulate "$work/release/bin/gpushim" explain --profile h200 dgemm 4096 >"$work/out" 2>&1 ||
	{ cat "$work/out"; fail "gpushim explain"; }

# run WHAT SETTING...: the program's results are right.
run() {
	what=$1
	shift
	settings="EPOCHLY_GPU_LOG=$work/log EPOCHLY_GPU_CUDA_PATH=$work/simcuda/simcuda $*"
	rm -f "$work/log"
	emulate "$work/call" >"$work/out" 2>"$work/err" || fail "$what"
	[ ! -s "$work/err" ] || fail "$what: stderr has lines"
	[ "$(grep -c right "$work/out")" -eq 4 ] || fail "$what: not all results are right"
	if [ "$failed" -ne 0 ]; then
		cat "$work/out" "$work/err"
		exit 1
	fi
}
# has TARGET COUNT: so many lines of the log have this target
has() {
	count=$(grep -c "\"target\":\"$1\"" "$work/log" || :)
	[ "$count" -eq "$2" ] || { cat "$work/log"; fail "$count calls on the $1 and not $2"; }
}
run "without the shim"
preload=LD_PRELOAD=$work/release/lib/libgpushim.so
run "with the GPU" "$preload" EPOCHLY_GPU_POLICY=threshold EPOCHLY_GPU_WARMUP=wait \
	EPOCHLY_GPU_WORKLOAD_THRESHOLD=100000
has gpu 10
run "on the CPU" "$preload" EPOCHLY_GPU_POLICY=never EPOCHLY_GPU_WORKLOAD_THRESHOLD=0
has gpu 0

[ "$failed" -ne 0 ] || echo "ok   the tool, and calls on the GPU, on the CPU, in threads and children"
exit "$failed"
