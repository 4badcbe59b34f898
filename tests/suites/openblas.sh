#!/bin/sh
# openblas.sh - tests of OpenBLAS from its source package: gemm3m in Fortran and C, fork, threads
# SPDX-License-Identifier: Apache-2.0
# usage: openblas.sh BUILD LIBRARIES PROVIDER WAY    see suites.sh; the providers of 32-bit integers
# that have gemm3m
set -eu
suite=openblas
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/suites.sh"
# shellcheck source=tests/suites/sources.sh
. "$(dirname "$0")/sources.sh"
suites_begin "$@"
for tool in cc c++ gfortran pkg-config; do
	suites_needs_command "$tool"
done
headers=$(pkg-config --variable=includedir openblas) ||
	suites_skip "OpenBLAS's headers are not installed"
sources_need openblas

# The tests include the library's internal header; these are the parts they use.
make_tree() {
	tree=$work/tree
	mkdir "$tree"
	for part in test ctest utest cpp_thread_test; do
		cp -r "$source/$part" "$tree/"
	done
	cp "$headers/cblas.h" "$tree/"
	cat >"$tree/common.h" <<-'C'
		#include <stdint.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <unistd.h>
		#include <openblas_config.h>
		#include <f77blas.h>
		#define BLASFUNC(name) name##_
	C
}

# build COMPILER OUTPUT SOURCE...
build() {
	compiler=$1 output=$2
	shift 2
	case $compiler in
	gfortran) set -- -std=legacy "$@" ;;
	*) set -- -I "$tree" -I "$headers" \
		-DADD_ -DF77_INT=int -DBUILD_DOUBLE -DBUILD_COMPLEX -DBUILD_COMPLEX16 "$@" ;;
	esac
	(cd "$tree" && "$compiler" -O1 -w -pthread "$@" -o "$output") >"$work/build.log" 2>&1 || {
		tail -n 30 "$work/build.log"
		suites_skip "$output of this release cannot be built with this compiler"
	}
}

build_all() {
	library=$work/blas/$soname
	for type in c z; do
		build gfortran "${type}blat3_3m" "test/${type}blat3_3m.f" "$library"
		build gfortran "c_${type}blat3_3m.o" -c "ctest/c_${type}blat3_3m.f"
		build cc "x${type}cblat3_3m" "c_${type}blat3_3m.o" "ctest/c_${type}blas3_3m.c" \
			"ctest/c_${type}3chke_3m.c" \
			ctest/auxiliary.c ctest/c_xerbla.c ctest/constant.c "$library" \
				-lgfortran -lm
	done
	build cc fork_test utest/utest_main.c utest/test_fork.c "$library" -lm
	build c++ dgemm_tester -fopenmp cpp_thread_test/dgemm_thread_safety.cpp "$library"
	build c++ dgemv_tester -fopenmp cpp_thread_test/dgemv_thread_safety.cpp "$library"
}

# gemm3m INPUT TESTER
gemm3m() {
	awk -f "$here/eligible_blat3.awk" "$tree/$1" >"$work/expect"
	suites_try "$tree/$1" "$tree/$2" || :
	grep -q 'PASSED' "$work/base.out" || suites_fail "$2 passes nothing without the shim"
}

# The two products before and after the fork run on the GPU; those of the child and the grandchild,
# and the child's last one, do not.
forks() {
	suites_mask='s/ran in [0-9]* ms/ran/'
	printf '%s\n' 'dgemm_ gpu 2' 'dgemm_ forked 3' >"$work/expect"
	suites_try /dev/null "$tree/fork_test" || :
}

# The C++ tests compare the results of several threads for the same operands.
threads() {
	echo "cblas_dgemm gpu 64" >"$work/expect"
	suites_try /dev/null "$tree/dgemm_tester" 128 8 8 || :
	: >"$work/expect"
	suites_try /dev/null "$tree/dgemv_tester" 256 8 8 || :
}

make_tree
build_all
for type in c z; do
	gemm3m "test/${type}blat3_3m.dat" "${type}blat3_3m"
	gemm3m "ctest/${type}in3_3m" "x${type}cblat3_3m"
done
forks
threads
suites_end
