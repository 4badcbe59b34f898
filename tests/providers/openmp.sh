#!/bin/sh
# openmp.sh - BLAS calls inside OpenMP regions, over libraries with OpenMP threads of their own
# SPDX-License-Identifier: Apache-2.0
# usage: openmp.sh BUILD LIBRARIES PROVIDER WAY    see tests/suites/suites.sh
set -eu
suite=openmp
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/../suites/suites.sh"
suites_begin "$@"
suites_needs_command cc
case $provider in
mkl)
	soname=$(basename "$folder"/libmkl_rt.so.*)
	# The interface of the library that uses the compiler's OpenMP runtime.
	surroundings="$surroundings MKL_THREADING_LAYER=GNU"
	;;
esac
echo 'int main(void) { return 0; }' | cc -fopenmp -x c - -o "$work/probe" 2>"$work/build.log" ||
	suites_skip "the compiler has no OpenMP: $(tail -n 1 "$work/build.log")"
cc -O1 -fopenmp "$here/openmp_regions.c" -Wl,--no-as-needed "$work/blas/$soname" -o "$work/openmp_regions"

# The library has two threads of its own, for calls outside of a region.
surroundings="$surroundings OMP_NUM_THREADS=2 OPENBLAS_NUM_THREADS=2 BLIS_NUM_THREADS=2"
printf '%s\n' 'dgemm_ gpu 137' 'dsyrk_ gpu 125' 'dtrsm_ gpu 125' >"$work/expect"
suites_try /dev/null "$work/openmp_regions" || :
grep -q 'of 4 together' "$work/base.out" || suites_fail "the region had no team"
suites_end
