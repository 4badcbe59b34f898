#!/bin/sh
# every_name.sh - every name of the tables that a BLAS library has, called legally and illegally
# SPDX-License-Identifier: Apache-2.0
# usage: every_name.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh
set -eu
suite=every_name
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
suites_needs_command cc
case $provider in
mkl*) soname=$(basename "$folder"/libmkl_rt.so.*) ;;
esac

# build OUTPUT SOURCE...
build() {
	output=$1
	shift
	cc -O1 -D_GNU_SOURCE -I "$here/../.." -I "$here/../numeric" "$@" "$here/every_name.c" \
		"$here/../numeric/trial_call.c" "$here/../numeric/blas_table.c" \
			-Wl,--no-as-needed "$work/blas/$soname" -ldl \
		-o "$output" >"$work/build.log" 2>&1 || {
		tail -n 30 "$work/build.log"
		suites_say "$output cannot be built"
		exit 1
	}
}

# try PROGRAM [errors]: the expected log is in the output of the program without the shim.
try() {
	suites_launch base "$behind" "$surroundings" /dev/null "$work/$1" "$soname" "${bits:-32}" \
		${2:+"$2"}
	awk \
		'NF == 2 && $2 ~ /^(gpu|illegal_argument)$/ { count[$0]++ } END { for (call in count) print call, count[call] }' \
		"$work/base.out" >"$work/expect"
	[ -s "$work/expect" ] || suites_fail "$1 calls nothing"
	suites_try /dev/null "$work/$1" "$soname" "${bits:-32}" ${2:+"$2"} || :
}

build "$work/every_name"
try every_name
case $provider in
mkl*)
	# MKL prints one of two sentences, depending on addresses in memory.
	suites_mask='s/INTERNAL ERROR: Condition -/ERROR: Parameter /
		s/detected in function/was incorrect on entry to/'
	try every_name errors
	build "$work/every_name_own_handler" "$here/mkl_handler.c"
	try every_name_own_handler errors
	;;
# The reference's cblas_xerbla ends the program with the status of a program that cannot be run.
reference*) ;;
*) try every_name errors ;;
esac
suites_end
