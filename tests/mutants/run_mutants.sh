#!/bin/sh
# run_mutants.sh - builds the shim with each fault of mutants.table; the differential test must fail
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_mutants.sh SOURCE BUILD [OPTION OF CTEST]...
#        run_mutants.sh --check SOURCE    only checks that each text of the table stands in its file
#
# BUILD has been built with its tests. A copy of the sources is built in a temporary folder; each
# mutant then costs the compilation of one file, a link, and the tests until the first that fails.
# The unchanged copy has to pass all of them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

say() {
	printf '%s\n' "$*"
}

# each_mutant COMMAND: runs it for each paragraph of the table, with $what, $file, $text and $wrong.
each_mutant() {
	while IFS= read -r line; do
		value=${line#* }
		value=${value#"${value%%[! ]*}"}
		case $line in
		what*) what=$value ;;
		file*) file=$value ;;
		text*) text=$value ;;
		wrong*)
			wrong=$value
			mutants=$((mutants + 1))
			"$1"
			;;
		esac
	done <"$here/mutants.table"
}

# Writes $work/mutant, the file with the fault in it; fails unless the text stands in the file once.
write_mutant() {
	[ -f "$source/$file" ] &&
		TEXT=$text WRONG=$wrong LC_ALL=C awk -f "$here/mutant.awk" "$source/$file" \
			>"$work/mutant"
}

check_mutant() {
	if ! write_mutant; then
		failed=$((failed + 1))
		say "FAIL $file: the text is not there, or not once: $text"
	elif cmp -s "$work/mutant" "$source/$file"; then
		failed=$((failed + 1))
		say "FAIL $file: text and wrong are the same: $text"
	fi
}

failed=0 mutants=0
what='' file='' text='' wrong=''
if [ "$1" = --check ]; then
	source=$(cd "$2" && pwd)
	each_mutant check_mutant
	say "$mutants mutants, $failed not current"
	[ "$mutants" -ge 10 ] && [ "$failed" -eq 0 ]
	exit
fi

source=$(cd "$1" && pwd) build=$(cd "$2" && pwd)
shift 2
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
	# Only the library is built; the files that installing and bundling need are not in the
	# copy.
	sed '/^include(cmake\/install.cmake)$/d; /^include(cmake\/bundle.cmake)$/d' \
		"$source/CMakeLists.txt" >"$work/source/CMakeLists.txt"
	cmake -S "$work/source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DGPUSHIM_TESTS=OFF \
		>"$work/log" 2>&1
}

build_copy() {
	cmake --build "$work/build" --target gpushim --parallel "$(nproc)" >"$work/log" 2>&1
}

# The tests of BLAS and of FFTW that check.sh runs; ctest stops at the first that fails.
blas='^numeric\.(blas|sparse)_' fftw='^numeric\.fft(_lazy|_pinned|_share37)?$'

# run_tests REGEX [OPTION OF CTEST]...
run_tests() {
	tests=$1
	shift
	DIFFER_SHIM=$work/build/libgpushim.so ctest --test-dir "$build" --tests-regex "$tests" \
		--label-exclude '^nightly$' --stop-on-failure --output-on-failure "$@" \
			>"$work/log" 2>&1
}

# The tests that call the code of file $1.
find_tests() {
	case $1 in
	*fft* | */plans.c | */route_plans.c | */cpu_slices.c) say "$fftw" ;;
	*) say "$blas" ;;
	esac
}

# Which test found the mutant, and its first complaint.
tell_catch() {
	test=$(sed -n 's/.*Test *#[0-9]*: \([a-z0-9_.]*\) .*\*\*\*.*/\1/p' "$work/log" | head -n 1)
	complaint=$(sed -n 's/^FAIL //p' "$work/log" | head -n 1)
	say "${test#numeric.}: ${complaint:-no words}"
}

try_mutant() {
	# shellcheck disable=SC2086 # several options
	if ! write_mutant; then
		verdict="FAIL the text is not there, or not once"
	elif ! { cp "$work/mutant" "$work/source/$file" && build_copy; }; then
		verdict="FAIL it does not compile: $(grep -m 1 error "$work/log")"
	elif run_tests "$(find_tests "$file")" $options; then
		verdict="FAIL no test notices"
	else
		verdict=$(tell_catch)
	fi
	cp "$source/$file" "$work/source/$file"
	case $verdict in
	FAIL*) failed=$((failed + 1)) ;;
	esac
	printf '%-75s %s\n' "$what" "$verdict"
}

options=$*
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
each_mutant try_mutant
say "$mutants mutants, $failed not found"
[ "$mutants" -ge 10 ] && [ "$failed" -eq 0 ]
