#!/bin/sh
# packaging_flags.sh - options of distributions harm no preloaded library, and the tool has them
# SPDX-License-Identifier: Apache-2.0
# usage: packaging_flags.sh SOURCE [BUILD]
# With BUILD the shim and the tool are built; otherwise a library of a few lines, by the same rules.
set -eu
source=$(cd "$1" && pwd)
build=${2:+$(cd "$2" && pwd)}
# shellcheck source=tests/driver/steps.sh
. "$source/tests/driver/steps.sh"
# check_library WHAT LIBRARY: nothing of what the options below would do
check_library() {
	what=$1 library=$2
	readelf -dlrW "$library" >"$work/elf"
	nm -D "$library" >"$work/names"
	if grep -E 'GNU_RELRO|BIND_NOW|\<NOW\>|RELR' "$work/elf"; then
		fail "$what: the loader binds all at once, protects pages or needs glibc 2.36"
	fi
	if grep -E '__stack_chk_fail|_chk(@|$)' "$work/names"; then
		fail "$what: checks of the compiler call libc"
	fi
	# crtfastmath.o, which runs when the library is loaded
	if nm "$library" | grep set_fast_math; then
		fail "$what: it changes the rounding of every process"
	fi
}
# configure FOLDER OPTION...: as Debian, Ubuntu, Fedora, Arch and impatient users build
configure() {
	folder=$1
	shift
	if ! (
		export CFLAGS="-O2 -D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=2 \
			-fstack-protector-strong -fstack-clash-protection -fno-plt -flto=auto \
			-ffat-lto-objects -ffast-math"
		export LDFLAGS="-Wl,-z,relro -Wl,-z,now -Wl,-Bsymbolic-functions $pack \
			-flto=auto -ffast-math -specs=$work/specs"
		cmake -S "$folder" -B "$work/build" -G "Unix Makefiles" "$@" &&
			cmake --build "$work/build" --parallel "$(nproc)"
	) >"$work/log" 2>&1; then
		tail -n 20 "$work/log"
		echo "FAIL it cannot be built with these options"
		exit 1
	fi
}

# As Fedora's redhat-hardened-ld.
printf '*link:\n+ -z now\n' >"$work/specs"
echo 'int main(void) { return 0; }' >"$work/main.c"
cc=${CC:-cc}
if ! $cc -specs="$work/specs" -flto=auto "$work/main.c" -o "$work/main" 2>"$work/log"; then
	echo "skipped: $cc has no -specs and -flto=auto"
	exit 77
fi
pack=-Wl,-z,pack-relative-relocs
$cc "$pack" "$work/main.c" -o "$work/main" 2>"$work/log" && [ ! -s "$work/log" ] || pack=

if [ -z "$build" ]; then
	configure "$source/tests/packaging/inside"
	check_library "a library" "$work/build/libinside.so"
	objdump -d "$work/build/libinside.so" >"$work/code"
	sed -n '/<inside_is_nan>:/,/^$/p' "$work/code" | grep -q ucomis ||
		[ "$(uname -m)" != x86_64 ] || fail "comparisons with NaN are left out"
	[ "$failed" -ne 0 ] || echo "ok   a library undoes the options of distributions"
	exit "$failed"
fi

configure "$source" -DGPUSHIM_TESTS=OFF -DGPUSHIM_LEAVE_OUT=examples
for name in libgpushim libgpushim-audit libgpushim-coverage; do
	[ ! -e "$work/build/$name.so" ] || check_library "$name" "$work/build/$name.so"
done
for check in exports symbol_versions undefined; do
	"$source/tests/lint/$check.sh" "$source" "$work/build/libgpushim.so" || fail "lint $check"
done
# The tool is a program as any other.
readelf -dlW "$work/build/gpushim" | grep -q GNU_RELRO || fail "the tool has no relro"
readelf -dW "$work/build/gpushim" | grep -q NOW || fail "the tool is not bound at once"
nm -D "$work/build/gpushim" >"$work/names"
for name in __stack_chk_fail __snprintf_chk; do
	grep -q "$name" "$work/names" || fail "the tool has no $name"
done
LD_LIBRARY_PATH="$build/simcuda" "$work/build/gpushim" run --cuda-path "$build/simcuda" \
	--policy always --warmup wait --log "$work/calls" -- \
	"$build/simulation" --size 64 >"$work/out" 2>"$work/err" ||
	fail "a program: $(cat "$work/err")"
grep -q '"target":"gpu"' "$work/calls" || fail "no call on the GPU"
"$build/simulation" --size 64 >"$work/plain" 2>"$work/err"
cmp "$work/plain" "$work/out" || fail "the output differs"
[ "$failed" -ne 0 ] || echo "ok   built with the options of distributions"
exit "$failed"
