#!/bin/sh
# release_toolchain.sh - the compiler of releases takes this tree's options, and links its libraries
# SPDX-License-Identifier: Apache-2.0
# usage: release_toolchain.sh SOURCE BUILD
# Daily, for the options; the test release.build compiles all, at night.
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# shellcheck source=tests/driver/venv.sh
. "$source/tests/driver/venv.sh"

toolchain=$build/tests/release/toolchain
why=$(venv_need "$toolchain" --require-hashes -r "$source/tools/toolchain.txt") || skip "$why"

# configure FOLDER NAME OPTION...
configure() {
	folder=$1 name=$2
	shift 2
	step "$name is configured" cmake -S "$folder" -B "$work/$name" -G "Unix Makefiles" \
		--toolchain "$source/cmake/portable.cmake" \
		-DGPUSHIM_PYTHON="$toolchain/bin/python" "$@"
}
unset CFLAGS LDFLAGS CMAKE_C_COMPILER_LAUNCHER
for processor in x86_64 aarch64; do
	# Objects of the shim with options of their own and without, and a whole library.
	configure "$source" "$processor" -DGPUSHIM_PROCESSOR="$processor"
	step "$processor: objects" make -C "$work/$processor" shim/route/route.o \
		shim/libc/libc_find.o policy/decide/decide.o
	step "$processor: the tool" make -C "$work/$processor/cli" main.o
	step "$processor: a library" make -C "$work/$processor" gpushim_audit
	# -z initfirst is what cc.sh brings to the linker itself.
	configure "$source/tests/packaging/inside" "inside-$processor" \
		-DGPUSHIM_PROCESSOR="$processor" -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,initfirst
	step "$processor: links" make -C "$work/inside-$processor"
	readelf -dlW "$work/inside-$processor/libinside.so" >"$work/elf"
	grep -q INITFIRST "$work/elf" || fail "$processor: the library is not initialised first"
	if grep -E 'GNU_RELRO|BIND_NOW|\<NOW\>' "$work/elf"; then
		fail "$processor: the loader binds all at once or protects pages"
	fi
done
[ "$failed" -ne 0 ] || echo "ok   options, objects and links of a release"
exit "$failed"
