#!/bin/sh
# run_mutants.sh - builds the shim with each fault of mutants.table, and sees the differential test fail
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_mutants.sh SOURCE BUILD [OPTION OF CTEST]...
#
# BUILD has been built with its tests. A copy of the sources is built in a folder of the test's own; each mutant then
# costs one file, a link, and as many tests as it takes. The unchanged copy has to pass all of them.
set -eu

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
shift 2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

say() {
	printf '%s\n' "$*"
}

for program in differ_blas differ_fft; do
	if [ ! -x "$build/tests/numeric/$program" ]; then
		say "skipped: the differential test $program is not built"
		exit 77
	fi
done

make_copy() {
	mkdir "$work/source"
	for part in CMakeLists.txt cmake policy shim; do
		cp -r "$source/$part" "$work/source/"
	done
	# Only the library is built; what the rest of the project's files would need is not there.
	sed '/^include(cmake\/install.cmake)$/d; /^include(cmake\/bundle.cmake)$/d' "$source/CMakeLists.txt" \
		>"$work/source/CMakeLists.txt"
	cmake -S "$work/source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DGPUSHIM_TESTS=OFF >"$work/log" 2>&1
}

build_copy() {
	cmake --build "$work/build" --target gpushim --parallel "$(nproc)" >"$work/log" 2>&1
}

# The tests of BLAS and of FFTW that check.sh runs; the first that fails ends it.
blas='^numeric\.(blas|sparse)_' fftw='^numeric\.fft(_lazy|_pinned)?$'

# run_tests REGEX [OPTION OF CTEST]...
run_tests() {
	tests=$1
	shift
	DIFFER_SHIM=$work/build/libgpushim.so ctest --test-dir "$build" --tests-regex "$tests" \
		--label-exclude '^nightly$' --stop-on-failure --output-on-failure "$@" >"$work/log" 2>&1
}

# Those that call what this file is for.
find_tests() {
	case $1 in
	*fft* | */plans.c) say "$fftw" ;;
	*) say "$blas" ;;
	esac
}

# replace FILE TEXT WRONG: the text stands there once.
replace() {
	TEXT=$2 WRONG=$3 awk '
		{
			at = index($0, ENVIRON["TEXT"])
			if (at) {
				found++
				$0 = substr($0, 1, at - 1) ENVIRON["WRONG"] substr($0, at + length(ENVIRON["TEXT"]))
			}
			print
		}
		END { exit found != 1 }' "$source/$1" >"$work/mutant" || return 1
	cp "$work/mutant" "$work/source/$1"
}

# What found it: the test, and its first complaint.
tell_catch() {
	test=$(sed -n 's/.*Test *#[0-9]*: \([a-z0-9_.]*\) .*\*\*\*.*/\1/p' "$work/log" | head -n 1)
	complaint=$(sed -n 's/^FAIL //p' "$work/log" | head -n 1)
	say "${test#numeric.}: ${complaint:-no words}"
}

{ make_copy && build_copy; } || {
	tail -n 30 "$work/log"
	say "FAIL the copy cannot be built"
	exit 1
}
run_tests "$blas|$fftw" "$@" || {
	tail -n 60 "$work/log"
	say "FAIL the unchanged copy does not pass"
	exit 1
}

failed=0 mutants=0
what='' file='' text=''
while IFS= read -r line; do
	value=${line#* }
	value=${value#"${value%%[! ]*}"}
	case $line in
	what*) what=$value ;;
	file*) file=$value ;;
	text*) text=$value ;;
	wrong*)
		mutants=$((mutants + 1))
		if ! replace "$file" "$text" "$value"; then
			verdict="FAIL the text is not there, or not once"
		elif ! build_copy; then
			verdict="FAIL it does not compile: $(grep -m 1 error "$work/log")"
		elif run_tests "$(find_tests "$file")" "$@"; then
			verdict="FAIL nothing notices"
		else
			verdict=$(tell_catch)
		fi
		cp "$source/$file" "$work/source/$file"
		case $verdict in
		FAIL*) failed=$((failed + 1)) ;;
		esac
		printf '%-75s %s\n' "$what" "$verdict"
		;;
	esac
done <"$here/mutants.table"
say "$mutants mutants, $failed not found"
[ "$mutants" -ge 10 ] && [ "$failed" -eq 0 ]
