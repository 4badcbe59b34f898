#!/bin/sh
# netlib.sh - the reference BLAS testers: Fortran and C, levels 1 to 3, error exits included
# SPDX-License-Identifier: Apache-2.0
# usage: netlib.sh BUILD LIBRARIES PROVIDER WAY    see suites.sh; SUITES_TYPES in the environment:
# of s d c z
set -eu
suite=netlib
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/suites.sh"
suites_begin "$@"
testers=$libraries/blas$bits
[ -e "$testers/xblat3d" ] || suites_skip "there are no testers; package libblas$bits-test has them"

# More sizes than the tester's own input has: on both sides of the threshold, and of several pages.
widen() {
	sed -e '/NUMBER OF VALUES OF N$/{s/^[0-9]*/6/;n;s/^[0-9 ]*/0 1 2 9 33 65 /}' "$1"
}

# MKL calls the tester's cblas_xerbla with the name first and the number second, which the tester
# takes for the number and the name: it crashes at its first error exit. (tests/providers has MKL's
# error exits.)
without_exits() {
	sed -e 's/^T\(.*TO TEST ERROR EXITS\)/F\1/' "$1"
}

# level_3 INPUT TESTER
level_3() {
	cp "$testers/$1" "$work/input"
	case $provider.$2 in
	mkl*.x?cblat3) without_exits "$testers/$1" >"$work/input" ;;
	esac
	case $way in
	threshold | track)
		widen "$work/input" >"$work/wide"
		mv "$work/wide" "$work/input"
		;;
	esac
	input=$work/input
	awk -f "$here/eligible_blat3.awk" "$input" >"$work/expect"
	[ -s "$work/expect" ] || suites_fail "$1 names no routines"
	suites_try "$input" "$testers/$2" || return 0
	grep -q 'PASSED' "$work/base.out" || suites_fail "$2 passes nothing without the shim"
}

# The shim does not intercept levels 1 and 2: the log has no line.
untouched() {
	: >"$work/expect"
	suites_try "$1" "$testers/$2" || return 0
	grep -q 'PASS' "$work/base.out" || suites_fail "$2 passes nothing without the shim"
}

# Levels 1 and 2 are the same in every variant of a library. MKL's complex functions return results
# by another convention than the testers were compiled for.
levels=123
case $provider.$way in
*_*.* | mkl*.* | *.threshold | *.track) levels=3 ;;
esac
for type in ${SUITES_TYPES:-s d c z}; do
	if [ "$levels" = 123 ]; then
		untouched /dev/null "xblat1$type"
		untouched "$testers/${type}blat2.in" "xblat2$type"
		untouched /dev/null "x${type}cblat1"
		untouched "$testers/${type}in2" "x${type}cblat2"
	fi
	level_3 "${type}blat3.in" "xblat3$type"
	level_3 "${type}in3" "x${type}cblat3"
done
suites_end
