#!/bin/sh
# gsl.sh - the tests of gsl's C interface, from its source package, over another BLAS library
# SPDX-License-Identifier: Apache-2.0
# usage: gsl.sh BUILD LIBRARIES PROVIDER WAY    see suites.sh; providers of 32-bit integers
set -eu
suite=gsl
# shellcheck source=tests/suites/suites.sh
. "$(dirname "$0")/suites.sh"
# shellcheck source=tests/suites/sources.sh
. "$(dirname "$0")/sources.sh"
suites_begin "$@"
suites_needs_command cc
suites_needs_command gsl-config
sources_need gsl

# The library is linked before gsl's own BLAS, which libgsl depends on.
: >"$work/config.h"
# shellcheck disable=SC2046 # gsl-config prints options
cc -w -I "$work" $(gsl-config --cflags) "$source"/cblas/test*.c -o "$work/gsl_cblas" "$work/blas/$soname" \
	-lgsl -lm >"$work/build.log" 2>&1 || {
	tail -n 30 "$work/build.log"
	suites_say "the tests cannot be built"
	exit 1
}

for routine in gemm symm hemm syrk herk syr2k her2k trmm trsm; do
	awk -f "$here/eligible_gsl.awk" "$source/cblas/test_$routine.c"
done >"$work/expect"
[ "$(wc -l <"$work/expect")" -eq 60 ] || suites_fail "the source does not call 30 routines"
suites_try /dev/null "$work/gsl_cblas" || :
suites_end
